// How taps become a move. Nothing here knows a rule: a selection is narrowed by the texts of the legal moves.
import type { Stake } from '../../lib/words';
import { cardsOf, playText } from './cards';

/** Whether `part` is contained in `whole`, equal cards counted. */
function within(part: string[], whole: string[]): boolean {
  const left = [...whole];
  return part.every((one) => {
    const at = left.indexOf(one);
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}

/** The legal moves that contain these cards. */
export const holding = (moves: string[], cards: string[]): string[] =>
  moves.filter((move) => move.startsWith('play ') && within(cards, cardsOf(move)));

export const exact = (moves: string[], cards: string[]): string | null => {
  const text = playText(cards);
  return cards.length > 0 && moves.includes(text) ? text : null;
};

export type Tap =
  | { do: 'pick'; ids: string[] }
  | { do: 'choose'; ids: string[]; move: string }
  | { do: 'confirm'; move: string }
  | { do: 'why'; move: string };

const textOf = (id: string): string => id.slice(0, id.lastIndexOf(':'));
export const textsOf = (ids: string[]): string[] => ids.map(textOf);

/** A move is chosen at once only where nothing larger can still be meant: a table may play it without asking for confirmation. */
function settle(moves: string[], ids: string[]): Tap {
  const cards = textsOf(ids);
  const move = exact(moves, cards);
  const open = holding(moves, cards).some((one) => cardsOf(one).length > cards.length);
  return move && !open ? { do: 'choose', ids, move } : { do: 'pick', ids };
}

/**
 * What a tap on the card `id` means.
 * `picked`: the ids selected so far; `chosen`: the move they already make, if it was chosen; `held`: all ids of the hand.
 */
export function tap(moves: string[], held: string[], picked: string[], chosen: string | null, id: string): Tap {
  const card = textOf(id);
  if (picked.includes(id)) {
    if (chosen) return { do: 'confirm', move: chosen };
    const move = exact(moves, textsOf(picked));
    return move ? { do: 'choose', ids: picked, move } : { do: 'pick', ids: picked.filter((one) => one !== id) };
  }
  const more = [...picked, id];
  if (picked.length > 0 && holding(moves, textsOf(more)).length > 0) return settle(moves, more);
  if (holding(moves, [card]).length > 0) return settle(moves, [id]);
  return { do: 'why', move: playText(meant(moves, held, picked, id)) };
}

/** The cards that a tap on a card which may not be played would have put down. */
function meant(moves: string[], held: string[], picked: string[], id: string): string[] {
  const card = textOf(id);
  const two = moves.length > 0 && moves.every((move) => cardsOf(move).length === 2);
  if (!two) return [card];
  const others = picked.length === 1 ? picked : held.filter((one) => one !== id);
  const value = card.replace('*', '').slice(0, -1);
  const twin = others.find((one) => textOf(one).replace('*', '').slice(0, -1) === value);
  const other = twin ?? others[0];
  return other === undefined ? [card] : [textOf(other), card];
}

/** The move that a card stands for: with what is picked, alone, or if two are asked for, with the card that promises most (else its twin). */
export function standsFor(moves: string[], held: string[], picked: string[], id: string, stakes: Record<string, readonly Stake[]> = {}): string | null {
  const others = picked.filter((one) => one !== id);
  if (others.length > 0) return exact(moves, textsOf([...others, id])) ?? exact(moves, [textOf(id)]);
  const usual = exact(moves, meant(moves, held, [], id));
  if (usual !== null && cardsOf(usual).length === 1) return usual;
  const rank = (of: readonly Stake[] | undefined): number => outlook(of)?.rank ?? 0;
  const possible = [...(usual === null ? [] : [usual]), ...holding(moves, [textOf(id)])];
  return possible.reduce<string | null>((best, move) => (best === null || rank(stakes[move]) > rank(stakes[best]) ? move : best), null);
}

/** The ids that show a move given as text; those tapped before are kept where they fit. */
export function idsOf(move: string, held: string[], before: string[]): string[] {
  const cards = cardsOf(move);
  if (before.length === cards.length && within(textsOf(before), cards)) return before;
  const free = [...held];
  return cards.flatMap((text) => {
    const at = free.findIndex((id) => textOf(id) === text);
    return at < 0 ? [] : free.splice(at, 1);
  });
}

/** Where a card of the hand can be dropped: on the trick, or on the card that it is played with. */
export function drops(moves: string[], held: string[], picked: string[], id: string): Map<string, string> {
  const found = new Map<string, string>();
  const before = picked.filter((one) => one !== id);
  const cards = holding(moves, textsOf([...before, id])).length > 0 ? textsOf([...before, id]) : [textOf(id)];
  const [only, ...more] = holding(moves, cards);
  const whole = exact(moves, cards) ?? (more.length === 0 ? only : undefined);
  if (whole) found.set('trick', whole);
  for (const other of held) {
    const pair = other === id ? null : exact(moves, [textOf(id), textOf(other)]);
    if (pair) found.set(`card:${other}`, pair);
  }
  return found;
}

/** The cards that were picked, and the moves that were asked for then. */
export interface Picked {
  moves: string[];
  ids: string[];
}

/** A new question begins with nothing picked, also where a card equal to the one played is still in the hand. */
export const stillPicked = (picked: Picked, moves: string[], held: string[]): string[] =>
  picked.moves === moves ? picked.ids.filter((id) => held.includes(id)) : [];

// ---- the auction -------------------------------------------------------------------------------

export interface Bid {
  group: string;
  amount: number;
}
export function bidOf(move: string | null): Bid | null {
  const found = /^bid (\d+) (\w+)$/.exec(move ?? '');
  return found ? { amount: Number(found[1]), group: found[2]! } : null;
}
export const bidText = (bid: Bid): string => `bid ${bid.amount} ${bid.group}`;
/** Where a coin can be dropped: groups. */
export const coinDrops = (moves: string[], amount: number): Map<string, string> =>
  new Map(moves.flatMap((move): [string, string][] => (bidOf(move)?.amount === amount ? [[`group:${bidOf(move)!.group}`, move]] : [])));
/** Where a group can be dropped: coins. */
export const groupDrops = (moves: string[], group: string): Map<string, string> =>
  new Map(moves.flatMap((move): [string, string][] => (bidOf(move)?.group === group ? [[`coin:${bidOf(move)!.amount}`, move]] : [])));
/** The amounts that may be bid on a group. */
export const amounts = (moves: string[], group: string): number[] =>
  moves.flatMap((move) => {
    const bid = bidOf(move);
    return bid?.group === group ? [bid.amount] : [];
  });

export interface Outlook {
  text: string;
  /** Of a hundred deals, those in which nobody can beat it; where that is not certain either way. */
  chance?: number;
  /** The seats whose face-up cards can beat it. */
  rivals?: number[];
  tone: 'sure' | 'likely' | 'unlikely' | 'none';
  rank: number;
}

/** What a play promises, in a few signs: the points of the trick, how likely they are where only hidden cards can take them, a
 * question mark where others decide, and who they are. By `rank`: a sure trick, a likelier one, one that others decide (the
 * fewer the better), none; then by points, or by how few are given away. */
export function outlook(stakes: readonly Stake[] | undefined): Outlook | null {
  const chance = Number(stakes?.find(({ kind }) => kind === 'hidden-threat')?.['chance'] ?? 0);
  const rivals = stakes?.find(({ kind }) => kind === 'open-threat')?.['seats'] as number[] | undefined;
  for (const { kind, trick } of stakes ?? []) {
    const points = Number(trick ?? 0);
    const text = `+${points}`;
    if (kind === 'won' || kind === 'sure') return { text, tone: 'sure', rank: 3 + points / 100 };
    if (kind === 'ahead' && chance > 0) return { text, chance, tone: chance >= 50 ? 'likely' : 'unlikely', rank: 2 + chance / 100 + points / 1000 };
    if (kind === 'ahead') return { text: `${text}?`, rivals, tone: 'unlikely', rank: 2 - (rivals?.length ?? 0) / 10 };
    if (kind === 'needs-ten') return { text: `${text}?`, tone: 'unlikely', rank: 1 };
    if (kind === 'cannot-win' || kind === 'lost') return { text: '0', tone: 'none', rank: -points / 100 };
  }
  return null;
}
