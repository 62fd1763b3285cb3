// Composing a move from taps: a frog and a pad, a lily and a lily, a lily and a pad. Nothing here knows a rule;
// all of it only narrows the list of legal texts.
import type { Colour } from './types';

export type Parsed =
  | { kind: 'move'; text: string; frog: string; pad: string }
  | { kind: 'trade'; text: string; give: Colour; other: number; take: Colour }
  | { kind: 'drop'; text: string; colour: Colour; pad: string | null }
  | { kind: 'other'; text: string };

/** `lands`: where a spring throws the frog on, if not the pad that the move names. */
export type Move = Extract<Parsed, { kind: 'move' }> & { lands?: string };
export type Trade = Extract<Parsed, { kind: 'trade' }>;
export type Drop = Extract<Parsed, { kind: 'drop' }>;

export function parse(text: string): Parsed {
  const [word, first = '', second = '', third = ''] = text.split(' ');
  if (word === 'move') return { kind: 'move', text, frog: first, pad: second };
  if (word === 'trade')
    return { kind: 'trade', text, give: first as Colour, other: Number(second.slice(1)) - 1, take: third as Colour };
  if (word === 'drop') return { kind: 'drop', text, colour: first as Colour, pad: second || null };
  return { kind: 'other', text };
}

export const frogMoves = (texts: string[], routes: Record<string, string[]> = {}): Move[] =>
  texts
    .map(parse)
    .filter((one) => one.kind === 'move')
    .map((one) => {
      const lands = routes[one.text]?.at(-1) ?? one.pad;
      return lands === one.pad ? one : { ...one, lands };
    });
/** The pads that mean a move: the one it names, and the one where its frog ends. */
export const padsOf = ({ pad, lands }: Move): string[] => (lands === undefined ? [pad] : [pad, lands]);
const leadsTo = (one: Move, pad: string | null): boolean => one.pad === pad || (pad !== null && one.lands === pad);
export const trades = (texts: string[]): Trade[] => texts.map(parse).filter((one) => one.kind === 'trade');
/** With the routes, also where a lily falls if there is only one pad for it: the move does not name that one. */
export const drops = (texts: string[], routes: Record<string, string[]> = {}): Drop[] =>
  texts
    .map(parse)
    .filter((one) => one.kind === 'drop')
    .map((one) => ({ ...one, pad: one.pad ?? routes[one.text]?.[0] ?? null }));

/** What a tap leads to: a new partial choice, a whole move, or a move whose refusal explains itself. */
export interface Pick {
  frog: string | null;
  pad: string | null;
}
export interface Answer {
  pick: Pick;
  choose?: string;
  why?: string;
}
export const NOTHING: Pick = { frog: null, pad: null };

export function tapFrog(moves: Move[], pick: Pick, chosen: string | null, frog: string): Answer {
  const own = moves.filter((one) => one.frog === frog);
  if (own.length === 0) return { pick: NOTHING, why: `move ${frog} ${pick.pad ?? 'goal'}` };
  const met = own.find((one) => one.pad === pick.pad) ?? own.find((one) => leadsTo(one, pick.pad));
  if (met) return { pick: { frog, pad: null }, choose: met.text };
  if (pick.frog !== frog) return { pick: { frog, pad: null }, ...(own.length === 1 && { choose: own[0]!.text }) };
  const again = own.find((one) => one.text === chosen) ?? (own.length === 1 ? own[0] : undefined);
  return again ? { pick, choose: again.text } : { pick: NOTHING };
}

export function tapPad(moves: Move[], pick: Pick, pad: string): Answer {
  const there = moves.filter((one) => leadsTo(one, pad));
  const own = there.filter((one) => one.frog === pick.frog);
  // The same frog may reach a pad by itself and by a spring: then the pad means what it says.
  const met = own.find((one) => one.pad === pad) ?? own[0] ?? (there.length === 1 ? there[0] : undefined);
  if (met) return { pick: { frog: met.frog, pad: null }, choose: met.text };
  if (there.length > 1) return { pick: pick.pad === pad ? NOTHING : { frog: null, pad } };
  return { pick: NOTHING, why: pick.frog === null ? `move ${pad}` : `move ${pick.frog} ${pad}` };
}

/** Where a frog can be dropped: pads, or the goal; also where a spring would throw it. */
export function frogDrops(moves: Move[], frog: string): Map<string, string> {
  const own = moves.filter((one) => one.frog === frog);
  return new Map([...own.map((one) => [`pad:${one.lands ?? one.pad}`, one.text] as const), ...own.map((one) => [`pad:${one.pad}`, one.text] as const)]);
}
/** Where a butterfly's lily can be dropped: pads; anywhere on the pond where its pad is not asked for. */
export const lilyDrops = (all: Drop[], colour: Colour): Map<string, string> =>
  new Map(all.filter((one) => one.colour === colour).map((one) => [one.pad === null ? 'pond' : `pad:${one.pad}`, one.text]));
/** Where a lily that is given can be dropped: on one that is taken for it; and the other way round. */
export const giveDrops = (all: Trade[], colour: Colour): Map<string, string> =>
  new Map(all.filter((one) => one.give === colour).map((one) => [`lily:${one.other}:${one.take}`, one.text]));
export const takeDrops = (all: Trade[], other: number, colour: Colour, seat: number): Map<string, string> =>
  new Map(all.filter((one) => one.other === other && one.take === colour).map((one) => [`lily:${seat}:${one.give}`, one.text]));

/** The moves that a partial choice is about. */
export function shown(moves: Move[], pick: Pick): Move[] {
  if (pick.frog !== null) return moves.filter((one) => one.frog === pick.frog);
  if (pick.pad !== null) return moves.filter((one) => leadsTo(one, pick.pad));
  return [];
}

export interface Swap {
  give: Colour | null;
  other: number | null;
  take: Colour | null;
}

/** The trade that is meant once both halves are known; where only one lily can be given, that half needs no tap. */
export function meant(all: Trade[], swap: Swap): Trade | undefined {
  if (swap.take === null) return undefined;
  const fits = all.filter((one) => one.other === swap.other && one.take === swap.take);
  const given = swap.give === null ? fits : fits.filter((one) => one.give === swap.give);
  return given.length === 1 ? given[0] : undefined;
}

export const canGive = (all: Trade[], swap: Swap, give: Colour): boolean =>
  all.some(
    (one) => one.give === give && (swap.take === null || (one.take === swap.take && one.other === swap.other)),
  );
export const canTake = (all: Trade[], swap: Swap, other: number, take: Colour): boolean =>
  all.some((one) => one.other === other && one.take === take && (swap.give === null || one.give === swap.give));
