// What the server adds to the view of a game without a board of its own.
import type { View } from '../../lib/board';

/** A place with cards, face up (their text) or face down (null or "?"). */
export interface Cards {
  name: string;
  seat: number | null;
  cards: (string | null)[];
}
/** A number, a short text or a yes or no. */
export interface Counter {
  name: string;
  seat: number | null;
  value: number | string | boolean | null;
}
export type Zone = Cards | Counter;

export interface ZonedView extends View {
  zones?: Zone[];
}

export const hasCards = (zone: Zone): zone is Cards => 'cards' in zone;
export const isHidden = (card: string | null): card is null => card === null || card === '?';
