// Cards as texts: `7b`, `10r`, with `*` for one of the two hidden cards of a hand.
import type { Kind } from './types';

export interface Card {
  text: string;
  value: string;
  colour: 'b' | 'r';
  hidden: boolean;
}
/** A card of a shown hand or group; `n` tells equal cards apart. */
export interface Held extends Card {
  n: number;
  id: string;
}

/** The marks of a kind that can be led. */
export const MARKS: Record<Kind, ('b' | 'r')[]> = {
  blue: ['b'],
  red: ['r'],
  'blue-pair': ['b', 'b'],
  'red-pair': ['r', 'r'],
  'two-coloured-pair': ['b', 'r'],
};

export const VALUES = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10'];

export function card(text: string): Card {
  const hidden = text.endsWith('*');
  const bare = hidden ? text.slice(0, -1) : text;
  return { text, value: bare.slice(0, -1), colour: bare.endsWith('r') ? 'r' : 'b', hidden };
}

/** What explains a card: its own value where that is special, else its kind. */
export function explainKey(text: string): string {
  const { hidden, value, colour } = card(text);
  return hidden ? 'hidden-card' : value === 'A' ? 'ace' : value === '10' ? 'ten' : colour === 'b' ? 'cat' : 'daruma';
}

export const rank = (value: string): number => VALUES.indexOf(value);

/** The order in which a move names its cards: face-up before hidden, blue before red, then by value. */
export function moveOrder(a: string, b: string): number {
  const one = card(a);
  const two = card(b);
  return (
    Number(one.hidden) - Number(two.hidden) ||
    one.colour.localeCompare(two.colour) ||
    rank(one.value) - rank(two.value)
  );
}

export const playText = (cards: string[]): string => ['play', ...[...cards].sort(moveOrder)].join(' ');
/** Whether two cards may be led; as far as is known, if no moves are. */
export const mayLeadPair = (moves: readonly string[]): boolean => moves.length === 0 || moves.some((move) => cardsOf(move).length === 2);
export const cardsOf = (move: string): string[] => (move.startsWith('play ') ? move.split(' ').slice(1) : []);

/** Cards by value, so that those which make a pair lie side by side; each gets an id of its own. */
export function laid(texts: string[]): Held[] {
  const seen = new Map<string, number>();
  return [...texts]
    .sort((a, b) => rank(card(a).value) - rank(card(b).value) || moveOrder(a, b))
    .map((text) => {
      const n = seen.get(text) ?? 0;
      seen.set(text, n + 1);
      return { ...card(text), n, id: `${text}:${n}` };
    });
}

/** Runs of equal value: what snaps together on the table. */
export function clusters(texts: string[]): Held[][] {
  const runs: Held[][] = [];
  for (const held of laid(texts)) {
    const run = runs[runs.length - 1];
    if (run && run[0]?.value === held.value) run.push(held);
    else runs.push([held]);
  }
  return runs;
}
