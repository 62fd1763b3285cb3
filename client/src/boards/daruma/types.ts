// The view of Daruma as the server sends it. Seats count from 0, places and tokens from 1.
import type { View } from '../../lib/board';

export type EyeState = 'none' | 'die' | 'pupil';
export type TokenKind = 'blank' | 'daruma' | 'four';

export interface PlaceView {
  card: string;
  colour: string;
  action: string;
  eyes: EyeState[];
}

export interface Objective {
  number: number;
  good: string[];
  bad: string;
  /** Points of a daruma by colour. */
  worth: Record<string, number>;
}

export interface DarumaView extends View {
  first: number | null;
  turn: number | null;
  dice: number[];
  rolling: number;
  ledger: { fours: number; fictive: number };
  sake: number[];
  gift_used: boolean;
  swept: boolean;
  places: (PlaceView | null)[];
  pile: number;
  track: TokenKind[];
  counter: number;
  backwards: boolean;
  /** The steps the rabbit still has to go, there and back. */
  steps_left: number;
  /** This may be everybody's last turn. */
  may_end: boolean;
  finishing: boolean;
  /** Once the rabbit is home: turns that are still to be finished, this one among them. */
  turns_left: number | null;
  collections: string[][];
  objectives: Objective[];
  held: (number | null)[];
  known_scores: (number | null)[];
}

export const colourOf = (card: string): string => card.split('.')[0] ?? card;
export const actionOf = (card: string): string => card.slice(card.indexOf('.') + 1);

/** The sign of a daruma, if another one of its colour among these has another sign. */
export const signAmong = (card: string, cards: Iterable<string>): string | null =>
  [...cards].some((one) => one !== card && colourOf(one) === colourOf(card)) ? actionOf(card) : null;

export function objectiveOf(view: DarumaView, seat: number): Objective | null {
  const number = view.held[seat];
  return view.objectives.find((one) => one.number === number) ?? null;
}

/** What a daruma of this colour counts for the holder of an objective: the server says so. */
export const worth = (colour: string, objective: Objective): number => objective.worth[colour] ?? 0;
