import { existsSync, readFileSync } from 'node:fs';
import { flushSync, mount, unmount } from 'svelte';
import { fromStore, writable } from 'svelte/store';
import { describe as group, expect, it } from 'vitest';
import Floor from '../src/boards/dojo/Floor.svelte';
import type { GameEvent, View } from '../src/lib/board';
import type { Words } from '../src/lib/words';
import { around, BADGES, countedAt, ghost, linesOf, nameable, others, placesOf, revealed, room, rowsOf, shown, throwsNow, toward } from '../src/boards/dojo/logic';
import { ending } from '../src/boards/dojo';
import { COUNT, beats, plan } from '../src/boards/dojo/motion';
import { countNote, describe, effect, lineNote, summary, trophyNote, winnersSay } from '../src/boards/dojo/describe';
import type { DojoView } from '../src/boards/dojo/types';
import { LANGS, wordsIn as wordsOf } from './catalogues';

interface Moment {
  view: DojoView;
  moves: string[];
  events: GameEvent[];
}
// A path that is not written out stays a path: the bundler leaves it alone.
const at = (path: string) => new URL(path, import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(at(path), 'utf8'));
const moments: Moment[] = read('./data/dojo.json');

const wordsIn = (lang: string): Words => wordsOf('dojo', lang);
const sound = (text: string) => expect(text).not.toMatch(/undefined|null|NaN|[{}]/);

function checkWords(view: DojoView, moves: string[], lang: string): void {
  const words = wordsIn(lang);
  const texts = moves.map((move) => describe(move, view as View, words));
  for (const text of texts) sound(text);
  expect(new Set(texts).size).toBe(moves.length);
  texts.forEach((text, i) => expect(text).not.toBe(moves[i]));
}

group('words', () => {
  it.each(LANGS)('names every move of every phase, each differently (%s)', (lang) => {
    const phases = new Set(moments.map(({ view }) => view.phase));
    for (const phase of ['give', 'challenge', 'throw', 'swap', 'place', 'trophy', 'over']) expect(phases).toContain(phase);
    for (const { view, moves } of moments) checkWords(view, moves, lang);
  });

  it.each(LANGS)('says in a few words what every trophy does, and has a sign for it (%s)', (lang) => {
    const said = Object.keys(BADGES).map((trophy) => effect(trophy, wordsIn(lang)));
    expect(said).toHaveLength(6);
    expect(new Set(said).size).toBe(6);
    for (const text of said) expect(text).toMatch(/^[\p{Ll}\d][^_]{5,32}$/u);
    const explained = Object.keys(wordsIn(lang).own['explain']!).filter((key) => key.startsWith('trophy-') && key !== 'trophy-points');
    expect(explained.map((key) => key.slice(7)).sort()).toEqual(Object.keys(BADGES).sort());
  });

  it.each(LANGS)('describes the whole position (%s)', (lang) => {
    for (const { view } of moments) {
      const lines = summary(view as View, wordsIn(lang));
      expect(lines.length).toBeGreaterThan(view.players);
      lines.forEach(sound);
    }
  });

  // Recorded games are not kept; where they are, they are all checked.
  for (const file of ['3p', '4p', '5p', 'black', 'white', 'black5']) {
    const path = `../fixtures/dojo.${file}.json`;
    it.skipIf(!existsSync(at(path)))(`words whole games (${file})`, () => {
      const steps: { views: Record<string, DojoView>; legal: Record<string, string[]> }[] = read(path);
      for (const { views, legal } of steps)
        for (const [seat, moves] of Object.entries(legal)) for (const lang of LANGS) checkWords(views[seat]!, moves, lang);
    });
  }
});

group('places', () => {
  const card = (row: number, column: number) => ({ row, column, card: 'fox1' });

  it('shows every legal place, and at least three rows by four columns', () => {
    for (const { view, moves } of moments) {
      const places = placesOf(moves);
      const box = shown(view.dojos[view.seat!]!.cards);
      for (const { row, column } of places) {
        expect(row).toBeGreaterThanOrEqual(box.top);
        expect(row).toBeLessThanOrEqual(box.bottom);
        expect(column).toBeGreaterThanOrEqual(box.left);
        expect(column).toBeLessThanOrEqual(box.right);
      }
      expect(box.bottom - box.top).toBeGreaterThanOrEqual(2);
      expect(box.right - box.left).toBeGreaterThanOrEqual(3);
    }
  });

  it('keeps its scale until a side is full, and moves by no more than a line for a card', () => {
    for (const dojo of moments.flatMap(({ view }) => view.dojos)) {
      let before = shown([]);
      for (const [i] of dojo.cards.entries()) {
        const now = shown(dojo.cards.slice(0, i + 1));
        const all = around(dojo.cards.slice(0, i + 1))!;
        const [rows, columns] = [all.bottom - all.top === 2, all.right - all.left === 3];
        expect(now.bottom - now.top + 1).toBe(rows ? 3 : 4);
        expect(now.right - now.left + 1).toBe(columns ? 4 : 5);
        expect(Math.abs(now.top - before.top)).toBeLessThanOrEqual(1);
        expect(Math.abs(now.left - before.left)).toBeLessThanOrEqual(1);
        before = now;
      }
    }
  });

  it('is in use where a card lies or can still come to, and that is drawn', () => {
    expect(room(around([card(0, 0)])!)).toEqual({ top: -1, bottom: 1, left: -1, right: 1 });
    expect(room(around([card(0, 0), card(0, 3), card(2, 0)])!)).toEqual({ top: 0, bottom: 2, left: 0, right: 3 });
    for (const { view, moves } of moments) {
      const { cards } = view.dojos[view.seat!]!;
      if (!cards.length) continue;
      const [box, all] = [room(around(cards)!), shown(cards)];
      for (const { row, column } of placesOf(moves)) expect([box.top <= row, row <= box.bottom, box.left <= column, column <= box.right]).not.toContain(false);
      expect([all.top <= box.top, box.bottom <= all.bottom, all.left <= box.left, box.right <= all.right]).not.toContain(false);
    }
  });

  it('leaves the ghost where it is until a card lies outside', () => {
    expect(ghost([])).toEqual({ top: -1, bottom: 1, left: -1, right: 2 });
    const cards = [card(0, 0), card(0, 1), card(0, 2)];
    expect(ghost(cards)).toEqual(ghost([]));
    expect(ghost([...cards, card(-2, 0)])).toEqual({ top: -2, bottom: 0, left: -1, right: 2 });
  });

  it('reads moves, and leads arrow keys to the nearest place', () => {
    const places = placesOf(['place -1 0', 'place 0 1', 'place 1 0', 'give p1']);
    expect(places).toHaveLength(3);
    expect(toward(places[0]!, places, 'ArrowDown')?.move).toBe('place 1 0');
    expect(toward(places[0]!, places, 'ArrowRight')?.move).toBe('place 0 1');
    expect(toward(places[0]!, places, 'ArrowUp')).toBeNull();
    expect(toward(places[0]!, places, 'Enter')).toBeNull();
    expect(linesOf(['trophy row -1', 'pass'])).toEqual([{ line: 'row', at: -1, move: 'trophy row -1' }]);
    expect([nameable(-2, 3), nameable(-3, 0)]).toEqual([true, false]);
  });

  it('leaves holes in rows empty', () => {
    const dojo = { ...moments[0]!.view.dojos[0]!, cards: [card(0, 0), card(1, 0), card(1, 1)] };
    expect(rowsOf(dojo).map((row) => row.cards)).toEqual([['fox1', null], ['fox1', 'fox1']]);
  });
});

group('secrets and seats', () => {
  it('shows all of them in an open replay only', () => {
    const { view } = moments[1]!;
    const open = view.held.map((_, seat) => ({ ...view, seat, held: view.held.map((card, i) => (i === seat ? 'bear3' : card)) }));
    expect(view.held).toContain('?');
    expect(revealed(view, null)).toBe(view);
    expect(revealed(view, open).held).not.toContain('?');
  });

  it('hides a throw of another seat', () => {
    const { view } = moments.find((one) => one.view.phase === 'throw')!;
    const duel = { ...view.challenge!, thrown: [view.challenge!.attacker, view.challenge!.dealer], own_throw: 'rock' };
    const seat = duel.attacker;
    expect([...throwsNow({ ...view, seat, challenge: duel }, null)]).toEqual([[seat, 'rock'], [duel.dealer, '?']]);
  });

  it('begins at the left of the own seat', () => {
    expect(others(4, 2)).toEqual([3, 0, 1]);
    expect(others(3, null)).toEqual([0, 1, 2]);
  });
});

group('what counts', () => {
  const words = wordsIn('en');
  const dojo = (cards: (string | null)[], as: string[]): DojoView['dojos'][number] => ({
    cards: [{ row: 0, column: -1, card: 'fox2' }, { row: 0, column: 0, card: 'raccoon1' }], trophies: [], won: 0,
    count: { points: 3, rows: [{ row: 0, trophy: null, cards, as, points: 3, by_moving: 0, gain: 0 }], columns: [], trophies: 0, rearranged: false },
  });

  it('is a joker\'s disciple on its place', () => {
    const plain = dojo(['fox2', 'raccoon1'], ['fox', 'fox']);
    const [fox, joker] = plain.cards.map((card) => countedAt(plain, card));
    expect([fox!.moved, countNote(fox!, words)]).toEqual([false, '']);
    expect([joker!.moved, joker!.as, countNote(joker!, words)]).toEqual([false, 'fox', 'Here it counts as fox.']);
  });

  it('is another card where a trophy has moved them', () => {
    const moved = dojo(['raccoon1', 'fox2'], ['fox', 'fox']);
    const first = countedAt(moved, moved.cards[0]!);
    expect([first.card, first.as, first.moved]).toEqual(['raccoon1', 'fox', true]);
    expect(countNote(first, words)).toBe('A trophy rearranges cards for the count: the white-belt raccoon then lies here and counts as fox.');
    expect(countNote(countedAt(moved, moved.cards[1]!), words)).toBe('A trophy rearranges cards for the count: the yellow-belt fox then lies here.');
  });
});

group('what a line counts', () => {
  const words = wordsIn('en');
  const counted = moments.flatMap(({ view }) => view.dojos.flatMap((dojo, seat) => dojo.count.columns.map((column) => ({ view, dojo, seat, column }))));

  it('includes its trophy, and what the dojo owes to that', () => {
    const [found] = counted.filter(({ column }) => column.trophy === 'kimono');
    expect(found).toBeDefined();
    const { view, dojo, seat } = found!;
    const column = { ...found!.column, points: 8, belt: 'blue', gain: 4 };
    const count = { ...dojo.count, points: 20, columns: dojo.count.columns.map((one) => (one === found!.column ? column : one)) };
    const changed = { ...view, dojos: view.dojos.map((one, i) => (i === seat ? { ...one, count } : one)) };
    expect(lineNote('column', column.column, changed, seat, words)).toMatch(/^Column \d with competition kimono \(3 equal belts score double\): 8 points\.$/);
    expect(trophyNote(changed.dojos[seat]!, 'column', column.column, words)).toBe('Thanks to it this dojo now scores 20 instead of 16.');
    expect(trophyNote({ ...dojo, count: { ...count, columns: [{ ...column, gain: 0 }] } }, 'column', column.column, words)).toBe('It brings no points yet.');
  });
  it('names what has moved cards where that earns, and sends from the broom to the rows', () => {
    const { view, dojo, seat } = counted.find(({ dojo }) => dojo.count.rows.length)!;
    const { row } = dojo.count.rows[0]!;
    const columns = dojo.count.columns.map((one) => ({ ...one, trophy: 'broom', points: 0, gain: 3 }));
    const changed = { ...dojo, count: { ...dojo.count, points: 20, rows: [{ ...dojo.count.rows[0]!, trophy: null, points: 6, by_moving: 3 }], columns } };
    const moved = { ...view, dojos: view.dojos.map((one, i) => (i === seat ? changed : one)) };
    expect(lineNote('row', row, moved, seat, words)).toBe('Row 1: 6 points. Moved cards (broom), counted in: +3.');
    expect(trophyNote(changed, 'column', columns[0]!.column, words)).toBe('Thanks to it this dojo now scores 20 instead of 17: look at the rows.');
  });
  it('is said without a trophy where there is none', () => {
    const { view, seat, column } = counted.find((one) => one.column.trophy === null)!;
    expect(lineNote('column', column.column, view, seat, words)).toMatch(/^Column \d: \d+ points?\.$/);
  });
});

group('a card is tried', () => {
  it('where this decision is pointed at: not by a finger, nor by what an earlier one left behind', () => {
    const { view, moves } = moments.find(({ view, moves }) => view.ask === 'place' && placesOf(moves).length > 2)!;
    const now = writable(moves);
    const given = fromStore(now);
    const props = {
      view, seat: view.seat!, words: wordsIn('en'), own: true,
      get moves() {
        return given.current;
      },
    };
    const drawn = mount(Floor, { target: document.body, props });
    flushSync();
    const place = document.querySelector<HTMLElement>('[data-place]')!;
    const tried = () => document.querySelectorAll('.try').length;
    const point = (pointerType: string, clientX: number, timeStamp: number) => {
      const event = new MouseEvent('pointermove', { bubbles: true, clientX, clientY: 5 });
      for (const [key, value] of Object.entries({ pointerType, timeStamp })) Object.defineProperty(event, key, { value });
      place.dispatchEvent(event);
      flushSync();
    };
    for (const [x, time] of [[5, 1], [20, 2], [40, 3]] as const) point('touch', x, time);
    expect(tried()).toBe(0);
    point('mouse', 60, 4); // where the mouse was all the time
    expect(tried()).toBe(0);
    point('mouse', 80, 5);
    expect(tried()).toBe(1);
    now.set([...moves]); // the next decision
    flushSync();
    expect(tried()).toBe(0);
    void unmount(drawn);
  });
});

group('the result', () => {
  const over = moments.find(({ view }) => view.over)!.view;

  it.each(LANGS)('names what broke a tie (%s)', (lang) => {
    const say = (winners: number[], tie: DojoView['tie'], seat = 0) => winnersSay({ ...over, winners, tie, seat }, wordsIn(lang));
    const said = [say([0], null), say([0], 'challenges'), say([1], null), say([1], 'challenges'), say([0, 1], 'shared')];
    said.forEach(sound);
    expect(new Set(said).size).toBe(said.length);
    for (const tied of [1, 3, 4]) expect(said[tied]).toContain('★');
  });
});

group('motion', () => {
  it('counts to the end before it shows who wins', () => {
    expect(ending).toBeGreaterThan(COUNT.from + 3 * COUNT.step);
  });

  it('shows events one after the other', () => {
    expect(plan([])).toEqual([]);
    for (const { events } of moments) {
      const times = beats(events);
      let begin = 0;
      for (const [at, step] of plan(events).entries()) {
        expect(step.at).toBe(begin);
        begin += times[at]!.ms + times[at]!.stay;
      }
    }
  });
});
