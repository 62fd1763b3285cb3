// What the board derives from a view: no rule, only geometry and lookups, kept apart so that it can be tested.
import type { View } from '../../lib/board';
import { signedText, type Stake, type Words } from '../../lib/words';
import type { ColumnCount, Dojo, DojoView, Line, Placed, RowCount } from './types';

export const BELTS = ['white', 'yellow', 'green', 'blue', 'black'] as const;
export const BELT_COLOURS = ['#fbf8f0', '#f3cf4f', '#2f7d50', '#2f6db5', '#24212b'];
export const HANDS = ['rock', 'paper', 'scissors'] as const;
export const COLUMN_TROPHIES = ['multicolour-belt', 'kimono', 'broom'];
export const HIDDEN = '?';
/** What moves cards to other rows, and to other columns: the points are theirs. */
export const MOVERS: Record<Line, string> = { row: 'broom', column: 'assistant' };
/** What a trophy does, as a sign on it: pairs, double, moving cards within the line, a joker, all kinds. */
export const BADGES: Record<string, string> = { 'multicolour-belt': '2=', kimono: '\u00d72', broom: '\u21c5', raccoon: '?', incense: '\u2211', assistant: '\u21c4' };

export const disciple = (card: string): string => card.slice(0, -1);
export const belt = (card: string): number => Number(card.slice(-1));
export const beltName = (card: string): string => BELTS[belt(card) - 1] ?? 'white';
export const lineOf = (trophy: string): Line => (COLUMN_TROPHIES.includes(trophy) ? 'column' : 'row');
export const spot = (row: number, column: number): string => `${row} ${column}`;

export interface Box {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** The smallest box around the cards. */
export function around(cards: readonly Placed[]): Box | null {
  if (cards.length === 0) return null;
  const rows = cards.map((card) => card.row);
  const columns = cards.map((card) => card.column);
  return { top: Math.min(...rows), left: Math.min(...columns), bottom: Math.max(...rows), right: Math.max(...columns) };
}

/** How many rows and columns a dojo can have, and how many are drawn while it still grows: a free line on two sides. */
const [ROWS, COLUMNS] = [3, 4];
const full = (box: Box): { rows: boolean; columns: boolean } => ({ rows: box.bottom - box.top === ROWS - 1, columns: box.right - box.left === COLUMNS - 1 });

/** The box with all places that a card may come to now or next: one line more on each side, as long as the dojo can grow. */
export function room(box: Box): Box {
  const { rows, columns } = full(box);
  return { top: box.top - (rows ? 0 : 1), bottom: box.bottom + (rows ? 0 : 1), left: box.left - (columns ? 0 : 1), right: box.right + (columns ? 0 : 1) };
}

/** A window of fixed size that has followed the cards in the order of placing, and no further than it had to. */
function follow(cards: readonly Placed[], start: Box, needed: (box: Box) => Box): Box {
  const out = { ...start };
  const [high, wide] = [start.bottom - start.top, start.right - start.left];
  cards.forEach((_, i) => {
    const need = needed(around(cards.slice(0, i + 1))!);
    out.top = Math.max(Math.min(out.top, need.top), need.bottom - high);
    out.left = Math.max(Math.min(out.left, need.left), need.right - wide);
    out.bottom = out.top + high;
    out.right = out.left + wide;
  });
  return out;
}

/**
 * What is drawn of a dojo: room for all that it can need next, in the same scale from card to card, so that a new one moves
 * nothing or the whole by one line. The room for more rows goes once there can be no more, and so with columns.
 */
export function shown(cards: readonly Placed[]): Box {
  const out = follow(cards, { top: -1, bottom: ROWS - 1, left: -2, right: COLUMNS - 2 }, room);
  const box = around(cards);
  if (!box) return out;
  const { rows, columns } = full(box);
  return { ...out, ...(rows && { top: box.top, bottom: box.bottom }), ...(columns && { left: box.left, right: box.right }) };
}

/** The 3 x 4 places under the cards of a small dojo. */
export function ghost(cards: readonly Placed[]): Box {
  return follow(cards, { top: -1, bottom: ROWS - 2, left: -1, right: COLUMNS - 2 }, (box) => box);
}

export interface Place {
  row: number;
  column: number;
  move: string;
}
export interface LineMove {
  line: Line;
  at: number;
  move: string;
}

export function placesOf(moves: readonly string[]): Place[] {
  return moves
    .map((move) => ({ move, parts: move.split(' ') }))
    .filter(({ parts }) => parts[0] === 'place')
    .map(({ move, parts }) => ({ move, row: Number(parts[1]), column: Number(parts[2]) }));
}

export function linesOf(moves: readonly string[]): LineMove[] {
  return moves
    .map((move) => ({ move, parts: move.split(' ') }))
    .filter(({ parts }) => parts[0] === 'trophy' && parts.length === 3)
    .map(({ move, parts }) => ({ move, line: parts[1] as Line, at: Number(parts[2]) }));
}

/** Where the card that the dealer looks at can be dropped: cushions. */
export const giftDrops = (moves: readonly string[]): Map<string, string> =>
  new Map(moves.filter((move) => move.startsWith('give p')).map((move) => [`cushion:${Number(move.slice(6)) - 1}`, move]));

/** Where the own card can be dropped: a place of the dojo, or on the dealer's cushion, to challenge. */
export function heldDrops(moves: readonly string[], dealer: number | null): Map<string, string> {
  const found = new Map(placesOf(moves).map(({ row, column, move }) => [`place:${spot(row, column)}`, move]));
  if (moves.includes('challenge')) found.set(`cushion:${dealer}`, 'challenge');
  return found;
}

/** Where the trophy can be dropped: the lines that it may stand at. */
export const trophyDrops = (moves: readonly string[]): Map<string, string> => new Map(linesOf(moves).map(({ line, at, move }) => [`line:${line} ${at}`, move]));

/** Whether a place can be named in the notation at all (rows -2..2, columns -3..3). */
export const nameable = (row: number, column: number): boolean => Math.abs(row) <= 2 && Math.abs(column) <= 3;

/** The place that an arrow key leads to: the nearest one on that side, straight ones first. */
export function toward(from: Place, places: readonly Place[], key: string): Place | null {
  const [dr, dc] = ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] } as const)[
    key as 'ArrowUp'
  ] ?? [0, 0];
  if (!dr && !dc) return null;
  let best: Place | null = null;
  let least = Infinity;
  for (const place of places) {
    const ahead = (place.row - from.row) * dr + (place.column - from.column) * dc;
    const aside = Math.abs((place.row - from.row) * dc) + Math.abs((place.column - from.column) * dr);
    if (ahead > 0 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = place;
    }
  }
  return best;
}

/** The view with every secret that the seats' own views show (an open replay). */
export function revealed(view: DojoView, open: readonly View[] | null): DojoView {
  if (!open) return view;
  const seats = open as readonly DojoView[];
  const held = view.held.map((card, seat) => (card === HIDDEN ? (seats[seat]?.held[seat] ?? card) : card));
  const looking = view.looking && view.dealer !== null ? (seats[view.dealer]?.looking ?? view.looking) : view.looking;
  return { ...view, held, looking };
}

/** Throws of this bout that are known, by seat (all of them in an open replay). */
export function throwsNow(view: DojoView, open: readonly View[] | null): Map<number, string> {
  const duel = view.challenge;
  const found = new Map<number, string>();
  if (!duel) return found;
  for (const seat of duel.thrown) {
    const hand = seat === view.seat ? duel.own_throw : (open?.[seat] as DojoView | undefined)?.challenge?.own_throw;
    found.set(seat, hand ?? HIDDEN);
  }
  return found;
}

/** The others, beginning at the left of the seat that looks (for a spectator: all). */
export function others(players: number, seat: number | null): number[] {
  const all = Array.from({ length: players }, (_, i) => i);
  return seat === null ? all : all.slice(1).map((i) => (seat + i) % players);
}

/** Rows of cards from top to bottom, with null for an empty place. */
export function rowsOf(dojo: Dojo): { row: number; cards: (string | null)[] }[] {
  const box = around(dojo.cards);
  if (!box) return [];
  const at = new Map(dojo.cards.map((card) => [spot(card.row, card.column), card.card]));
  const rows = [];
  for (let row = box.top; row <= box.bottom; row++) {
    const cards = [];
    for (let column = box.left; column <= box.right; column++) cards.push(at.get(spot(row, column)) ?? null);
    rows.push({ row, cards });
  }
  return rows;
}

/** What counts on the place of a card: the card that the best arrangement puts there, and the disciple it counts as. */
export function countedAt(dojo: Dojo, { row, column, card }: Placed): { card: string; as: string | null; moved: boolean } {
  const line = dojo.count.rows.find((one) => one.row === row);
  const at = column - (around(dojo.cards)?.left ?? column);
  const counted = line?.cards[at] ?? card;
  return { card: counted, as: line?.as[at] ?? null, moved: counted !== card };
}

/** How a line is counted. */
export const countOf = (dojo: Dojo, line: Line, at: number): RowCount | ColumnCount | undefined =>
  line === 'row' ? dojo.count.rows.find(({ row }) => row === at) : dojo.count.columns.find(({ column }) => column === at);

/** What explains a card: the raccoon is a disciple of its own kind. */
export const explainKey = (card: string): string => (card === HIDDEN ? 'cushion' : disciple(card) === 'raccoon' ? 'raccoon' : 'disciple');

/** The most that a card would bring where it is given, as a label ("≤ +3"). */
export function bestLabel(stakes: readonly Stake[] | undefined, words: Words): string | null {
  const found = stakes?.find(({ kind }) => kind === 'fits' || kind === 'fits-you');
  return found ? `≤ ${signedText(Number(found['best']), words.lang)}` : null;
}
