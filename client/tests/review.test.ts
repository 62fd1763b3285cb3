import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as charuma from '../src/boards/charuma';
import * as moon from '../src/boards/china-moon';
import * as daruma from '../src/boards/daruma';
import * as dojo from '../src/boards/dojo';
import type { BoardModule, View } from '../src/lib/board';
import { better } from '../src/lib/review.svelte';
import { LANGS, wordsIn } from './catalogues';

interface Moment {
  view: View;
  moves: string[];
}
const read = (game: string) => JSON.parse(readFileSync(`${import.meta.dirname}/data/${game}.json`, 'utf-8'));
const ponds = read('china-moon');
const GAMES: [string, Pick<BoardModule, 'brief' | 'describe'>, Moment[]][] = [
  ['charuma', charuma, read('charuma').map(({ view, legal }: { view: View; legal: string[] }) => ({ view, moves: legal }))],
  ['china-moon', moon, ponds.steps.map((step: { view: { board: string } }) => ({ ...step, view: { ...step.view, board: ponds.boards[step.view.board] } }))],
  ['daruma', daruma, read('daruma').steps],
  ['dojo', dojo, read('dojo')],
];

it.each(GAMES)('a better move is worded with what its seat knew, and alike for every reader (%s)', (game, board, moments) => {
  for (const lang of LANGS)
    for (const { view, moves } of moments) {
      const seat = view.seat;
      if (seat === null) continue;
      for (const best of moves) {
        const said = better({ best, seat, view }, board, wordsIn(game, lang));
        expect(said).not.toMatch(/undefined|null|[{}]/);
        expect(said).not.toBe(best);
        // A reader in another seat, for whom others are still to move, reads the same.
        expect(better({ best, seat, view: { ...view, seat: null, actors: [...view.actors].reverse() } }, board, wordsIn(game, lang))).toBe(said);
      }
    }
});

it('a better move in Dojo names the cards of the seat that decided, and the place', () => {
  const words = wordsIn('dojo', 'en');
  const moments = read('dojo') as Moment[];
  const of = (ask: string): string[] => moments.flatMap(({ view, moves }) => (view.ask === ask && view.seat !== null ? moves.map((best) => better({ best, seat: view.seat!, view }, dojo, words)) : []));
  for (const said of of('give')) expect(said).not.toContain(words.message('web', 'back'));
  for (const said of of('place')) expect(said).toMatch(/row|first card/);
  expect(of('give').some((said) => said.endsWith('for yourself'))).toBe(true);
});
