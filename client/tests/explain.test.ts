// Everything that a board draws explains itself, in three languages and with a drawing.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { flushSync, mount, unmount, type Component } from 'svelte';
import { describe as suite, expect, it } from 'vitest';
import type { BoardModule, BoardProps, GameEvent, View } from '../src/lib/board';
import { Words, type Catalogue, type Stake } from '../src/lib/words';
import * as charuma from '../src/boards/charuma';
import * as chinaMoon from '../src/boards/china-moon';
import * as daruma from '../src/boards/daruma';
import * as dojo from '../src/boards/dojo';

interface Step {
  views: Record<string, View>;
  events: Record<string, GameEvent[]>;
  legal: Record<string, string[]>;
  stakes?: Record<string, Record<string, Stake[]>>;
}
const LANGUAGES = ['en', 'fr', 'es'];
const NAMES = ['Ana', 'Bruno', 'Chloé', 'Diego', 'Eiko'];
const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const read = (path: string): unknown => JSON.parse(readFileSync(resolve(FIXTURES, path), 'utf8'));
const BOARDS: Record<string, { board: BoardModule; drawn: string[] }> = {
  daruma: {
    board: daruma as unknown as BoardModule,
    drawn: ['.spot .figure', '.stone', '.rabbit', '.ledger', '.sake', '.pile', '.tray .row button', '.goal [role=img]', '.plank .doll', '.pupil'],
  },
  charuma: {
    board: charuma as unknown as BoardModule,
    drawn: ['.group', '.group .card', '.tie', '.stack', '.points', '.tricks', '.token', '.seat .mini', '.own', '.trick .sign', '.slot .card:not(.empty)', '.coin'],
  },
  dojo: {
    board: dojo as unknown as BoardModule,
    drawn: ['.small .card', '.small .trophy', '.cushion', '.own .card .slot', '.end .trophy', '.end b', '.supplies .pile', '.score', '.count', '.duel .card', '.looking[data-spot] [data-card]'],
  },
  'china-moon': { board: chinaMoon as unknown as BoardModule, drawn: ['[data-key]', '.lily', '.kind', '.bank'] },
};

/** About so many steps of every recorded game, spread over it. */
function* steps(game: string, number: number): Generator<Step> {
  const files = readdirSync(FIXTURES).filter((name) => name.startsWith(`${game}.`) && name.endsWith('.json'));
  for (const file of files) {
    const all = read(file) as Step[];
    const every = Math.max(1, Math.floor(all.length / number));
    yield* all.filter((_, i) => i % every === 0);
  }
}

const wordsOf = (game: string, lang: string): Words => new Words(lang, read(`messages/${game}.${lang}.json`) as Catalogue, {}, NAMES);

suite.each(Object.keys(BOARDS))('the board of %s', { timeout: 120_000 }, (game) => {
  const { board, drawn } = BOARDS[game]!;
  const languages = LANGUAGES.map((lang) => wordsOf(game, lang));

  it('explains everything that it draws', () => {
    const [words] = languages;
    const seen = new Set<string>();
    const unexplained = new Set<string>();
    for (const step of steps(game, 5)) {
      const key = Object.keys(step.legal)[0] ?? 'spectator';
      const view = step.views[key]!;
      const props: BoardProps = {
        view, revealed: view, playing: false, intermission: false, ending: false, trail: [], seat: view.seat, names: NAMES.slice(0, view.players), moves: step.legal[key] ?? [],
        stakes: step.stakes?.[key] ?? {}, chosen: null, hinted: [], events: [], history: step.events[key]!, open: null, words: words!, motion: false,
        choose: () => undefined, why: () => undefined,
      };
      const one = mount(board.default as Component<BoardProps>, { target: document.body, props });
      flushSync();
      for (const element of document.querySelectorAll('[data-explain]')) seen.add(element.getAttribute('data-explain')!);
      for (const selector of drawn)
        for (const element of document.querySelectorAll(selector)) if (!element.closest('[data-explain]')) unexplained.add(selector);
      void unmount(one);
      document.body.replaceChildren();
    }
    expect([...unexplained]).toEqual([]);
    expect(seen.size).toBeGreaterThan(6);
    for (const one of languages)
      for (const key of seen) expect(one.explanation(key), `${key} in ${one.lang}`).not.toBeNull();
  });

  it('has a drawing and a short text in three languages for each of its components', () => {
    const keys = Object.keys(languages[0]!.own['explain']!);
    for (const one of languages) {
      expect(Object.keys(one.own['explain']!)).toEqual(keys);
      expect(Object.keys(one.own['component']!)).toEqual(keys);
      for (const key of keys) expect(one.explanation(key)!.text.length, `${key} in ${one.lang}`).toBeLessThan(230);
    }
    for (const key of keys) {
      const one = mount(board.picture!, { target: document.body, props: { of: key } });
      flushSync();
      const shown = [...document.body.querySelectorAll('svg:not([width="0"]), .face')];
      expect(shown.length, `a drawing of ${key}`).toBeGreaterThan(0);
      void unmount(one);
      document.body.replaceChildren();
    }
  });
});

suite('what is at stake', { timeout: 60_000 }, () => {
  it('has words for every move of recorded games, in every language', () => {
    for (const game of Object.keys(BOARDS)) {
      const common = read('../src/generated/messages/common.en.json') as Catalogue;
      for (const lang of LANGUAGES) {
        const words = new Words(lang, read(`messages/${game}.${lang}.json`) as Catalogue, common, NAMES);
        for (const step of steps(game, 3))
          for (const moves of Object.values(step.stakes ?? {}))
            for (const [move, stakes] of Object.entries(moves))
              for (const stake of stakes) {
                expect(words.stake(stake), `${game} ${move} ${stake.kind}`).toMatch(/\S/);
                expect(words.stake(stake)).not.toMatch(/[{}]|NaN|undefined/);
              }
      }
    }
  });

  it('is written as the Python side writes it', () => {
    const own = { stake: { points: '{points:+point|points}', chance: '{chance:%}', take: '{colours:and}', lose: '{colours:each le}', left: '{left:point|points}' } };
    const said = (lang: string, stake: Stake): string => new Words(lang, own, {}, []).stake(stake);
    expect(said('en', { kind: 'points', points: -1 })).toBe('−1 point');
    expect(said('fr', { kind: 'points', points: 0 })).toBe('0 point');
    expect(said('es', { kind: 'chance', chance: 0.001 })).toBe('1\u00a0%');
    expect(said('en', { kind: 'chance', chance: 0.9999 })).toBe('99%');
    expect(said('fr', { kind: 'take', colours: ['rouge', 'bleu', 'doré'] })).toBe('rouge, bleu et doré');
    expect(said('fr', { kind: 'lose', colours: ['rouge', 'bleu', 'doré'] })).toBe('le rouge, le bleu et le doré');
    expect(said('fr', { kind: 'lose', colours: ['rouge'] })).toBe('le rouge');
    expect(said('en', { kind: 'left', left: 1 })).toBe('1 point');
  });
});
