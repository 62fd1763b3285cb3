// The log of Dojo: a block for each round.
import type { GameEvent, View } from '../../lib/board';
import type { Words } from '../../lib/words';
import { message } from './messages';

const THINGS = new Set(['card', 'dealer_card', 'loser_card', 'trophy', 'boxed']);

export const glyphs = (field: string, value: unknown): string[] | null => (THINGS.has(field) && typeof value === 'string' ? [value] : null);

export const opens = (event: GameEvent, block: readonly GameEvent[]): boolean => event['round'] !== block[0]?.['round'];

export const heading = (block: readonly GameEvent[], words: Words): string => message(words, 'round', { round: block[0]?.['round'] ?? 1 });

/** A card that was given, a challenge as the dealer, a card that was swapped. */
export function toYou(event: GameEvent, seat: number): Record<string, unknown> | null {
  if (event.seat === seat) return null;
  const whom = { give: event['to'], challenge: event['dealer'], swap: event['loser'] }[event.type];
  return whom === seat ? {} : null;
}

export const since = (events: readonly GameEvent[]): { code: string; fields: Record<string, unknown> }[] =>
  events.filter((event) => event['winner'] !== undefined && event['loser'] !== undefined).map((event) => ({ code: 'challenge', fields: event }));

export function asks(view: View, moves: readonly string[]): { code?: string } {
  if (view.ask !== 'give') return {};
  const keep = `give p${(view.actors[0] ?? 0) + 1}`;
  if (!moves.includes(keep)) return { code: 'give-others' };
  return moves.length === 1 ? { code: 'give-keep' } : {};
}

/** The last card that each player has laid, by seat: its row and column. */
export function lastPlaced(trail: readonly GameEvent[], seat: number): string | null {
  const event = trail.findLast((one) => one.type === 'place' && one.seat === seat);
  return event ? `${String(event['row'])} ${String(event['column'])}` : null;
}
