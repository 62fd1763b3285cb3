// The generic board with a game of its own making: Leduc poker, as a plug-in would bring it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe as suite, expect, it } from 'vitest';
import Board from '../src/boards/generic/Board.svelte';
import * as generic from '../src/boards/generic/index';
import { cardsText, label, valueText } from '../src/boards/generic/describe';
import type { ZonedView } from '../src/boards/generic/types';
import { grouped, isPile, moveOf, seatAreas, tableArea } from '../src/boards/generic/zones';
import type { BoardProps, GameEvent } from '../src/lib/board';
import { Words, type Catalogue } from '../src/lib/words';
import { common, wordsIn as ourWords } from './catalogues';

interface Step {
  views: Record<string, ZonedView>;
  events: Record<string, GameEvent[]>;
  legal: Record<string, string[]>;
}
// A path that is not written out stays a path: the bundler leaves it alone.
const file = './data/leduc.json';
const data = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as { messages: Record<string, Catalogue>; steps: Step[] };
const NAMES = ['Ana', 'Bruno'];
const wordsIn = (lang: string): Words => new Words(lang, data.messages[lang]!, common(lang), NAMES);
const words = wordsIn('en');
const bare = new Words('en', {}, common('en'), NAMES);
const [first, second, third] = data.steps as [Step, Step, Step];
const last = data.steps.at(-1)!;

suite('the generic board in words', () => {
  it('uses the game’s words, and makes keys readable if there are none', () => {
    expect(label('pot', words)).toBe('Pot');
    expect(label('pot', wordsIn('es'))).toBe('Bote');
    expect(label('draw_pile', bare)).toBe('Draw pile');
  });

  it('names moves by form, by word, or part by part', () => {
    const formed = new Words('en', { form: { 'bid (?P<amount>\\d+)': 'bid {amount} chips' }, word: { K: 'king' } }, {}, NAMES);
    const view = first.views['0']!;
    expect(generic.describe('bid 3', view, formed)).toBe('Bid 3 chips');
    expect(generic.describe('raise', view, wordsIn('fr'))).toBe('Relancer');
    expect(generic.describe('show K', view, formed)).toBe('Show king');
    expect(generic.describe('take_all', view, bare)).toBe('Take all');
    expect(generic.describe('give p2', view, bare)).toBe('Give Bruno');
  });

  it('counts cards that are face down', () => {
    expect(cardsText(['K', null], words)).toBe('king, face down');
    expect(cardsText([null, '?', 'Q'], words)).toBe('queen, 2 face down');
    expect(cardsText([], words)).toBe('none');
  });

  it('writes numbers as the language does, and yes and no as words', () => {
    expect(valueText(12_345, wordsIn('es'))).toBe('12.345');
    expect(valueText(true, words)).toBe('yes');
    expect(valueText(null, words)).toBe('–');
  });

  it.each(['en', 'fr', 'es'])('describes the whole position for screen readers, and no secret (%s)', (lang) => {
    for (const { views } of data.steps)
      for (const view of Object.values(views)) {
        const lines = generic.summary(view, wordsIn(lang));
        expect(lines).toHaveLength(4);
        for (const line of lines) expect(line).not.toMatch(/undefined|null|NaN|[{}]/);
      }
    const queen = wordsIn(lang).word('Q');
    expect(generic.summary(second.views['0']!, wordsIn(lang)).join()).not.toContain(queen);
    expect(generic.summary(second.views['1']!, wordsIn(lang)).join()).toContain(queen);
  });

  it('ends with a score sheet', () => {
    expect(generic.scoreSheet(last.views['0']!, words)).toEqual([
      { label: 'Chips', cells: [7, 7] },
      { label: 'Points', cells: [-7, 7], total: true },
    ]);
    expect(generic.seatScores(first.views['0']!)).toEqual([null, null]);
    expect(generic.seatScores(last.views['0']!)).toEqual([-7, 7]);
  });
});

suite('the games with boards of their own', { timeout: 60_000 }, () => {
  const folder = `${import.meta.dirname}/../fixtures/`;
  const games = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.3p.json')) : [];
  it.each(games)('%s: are worded by the generic board too, step by step', (name) => {
    const steps = JSON.parse(readFileSync(folder + name, 'utf8')) as Step[];
    const all = ourWords(name.split('.')[0]!, 'en');
    for (const { views, legal } of steps)
      for (const [key, view] of Object.entries(views)) {
        const lines = [...generic.summary(view, all), ...(legal[key] ?? []).map((move) => generic.describe(move, view, all))];
        expect(lines.length).toBeGreaterThan(3);
        for (const line of lines) expect(line).not.toMatch(/undefined|\bnull\b|NaN|\[object|[{}]/);
      }
  });
});

suite('zones', () => {
  it('belong to the table or to a seat, the own seat last', () => {
    expect(tableArea(first.views['0']!).counters.map(({ name }) => name)).toEqual(['round', 'pot']);
    expect(seatAreas(first.views['0']!, 0).map(({ seat }) => seat)).toEqual([1, 0]);
    expect(seatAreas(first.views['1']!, 1).map(({ seat }) => seat)).toEqual([0, 1]);
    expect(seatAreas(first.views['spectator']!, null).map(({ seat }) => seat)).toEqual([0, 1]);
  });

  it('show every secret in an open replay, each from its own view', () => {
    const { views } = second;
    const areas = seatAreas(views['spectator']!, null, [views['0']!, views['1']!]);
    expect(areas.map(({ cards }) => cards[0]!.cards)).toEqual([['K'], ['Q']]);
    expect(seatAreas(views['spectator']!, null).map(({ cards }) => cards[0]!.cards)).toEqual([[null], [null]]);
  });

  it('are a pile where many cards lie face down', () => {
    const pile = (cards: (string | null)[]): boolean => isPile({ name: 'x', seat: null, cards });
    expect([pile([null, null, null, '?']), pile([null, null]), pile([null, null, null, null, 'K'])]).toEqual([true, false, false]);
  });

  it('let a card be tapped only where one move names it', () => {
    const moves = ['play K', 'play Q', 'swap Q J', 'pass'];
    expect(['K', 'Q', 'J', '7', null].map((card) => moveOf(card, moves))).toEqual(['play K', null, 'swap Q J', null, null]);
    expect(moveOf('wild boar', ['play wild boar', 'play boar'])).toBe('play wild boar');
  });

  it('are empty for a view without zones', () => {
    const view = { ...first.views['0']!, zones: undefined } as unknown as ZonedView;
    expect(tableArea(view)).toEqual({ seat: null, cards: [], counters: [] });
  });

  it('group moves of one kind, and single moves together', () => {
    expect(grouped(['fold', 'call', 'bid 1', 'bid 2', 'raise'])).toEqual([['fold', 'call', 'raise'], ['bid 1', 'bid 2']]);
  });
});

suite('the generic board on the screen', () => {
  let drawn: object | null = null;
  afterEach(() => {
    if (drawn) void unmount(drawn);
    drawn = null;
  });
  function draw(step: Step, key: string, more: Partial<BoardProps> = {}): HTMLElement {
    const view = step.views[key]!;
    const props: BoardProps = {
      view, revealed: view, playing: false, intermission: false, ending: false, trail: [], seat: view.seat, names: NAMES, moves: step.legal[key] ?? [], stakes: {}, chosen: null, hinted: [], events: [], history: step.events[key]!, open: null, words,
      motion: false, choose: () => undefined, why: () => undefined, ...more,
    };
    drawn = mount(Board, { target: document.body, props });
    flushSync();
    return document.querySelector<HTMLElement>('[data-board=generic]')!;
  }
  const buttons = (board: HTMLElement): HTMLButtonElement[] => [...board.querySelectorAll<HTMLButtonElement>('button.move')];

  it('offers every legal move as a button in the words of the game', () => {
    const chosen: (string | null)[] = [];
    const board = draw(second, '1', { choose: (move) => chosen.push(move) });
    expect(buttons(board).map((button) => button.textContent)).toEqual(['Fold', 'Call', 'Raise']);
    buttons(board)[2]!.click();
    expect(chosen).toEqual(['raise']);
  });

  it('marks what is chosen and what a hint recommends', () => {
    const board = draw(second, '1', { chosen: 'call', hinted: ['raise'] });
    expect(buttons(board).map((button) => button.getAttribute('aria-pressed'))).toEqual(['false', 'true', 'false']);
    expect(buttons(board)[2]!.classList).toContain('hinted');
  });

  it('shows the player’s own card and hides the other, in the summary too', () => {
    const board = draw(second, '0');
    const [theirs, , mine] = [...board.querySelectorAll('section')];
    expect(mine!.textContent).toContain('king');
    expect(theirs!.textContent).toContain('face down');
    expect(board.textContent).not.toContain('queen');
  });

  it('says what happened last', () => {
    expect(draw(third, '0').querySelector('.latest')!.textContent!.trim()).toBe('The queen is turned up.');
  });

  it('shows a true flag as a tag and a false one not at all', () => {
    const view = structuredClone(second.views['0']!);
    expect(draw(second, '0').textContent).not.toContain('Folded');
    void unmount(drawn!);
    for (const zone of view.zones!) if (zone.name === 'folded' && 'value' in zone) zone.value = zone.seat === 1;
    expect(draw({ ...second, views: { '0': view } }, '0').textContent).toContain('Folded');
  });

  it('offers nothing to a spectator and names the winner at the end', () => {
    const board = draw(last, 'spectator');
    expect(buttons(board)).toEqual([]);
    expect(board.querySelector('.won')!.textContent).toContain('Bruno');
  });
});
