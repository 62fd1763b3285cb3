// The log of Charuma: the auction is a block, and each trick; of older tricks only the outcome is kept, as at a table.
import type { GameEvent, View } from '../../lib/board';
import type { Part, Words } from '../../lib/words';
import { bidOf } from './compose';
import { mayLeadPair } from './cards';
import { reasonKey } from './describe';
import { message } from './messages';
import { endsAuction, isBid, isPlay, isRoundEnd, type LastTrick, type PlayEvent } from './types';

const CARDS = new Set(['text', 'best', 'card']);

export const glyphs = (field: string, value: unknown): string[] | null => (CARDS.has(field) && typeof value === 'string' ? value.split(' ') : null);

/** That nobody else played what was led is said with what that was. */
export const eventFields = (event: GameEvent): Record<string, unknown> => (isPlay(event) && event.reason ? { reason: reasonKey(event) } : {});

export const opens = (event: GameEvent, block: readonly GameEvent[]): boolean =>
  isPlay(event) ? event.lead : isBid(event) && !block.some(isBid);

const won = (block: readonly GameEvent[]): GameEvent | undefined => block.find((event) => isPlay(event) && event.winner !== undefined);

export function heading(block: readonly GameEvent[], words: Words): Part[] {
  const end = won(block);
  if (end) return words.parts('since', 'trick', { ...end, ...eventFields(end) });
  return [message(words, block.some(isPlay) ? 'theTrick' : 'auction')];
}

/** A trick is looked at until the next is complete. */
export const closed = (block: readonly GameEvent[], after: readonly GameEvent[]): boolean => won(block) !== undefined && won(after) !== undefined;

export const toYou = (event: GameEvent, seat: number): Record<string, unknown> | null =>
  isBid(event) && event.outbid_seat === seat && event.seat !== seat ? {} : null;

/** How the last trick or the auction ended, or what was bid; a round is summed up on its sheet. */
export function since(events: readonly GameEvent[], seat: number): { code: string; fields: Record<string, unknown> }[] {
  const last = events.findLastIndex((event) => endsAuction(event) || (isPlay(event) && event.winner !== undefined));
  const end = events[last];
  // A bid that drove the reader away has been said to them already.
  const bids = events.slice(last + 1).filter((event) => isBid(event) && event.outbid_seat !== seat);
  if (bids.length > 0) return bids.map((event) => ({ code: 'bid', fields: event }));
  if (!end || isRoundEnd(end)) return [];
  if (endsAuction(end)) return [{ code: 'auction', fields: { ...end, group: end.groups![seat], paid: end.spent?.[seat] } }];
  // In few words: that the card was a hidden one is in the log.
  return [{ code: 'trick', fields: { ...end, ...eventFields(end), best: String(end['best']).replaceAll('*', '') } }];
}

/** The bid that ends the auction takes its time on the board: first it is laid, then the groups go to the hands. Its end is shown last.
 * While another is on its way, it is said who is bidding. */
export function meanwhile(event: GameEvent, words: Words): string {
  if (endsAuction(event)) return words.message('story', 'bid', { ...event, lead_seat: undefined });
  return isBid(event) && event.seat !== words.reader ? words.message('wait', 'bid', { sole_seat: event.seat }) : '';
}

/** A complete trick, with the event that completed it. */
export type Taken = LastTrick & { index: number };

/** The complete tricks among these events. */
export function tricksOf(events: readonly GameEvent[]): Taken[] {
  const standing: GameEvent[] = [];
  for (const event of events) {
    if (event.type !== 'undo') standing.push(event);
    else for (let moves = Number(event['moves']); moves > 0 && standing.length > 0; ) if (standing.pop()!.seat !== undefined) moves -= 1;
  }
  const found: Taken[] = [];
  let plays: PlayEvent[] = [];
  for (const event of standing.filter(isPlay)) {
    plays = event.lead ? [event] : [...plays, event];
    const { winner, points = 0, aces = 0, kind, reason, index } = event;
    if (winner !== undefined && kind && reason && plays[0]!.lead) found.push({ leader: plays[0]!.seat, plays, winner, points, aces, kind, reason, index });
  }
  return found;
}

/** The prices that may really be offered. */
export function asks(view: View, moves: readonly string[]): { code?: string; fields?: Record<string, unknown> } {
  if (view.ask === 'lead') return mayLeadPair(moves) ? {} : { code: 'lead-one' };
  const amounts = moves.map((move) => bidOf(move)?.amount).filter((amount) => amount !== undefined);
  if (amounts.length === 0) return {};
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  return { fields: low === high ? { only: low } : { low, high } };
}
