import { readFileSync } from 'node:fs';
import { mount, unmount, flushSync } from 'svelte';
import { afterEach, describe as suite, expect, it } from 'vitest';
import Board, { anchors, beats, brief, confirms, describe, meanwhile, seatScores, since, summary } from '../src/boards/china-moon';
import { bouquet } from '../src/boards/china-moon/bouquet';
import { nearest, WHOLE, zoomed } from '../src/boards/china-moon/gestures';
import { cornerOf, hops, labelSpot, layout, shoreSpot, shortened, type Point } from '../src/boards/china-moon/layout';
import { canGive, canTake, frogDrops, frogMoves, meant, NOTHING, parse, shown, tapFrog, tapPad, trades } from '../src/boards/china-moon/moves';
import { SPECIES } from '../src/boards/china-moon/shapes';
import { plan } from '../src/boards/china-moon/timing';
import { isMove, ownerOf, type MoonView, type PondBoard } from '../src/boards/china-moon/types';
import { SEAT_COLOURS, type BoardProps, type GameEvent } from '../src/lib/board';
import { Words } from '../src/lib/words';
import { LANGS, NAMES, wordsIn } from './catalogues';

interface Step {
  line: string;
  view: MoonView;
  events: GameEvent[];
  moves: string[];
}
const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf-8'));
const data = json('./data/china-moon.json') as { boards: Record<string, PondBoard>; steps: (Omit<Step, 'view'> & { view: { board: string } })[] };
const steps = data.steps.map((step) => ({ ...step, view: { ...step.view, board: data.boards[step.view.board]! } as unknown as MoonView }));
const WORDS = LANGS.map((lang) => wordsIn('china-moon', lang));
const step = (kind: string): Step => steps.find((one) => one.view.ask === kind && one.moves.length > 1)!;

suite('words', () => {
  it('every move has its own text in every language', () => {
    for (const words of WORDS)
      for (const { view, moves } of steps) {
        const said = moves.map((move) => describe(move, view, words));
        expect(new Set(said).size).toBe(moves.length);
        for (const text of said) expect(text).not.toMatch(/undefined|null|[{}]|^(move|trade|drop) /);
      }
  });
  it('a move says what it leads to and how far that is from the goal, and names a pad only where another would read alike', () => {
    const { view } = step('move');
    const pad = (id: string, kind: 'blank' | 'spring', to_goal: number): MoonView['board']['pads'][number] => ({ id, kind, to_goal, next: [], x: 0, y: 0 });
    const own = { ...view, seat: 0, lilies: {}, board: { ...view.board, pads: [pad('d3', 'spring', 9), pad('e1', 'blank', 7), pad('f1', 'blank', 7)] }, routes: { 'move p1a d3': ['d3'], 'move p1b e1': ['e1'], 'move p1b f1': ['f1'], 'move p1c e1': ['e1'] } };
    const said = Object.keys(own.routes).map((move) => describe(move, own, WORDS[0]!));
    expect(said).toEqual([
      'Move your frog A to a spring, 9 pads from the goal',
      'Move your frog B to an empty pad, 7 pads from the goal (pad e1)',
      'Move your frog B to an empty pad, 7 pads from the goal (pad f1)',
      'Move your frog C to an empty pad, 7 pads from the goal',
    ]);
  });
  it('a move is described without the names of pads to whoever sees it marked', () => {
    for (const words of WORDS)
      for (const { view, moves } of steps)
        for (const move of moves) {
          const text = brief(move, view, words);
          expect(text).not.toMatch(/undefined|null|[{}]|\d/);
          const { pad } = parse(move) as { pad?: string | null };
          if (pad && pad !== 'goal') expect(text.split(/[\s,.:]+/)).not.toContain(pad);
        }
    const { view } = step('move');
    const own = { ...view, lilies: { c1: 'white' as const }, board: { ...view.board, pads: [{ id: 'c1', kind: 'butterfly' as const, next: [], x: 0, y: 0 }] }, seat: 1 };
    expect(brief('move p2a c1', own, WORDS[0]!)).toBe('Move your frog A to the white lily on a butterfly');
  });
  it('the line before a turn tells what everybody won and lost, the reader first', () => {
    const move = (seat: number, frog: string, owner: number, ...lilies: string[]): GameEvent =>
      ({ index: 0, type: 'move', seat, frog, owner, origin: 'start', landing: '9', points: [], legs: lilies.map((lily) => ({ origin: '', path: [], jumped: [], landing: '', lily })) });
    const events = [
      move(1, 'p2a', 1, 'white', 'white'), move(1, 'p1c', 0), { index: 1, type: 'drop', seat: 1, colour: 'pink', pad: '4' },
      move(2, 'p1b', 0, 'pink'), { index: 2, type: 'trade', seat: 2, give: 'yellow', to: 0, take: 'white' }, move(2, 'p3a', 2),
    ] as GameEvent[];
    const line = (seat: number): string => since(events, seat, WORDS[0]!).map(({ code, fields }) => WORDS[0]!.message('since', code, fields)).join('; ');
    expect(line(0), 'no more than is read').toBe(`${NAMES[2]} took your white lily for a yellow one; you gained a pink lily; your frogs B and C were moved`);
    expect(line(2)).toBe(`you gained a white lily and lost a yellow lily; ${NAMES[2]} moved your frog A; ${NAMES[1]} gained 2 white lilies and lost a pink lily`);
    expect(line(1)).toContain(`you gained 2 white lilies and lost a pink lily; ${NAMES[1]} moved your frog A`);
    expect(since([move(2, 'p3a', 2)], 0, WORDS[0]!)).toEqual([]);
    const dropped = { index: 1, type: 'drop', seat: 2, colour: 'pink', pad: '4' } as unknown as GameEvent;
    expect(since([move(2, 'p3a', 2, 'pink'), dropped], 0, WORDS[0]!), 'a lily that came and went').toEqual([]);
  });
  it('the line before a turn says why a lily was lost on a butterfly, or the black one gained', () => {
    const black = { index: 0, type: 'move', seat: 1, frog: 'p1a', owner: 0, origin: '18', landing: '20', points: [], legs: [{ origin: '18', path: ['20'], jumped: [], landing: '20', kind: 'lily', lily: 'black' }] } as unknown as GameEvent;
    expect(since([black], 0, WORDS[0]!)).toEqual([{ code: 'black', fields: { seat: 1, frog: 'A' } }]);
    const home = { ...black, landing: 'goal', legs: [], place: 1, prize: 'pink' } as unknown as GameEvent;
    expect(since([home], 0, WORDS[0]!).map(({ code, fields }) => WORDS[0]!.message('since', code, fields)).join('; ')).toBe(`${NAMES[1]} brought your frog A home, place 1; you gained a pink lily`);
    const events = [
      { index: 0, type: 'move', seat: 1, frog: 'p1a', owner: 0, origin: '5', landing: 'a4', points: [], legs: [{ origin: '5', path: ['a4'], jumped: [], landing: 'a4', kind: 'butterfly' }] },
      { index: 1, type: 'drop', seat: 0, colour: 'yellow', pad: 'a2' },
      { index: 2, type: 'move', seat: 2, frog: 'p1b', owner: 0, origin: '3', landing: '5', points: [], legs: [] },
    ] as unknown as GameEvent[];
    const lines = WORDS.map((words) => since(events, 0, words).map(({ code, fields }) => words.message('since', code, fields)).join('; '));
    expect(lines[0]).toBe(`${NAMES[1]} moved your frog A onto a butterfly, and you lost a yellow lily; ${NAMES[2]} moved your frog B`);
    for (const line of lines) expect(line).not.toMatch(/[{}]/);
  });
  it('the line before a turn warns when the end is near', () => {
    const home = (place: number): GameEvent => ({ index: 0, type: 'move', seat: 2, frog: 'p3a', owner: 2, origin: '9', landing: 'goal', points: [], legs: [], place }) as unknown as GameEvent;
    expect(since([home(1)], 0, WORDS[0]!)).toEqual([{ code: 'home', fields: { place: 1 } }]);
    const texts = WORDS.map((words) => since([home(1), home(2)], 0, words).map(({ code, fields }) => words.message('since', code, fields)).join());
    expect(texts[0]).toBe('2 frogs are home, and the fourth ends the game');
    for (const text of texts) expect(text).toMatch(/^2 /);
  });
  it('while a frog flies it is said who moves whose, and not yet what it takes', () => {
    const event = { index: 0, type: 'move', seat: 1, frog: 'p2a', owner: 1, origin: 'start', landing: '9', lily: 'pink', legs: [] } as unknown as GameEvent;
    const words = new Words('en', WORDS[0]!.own, WORDS[0]!.common, NAMES, 1);
    expect(meanwhile(event, words)).toBe('You move your own frog A…');
    expect(meanwhile({ ...event, seat: 0 }, words)).toBe(`${NAMES[0]} moves your frog A…`);
    expect(meanwhile({ ...event, owner: 0, frog: 'p1a' }, words)).toBe(`You move ${NAMES[0]}’s frog A…`);
    expect(meanwhile({ ...event, seat: 0, owner: 0, frog: 'p1a' }, words)).toBe(`${NAMES[0]} moves their own frog A…`);
    expect(meanwhile({ ...event, seat: 0, owner: 2, frog: 'p3a' }, words)).toBe(`${NAMES[0]} moves ${NAMES[2]}’s frog A…`);
    expect(meanwhile({ ...event, type: 'lily' }, words)).toBe('');
  });
  it('trades and drops are confirmed in every turn, moves of frogs are steps', () => {
    for (const { moves } of steps) for (const move of moves) expect(confirms(move)).toBe(parse(move).kind !== 'move');
  });
  it('the chances of a set-up by hand are worded too', () => {
    for (const words of WORDS)
      for (const move of ['first p2', 'goal 1 pink', 'lily a1 white']) {
        const text = describe(move, steps[0]!.view, words);
        expect(text).not.toBe(move);
        expect(text).not.toMatch(/[{}]/);
      }
  });
  it('summary, scores and anchors fit the view', () => {
    for (const words of WORDS)
      for (const { view } of steps) {
        const lines = summary(view, words);
        expect(lines.length).toBeGreaterThan(view.players);
        for (const line of lines) expect(line).not.toMatch(/undefined|null|[{}]/);
        expect(seatScores(view)).toEqual(view.points);
        expect(anchors(view)).toHaveLength(1);
      }
  });
});

suite('composing', () => {
  const moves = frogMoves(['move p1a 7', 'move p2b 9', 'move p3c 9', 'move p5b e1', 'move p5b f1']);
  it('a frog, then its pad', () => {
    const first = tapFrog(moves, NOTHING, null, 'p5b');
    expect(first).toEqual({ pick: { frog: 'p5b', pad: null } });
    expect(tapPad(moves, first.pick, 'f1').choose).toBe('move p5b f1');
    expect(tapFrog(moves, first.pick, null, 'p5b').pick).toEqual(NOTHING);
    expect(tapFrog(moves, first.pick, 'move p5b f1', 'p5b').choose).toBe('move p5b f1');
  });
  it('a frog with one landing is chosen by a second tap', () => {
    expect(tapFrog(moves, { frog: 'p1a', pad: null }, null, 'p1a').choose).toBe('move p1a 7');
  });
  it('a pad directly, or then one of its frogs', () => {
    expect(tapPad(moves, NOTHING, '7').choose).toBe('move p1a 7');
    const pad = tapPad(moves, NOTHING, '9');
    expect(pad).toEqual({ pick: { frog: null, pad: '9' } });
    expect(tapFrog(moves, pad.pick, null, 'p3c').choose).toBe('move p3c 9');
    expect(tapPad(moves, pad.pick, '9').pick).toEqual(NOTHING);
  });
  it('the pad where a spring throws the frog means the move, too', () => {
    const routes = { 'move p1b b2': ['b1', 'b2', '6', '7'], 'move p1b a2': ['a1', 'a2'], 'move p3a 7': ['6', '7'] };
    const springs = frogMoves(Object.keys(routes), routes);
    const first = tapFrog(springs, NOTHING, null, 'p1b');
    expect(tapPad(springs, first.pick, '7').choose).toBe('move p1b b2');
    expect(tapPad(springs, first.pick, 'b2').choose).toBe('move p1b b2');
    expect(tapPad(springs, NOTHING, '7').pick).toEqual({ frog: null, pad: '7' });
    expect(tapFrog(springs, { frog: null, pad: '7' }, null, 'p1b').choose).toBe('move p1b b2');
    expect(shown(springs, { frog: null, pad: '7' }).map((one) => one.frog)).toEqual(['p1b', 'p3a']);
    expect([...frogDrops(springs, 'p1b')]).toEqual([['pad:7', 'move p1b b2'], ['pad:a2', 'move p1b a2'], ['pad:b2', 'move p1b b2']]);
  });
  it('what cannot be asks why', () => {
    expect(tapFrog(moves, NOTHING, null, 'p4a').why).toBe('move p4a goal');
    expect(tapPad(moves, { frog: 'p1a', pad: null }, 'c2').why).toBe('move p1a c2');
    expect(tapPad(moves, NOTHING, 'c2').why).toBe('move c2');
  });
  it('every move of every step can be reached by frog and pad', () => {
    for (const { moves: list } of steps) {
      const all = frogMoves(list);
      for (const one of all) {
        const { pick } = tapFrog(all, NOTHING, null, one.frog);
        expect(tapPad(all, pick, one.pad).choose).toBe(one.text);
      }
    }
  });
  it('every trade can be reached in both orders', () => {
    const empty = { give: null, other: null, take: null };
    for (const { moves: list } of steps) {
      const all = trades(list);
      for (const one of all) {
        expect(canGive(all, empty, one.give)).toBe(true);
        expect(canTake(all, { ...empty, give: one.give }, one.other, one.take)).toBe(true);
        expect(canGive(all, { give: null, other: one.other, take: one.take }, one.give)).toBe(true);
        expect(meant(all, one)?.text).toBe(one.text);
      }
      expect(meant(all, empty)).toBeUndefined();
    }
  });
  it('drops know their pad, or that there is only one', () => {
    expect(parse('drop yellow b2')).toMatchObject({ colour: 'yellow', pad: 'b2' });
    expect(parse('drop yellow')).toMatchObject({ colour: 'yellow', pad: null });
  });
});

suite('layout', () => {
  const same = { ...data.boards['own']!, pads: data.boards['own']!.pads.map((one) => ({ ...one, x: 0.5, y: 0.5 })) };
  const boards = { ...data.boards, same };
  it.each(Object.keys(boards))('pads of the board %s lie apart and inside at every size', (name) => {
    for (const [width, height] of [[344, 396], [560, 580], [645, 620], [1500, 740]] as const) {
      const lay = layout(boards[name as keyof typeof boards]!, width, height);
      const pads = boards[name as keyof typeof boards]!.pads.map((one) => lay.at.get(one.id)!);
      const goal = lay.at.get('goal')!;
      const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
      const gaps = pads.flatMap((a, i) => pads.slice(i + 1).map((b) => apart(a, b)));
      expect(Math.min(...gaps), `${name} ${width}`).toBeGreaterThan(lay.pad * 1.7);
      expect(Math.min(...pads.map((one) => apart(one, goal)))).toBeGreaterThan(lay.goal);
      expect(Math.min(...pads.map((one) => one.x))).toBeGreaterThan(0);
      expect(Math.max(...pads.map((one) => one.x))).toBeLessThan(width);
    }
  });
  it('no frog on the shore is cut off by the edge of the pond or stands on the word above it', () => {
    for (const [width, height] of [[374, 429], [560, 500], [654, 578], [760, 640]] as const) {
      const lay = layout(data.boards['own']!, width, height);
      const { y } = shoreSpot(lay, 0, 0, 3);
      expect(y + 1.3 * lay.small).toBeLessThan(height);
      expect(y - 1.3 * lay.small).toBeGreaterThan(height - lay.shore + 10);
    }
  });
  it('fifteen frogs fit on the shore of a phone', () => {
    const lay = layout(data.boards['own']!, 344, 396);
    const xs = [0, 1, 2, 3, 4].flatMap((seat) => [0, 1, 2].map((i) => shoreSpot(lay, seat, i, 5).x));
    expect(Math.min(...xs)).toBeGreaterThan(8);
    expect(Math.max(...xs)).toBeLessThan(336);
    for (let i = 1; i < xs.length; i++) expect(xs[i]! - xs[i - 1]!).toBeGreaterThan(18);
  });
  it('a way begins and ends beside what stands at its ends', () => {
    const way = [{ x: 0, y: 0 }, { x: 40, y: 0 }, { x: 40, y: 30 }];
    expect(shortened(way, 10, 5)).toEqual([{ x: 10, y: 0 }, { x: 40, y: 0 }, { x: 40, y: 25 }]);
    expect(shortened([{ x: 0, y: 0 }, { x: 10, y: 0 }], 8, 8)).toEqual([{ x: 5, y: 0 }, { x: 5, y: 0 }]);
    expect(shortened([{ x: 1, y: 2 }], 8, 8)).toEqual([{ x: 1, y: 2 }]);
  });
  it('what stands at the corner of a pad is not cut off by the edge of the pond', () => {
    const pond = { width: 360, height: 400 };
    const [off, half] = [{ x: 14, y: 14 }, { x: 8, y: 8 }];
    expect(cornerOf({ x: 100, y: 100 }, off, half, pond)).toEqual({ x: 86, y: 86 });
    expect(cornerOf({ x: 20, y: 100 }, off, half, pond)).toEqual({ x: 34, y: 86 });
    expect(cornerOf({ x: 20, y: 20 }, off, half, pond)).toEqual({ x: 34, y: 34 });
  });
  it('what a move brings stands beside its own pad, and on no other landing place', () => {
    const [pond, half, own] = [{ width: 360, height: 400 }, { x: 16, y: 11 }, { x: 40, y: 100 }];
    // Two leaves beside each other: between them stands the other's frog.
    const { at, tip } = labelSpot(own, 20, half, pond, [{ x: 90, y: 100 }, { x: 74, y: 84 }]);
    expect(at.x - half.x).toBeGreaterThan(0);
    expect(Math.hypot(tip.x - own.x, tip.y - own.y)).toBeLessThan(20);
    expect(Math.hypot(at.x - own.x, at.y - own.y)).toBeLessThan(20 + 6 + 2 * half.x);
    for (const other of [{ x: 90, y: 100 }, { x: 74, y: 84 }]) expect(Math.hypot(at.x - other.x, at.y - other.y)).toBeGreaterThan(30);
  });
  it('hops leave out the pads that are jumped', () => expect(hops(['14', '15', 'e1'], ['14'])).toEqual(['15', 'e1']));
});

suite('fingers', () => {
  const items = [
    { key: 'a', x: 0, y: 0, r: 16, live: true },
    { key: 'b', x: 36, y: 0, r: 16, live: true },
    { key: 'c', x: 200, y: 0, r: 16, live: false },
  ];
  it('the nearest thing is meant, from further off if it can be chosen', () => {
    expect(nearest(items, { x: 17, y: 0 }, 1)?.key).toBe('a');
    expect(nearest(items, { x: 19, y: 0 }, 1)?.key).toBe('b');
    expect(nearest(items, { x: 0, y: 21 }, 1)?.key).toBe('a');
    expect(nearest(items, { x: 200, y: 21 }, 1)).toBeNull();
  });
  it('zooming never shows what is beyond the pond', () => {
    const near = zoomed(WHOLE, 2, { x: 0, y: 300 }, 344, 396);
    expect(near.k).toBe(2);
    expect(near.x).toBe(0);
    expect(near.y).toBeGreaterThanOrEqual(-396);
    expect(zoomed(near, 0.1, { x: 10, y: 10 }, 344, 396)).toEqual(WHOLE);
  });
});

suite('events', () => {
  it('last as long as their hops', () => {
    for (const { events } of steps) {
      for (const event of events) if (isMove(event)) expect(plan(event).hops.at(-1)?.to).toBe(event.landing);
      for (const [at, { ms }] of beats(events).entries()) {
        const event = events[at]!;
        if (isMove(event)) expect(ms).toBeGreaterThan(plan(event).total);
      }
    }
    expect(beats([])).toEqual([]);
  });
});

suite('the board', { timeout: 30_000 }, () => {
  let drawn: object | null = null;
  afterEach(() => {
    if (drawn) void unmount(drawn);
    drawn = null;
  });
  function draw({ view, moves }: Step, chosen: (move: string | null) => void, revealed: MoonView = view): void {
    const props: BoardProps = {
      view,
      revealed,
      playing: false,
      intermission: false, ending: false,
      trail: [],
      seat: view.seat,
      names: NAMES.slice(0, view.players),
      moves,
      chosen: null,
      stakes: {},
      hinted: [],
      events: [],
      history: [],
      open: null,
      words: WORDS[0]!,
      motion: false,
      choose: chosen,
      why: () => undefined,
    };
    drawn = mount(Board, { target: document.body, props });
    flushSync();
  }
  const press = (selector: string): void => {
    document.querySelector(selector)!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    flushSync();
  };
  it('is played by keyboard: frog, then pad', () => {
    const asked = step('move');
    const got: (string | null)[] = [];
    draw(asked, (move) => got.push(move));
    const move = frogMoves(asked.moves)[0]!;
    press(`[data-frog="${move.frog}"]`);
    press(`[data-key="${move.pad}"]`);
    expect(got.at(-1)).toBe(move.text);
  });
  it('a frog that somebody is asked about is marked once it has landed, and never as if it were chosen', () => {
    const { view } = step('trade');
    const other = { ...view, seat: (ownerOf(view.frog!) + 1) % view.players };
    const rings = (): (string | null)[] => [...document.querySelectorAll(`[data-frog="${view.frog}"] > :is(.ring, .asked)`)].map((one) => one.getAttribute('stroke'));
    draw({ ...step('trade'), view: other, moves: [] }, () => undefined, { ...other, frog: null });
    expect(rings()).toEqual([]);
    void unmount(drawn!);
    draw({ ...step('trade'), view: other, moves: [] }, () => undefined);
    expect(rings()).toEqual([SEAT_COLOURS[ownerOf(view.frog!)]]);
  });
  it('trades by two buttons', () => {
    const asked = step('trade');
    const got: (string | null)[] = [];
    draw(asked, (move) => got.push(move));
    const all = trades(asked.moves);
    const one = all[all.length - 1]!;
    const words = WORDS[0]!;
    document.querySelector<HTMLButtonElement>(`[aria-label="Give a ${words.word(one.give)} lily"]`)!.click();
    flushSync();
    document.querySelector<HTMLButtonElement>(`[aria-label="Take a ${words.word(one.take)} lily from ${words.name(one.other)}"]`)!.click();
    expect(got.at(-1)).toBe(one.text);
  });
  it('stays light', () => {
    draw(steps[1]!, () => undefined);
    expect(document.body.querySelectorAll('*').length).toBeLessThan(1500);
  });
});

suite('a bouquet', () => {
  const held = (pink: number, white = 0, yellow = 0, blue = 0, black = 0) => ({ pink, white, yellow, blue, black });

  it('shows every lily once, inside its box, none on top of another', () => {
    for (const all of [held(1), held(2, 1), held(5, 5, 5, 1, 2), held(3, 2, 4, 0, 1), held(0, 0, 5), held(1, 3, 1)]) {
      const { flowers, radius, width } = bouquet(all);
      expect(flowers.length).toBe(Object.values(all).reduce((sum, one) => sum + one, 0));
      for (const [i, one] of flowers.entries()) {
        expect(Math.abs(one.x) + radius).toBeLessThanOrEqual(width / 2 + 1);
        expect(one.y - radius).toBeGreaterThanOrEqual(0.5);
        expect(one.y + radius).toBeLessThanOrEqual(53);
        for (const other of flowers.slice(0, i)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(radius);
      }
    }
  });
  it('of no lily is empty', () => expect(bouquet(held(0)).flowers).toEqual([]));
});

it('every seat has a frog of its own outline and of its own marks', () => {
  expect(new Set(SPECIES.map((one) => one.body)).size).toBe(5);
  expect(new Set(SPECIES.map((one) => one.marks)).size).toBe(5);
});
