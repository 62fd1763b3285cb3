// The log of Charuma: the auction is a block, and each trick; of older tricks only the outcome is kept, as at a table.
import type { GameEvent, View } from '../../lib/board';
import type { Words } from '../../lib/words';
import { bidOf } from './compose';
import { mayLeadPair } from './cards';
import { message } from './messages';
import { isBid, isPlay } from './types';

const CARDS = new Set(['cards', 'best_cards', 'card']);

export const glyphs = (field: string, value: unknown): string[] | null =>
  CARDS.has(field) && value !== undefined ? (Array.isArray(value) ? value : [value]).map(String) : null;

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

export function since(events: readonly GameEvent[]): { code: string; fields: Record<string, unknown> }[] {
  const end = events.findLast((event) => isPlay(event) && event.winner !== undefined);
  return end ? [{ code: 'trick', fields: end }] : [];
}

/** The prices that may really be offered. */
export function asks(view: View, moves: readonly string[]): { code?: string; fields?: Record<string, unknown> } {
  if (view.ask === 'lead') return mayLeadPair(moves) ? {} : { code: 'lead-one' };
  const amounts = moves.map((move) => bidOf(move)?.amount).filter((amount) => amount !== undefined);
  if (amounts.length === 0) return {};
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  return { fields: low === high ? { only: low } : { low, high } };
}
