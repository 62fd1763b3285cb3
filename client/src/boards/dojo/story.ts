// The log of Dojo: a block for each round.
import type { GameEvent, View } from '../../lib/board';
import type { Words } from '../../lib/words';
import { message } from './messages';

const THINGS = new Set(['card', 'dealer_card', 'loser_card', 'trophy', 'boxed']);

export const glyphs = (field: string, value: unknown): string[] | null => (THINGS.has(field) && typeof value === 'string' ? [value] : null);

export const opens = (event: GameEvent, block: readonly GameEvent[]): boolean => event['round'] !== block[0]?.['round'];

/** A card that was looked at and then given is one line: the second says all of it. */
export function coveredLater(event: GameEvent, events: readonly GameEvent[]): boolean {
  return event.type === 'draw' && events.some(({ type, index }) => type === 'give' && index === event.index + 1);
}

export const heading = (block: readonly GameEvent[], words: Words): string => message(words, 'round', { round: block[0]?.['round'] ?? 1 });

/** A card that was given, a challenge as the dealer, a card that was swapped. */
export function toYou(event: GameEvent, seat: number): Record<string, unknown> | null {
  if (event.seat === seat) return null;
  const whom = { give: event['to'], challenge: event['dealer'], swap: event['loser'] }[event.type];
  return whom === seat ? {} : null;
}

/** The challenges; the card that the reader holds by now: given to them, or what a swap has left them. What was before the reader's last card was laid, if the table laid it for them, is over. */
export function since(trail: readonly GameEvent[], seat: number | null): { code: string; fields: Record<string, unknown> }[] {
  const events = trail.slice(trail.findLastIndex((event) => event.type === 'place' && event.seat === seat) + 1);
  const held = events.findLast((event) => (event.type === 'give' && event['to'] === seat && event.seat !== seat) || (event.type === 'swap' && event['loser'] === seat));
  return events.flatMap((event) => {
    if (event === held) return [{ code: event.type === 'give' ? 'given' : 'swapped', fields: event }];
    return event['winner'] !== undefined && event['loser'] !== undefined ? [{ code: 'challenge', fields: event }] : [];
  });
}
export const sinceIncludesReader = true;

/** A challenge takes its time on the board: what it is stands below meanwhile, and who wins when that is shown. */
export const meanwhile = (event: GameEvent, words: Words): string => (event.type === 'challenge' ? words.message('meanwhile', 'challenge', event) : '');

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
