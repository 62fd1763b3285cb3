// The log of Charuma: the auction is a block, and each trick; of older tricks only the outcome is kept, as at a table.
import type { GameEvent, View } from '../../lib/board';
import type { Words } from '../../lib/words';
import { bidOf } from './compose';
import { mayLeadPair } from './cards';
import { message } from './messages';
import { endsAuction, isBid, isPlay, isRoundEnd } from './types';

const CARDS = new Set(['text', 'best', 'card']);

export const glyphs = (field: string, value: unknown): string[] | null => (CARDS.has(field) && typeof value === 'string' ? value.split(' ') : null);

export const opens = (event: GameEvent, block: readonly GameEvent[]): boolean =>
  isPlay(event) ? event.lead : isBid(event) && !block.some(isBid);

const won = (block: readonly GameEvent[]): GameEvent | undefined => block.find((event) => isPlay(event) && event.winner !== undefined);

export function heading(block: readonly GameEvent[], words: Words): string {
  const end = won(block);
  if (end) return words.message('since', 'trick', end);
  return message(words, block.some(isPlay) ? 'theTrick' : 'auction');
}

/** A trick is looked at until the next is complete. */
export const closed = (block: readonly GameEvent[], after: readonly GameEvent[]): boolean => won(block) !== undefined && won(after) !== undefined;

export const toYou = (event: GameEvent, seat: number): Record<string, unknown> | null =>
  isBid(event) && event.outbid_seat === seat && event.seat !== seat ? {} : null;

/** How the last trick or the auction ended; a round is summed up on its sheet. */
export function since(events: readonly GameEvent[], seat: number): { code: string; fields: Record<string, unknown> }[] {
  const end = events.findLast((event) => endsAuction(event) || (isPlay(event) && event.winner !== undefined));
  if (!end || isRoundEnd(end)) return [];
  return [endsAuction(end) ? { code: 'auction', fields: { ...end, group: end.groups![seat], paid: end.spent?.[seat] } } : { code: 'trick', fields: end }];
}

/** The bid that ends the auction takes its time on the board: first it is laid, then the groups go to the hands. Its end is shown last. */
export const meanwhile = (event: GameEvent, words: Words): string => (endsAuction(event) ? words.message('story', 'bid', { ...event, lead_seat: undefined }) : '');

/** The prices that may really be offered. */
export function asks(view: View, moves: readonly string[]): { code?: string; fields?: Record<string, unknown> } {
  if (view.ask === 'lead') return mayLeadPair(moves) ? {} : { code: 'lead-one' };
  const amounts = moves.map((move) => bidOf(move)?.amount).filter((amount) => amount !== undefined);
  if (amounts.length === 0) return {};
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  return { fields: low === high ? { only: low } : { low, high } };
}
