// Daruma's board without a browser: texts for every move, moves composed step by step, events animated step by step.
import { readFileSync } from 'node:fs';
import { describe as group, expect, test } from 'vitest';
import type { BoardModule, GameEvent } from '../src/lib/board';
import { sentence } from '../src/lib/log';
import { animations, beats } from '../src/boards/daruma/animations';
import * as compose from '../src/boards/daruma/compose';
import { bare, settle } from '../src/boards/daruma/model';
import { acting, coveredLater, eventFields, landmark, ownBadLuck, since } from '../src/boards/daruma/story';
import { parse, shifted, swapText, type Side } from '../src/boards/daruma/moves';
import { anchors, brief, describe, seatScores, summary } from '../src/boards/daruma/describe';
import { type DarumaView, type Objective } from '../src/boards/daruma/types';
import { LANGS, wordsIn } from './catalogues';

interface Step {
  view: DarumaView;
  moves: string[];
  events: GameEvent[];
}
interface Pair {
  before: DarumaView;
  events: GameEvent[];
  after: DarumaView;
}
const here = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf-8');
const data = JSON.parse(here('data/daruma.json')) as { objectives: Objective[]; steps: Step[]; pairs: Pair[] };
for (const { view } of data.steps) view.objectives = data.objectives;

const board = { eventFields } as unknown as BoardModule;
const spoken = LANGS.map((lang) => wordsIn('daruma', lang));
const pick = (faces: number[]): compose.PickDie[] => faces.map((face, id) => ({ id, face }));

group.each(spoken.map((words) => [words.lang, words] as const))('words in %s', (_, words) => {
  test('every legal move has a text of its own', () => {
    for (const { view, moves } of data.steps) {
      const texts = moves.map((move) => describe(move, view, words));
      expect(new Set(texts).size).toBe(moves.length);
      texts.forEach((text, i) => {
        expect(text).not.toMatch(/undefined|null|NaN|[{}]/);
        expect(text).not.toBe(moves[i]);
      });
    }
  });
  test('for somebody who sees the board a daruma is named by its colour', () => {
    for (const { view, moves } of data.steps)
      for (const move of moves.filter((one) => /^(give|swap) /.test(one))) {
        expect(describe(move, view, words)).toMatch(/\(.*\)/);
        for (const card of move.split(' ').filter((word) => word.includes('.'))) {
          expect(brief(move, view, words)).toContain(words.word(card.split('.')[0]));
          expect(brief(move, view, words)).not.toContain(words.word(card));
        }
      }
  });
  test('the position, the sheet and the anchors', () => {
    for (const { view } of data.steps) {
      const lines = summary(view, words);
      expect(lines.length).toBeGreaterThan(8);
      for (const line of lines) expect(line).not.toMatch(/undefined|null|NaN|[{}]/);
      expect(anchors(view).length).toBeGreaterThan(0);
    }
  });
});

group('the end', () => {
  const ends = data.steps.filter(({ view }) => view.over);
  test('the points stand at the seats', () => {
    expect(ends.length).toBeGreaterThan(0);
    for (const { view } of ends) {
      expect(seatScores(view)).toEqual(view.known_scores);
    }
  });
  test('before it no seat shows points', () => {
    for (const { view } of data.steps.filter((step) => !step.view.over))
      expect(seatScores(view).every((points) => points === null)).toBe(true);
  });
});

group('composing', () => {
  const ofAsk = (ask: string): Step[] => data.steps.filter(({ view }) => view.ask === ask);

  test('every set of dice for the sake can be picked', () => {
    for (const { view, moves } of ofAsk('sake')) {
      const dice = pick(view.dice);
      const reached = new Set<string>();
      for (let bits = 1; bits < 1 << dice.length; bits++) {
        const move = compose.rerollMove(moves, dice, new Set(dice.filter((die) => bits & (1 << die.id)).map((die) => die.id)));
        expect(move).not.toBeNull();
        reached.add(move!);
      }
      expect([...reached].sort()).toEqual([...moves].sort());
    }
  });
  test('a value is picked by one of its dice', () => {
    for (const { view, moves } of ofAsk('reroll-multiples')) {
      const reached = new Set(view.dice.map((face) => compose.valueMove(moves, pick(view.dice), face)).filter(Boolean));
      expect(reached.size).toBe(moves.length);
    }
  });
  test.each(['shift-multiples', 'shift-singles'])('every %s is reached by turning dice', (ask) => {
    for (const { view, moves } of ofAsk(ask)) {
      const dice = pick(view.dice);
      for (const wanted of moves) {
        const move = parse(wanted);
        if (move?.kind !== 'shift') throw new Error(wanted);
        const group = compose.shiftGroup(moves, dice, ask === 'shift-multiples' ? move.shifts[0]!.face : null);
        expect(group.length).toBe(move.shifts.length);
        const rest = [...move.shifts];
        let ways = compose.obvious(moves, group, {});
        for (const die of group) {
          const { up } = rest.splice(rest.findIndex((one) => one.face === die.face), 1)[0]!;
          for (let taps = 0; ways[die.id] !== up && taps < 3; taps++) ways = compose.turned(moves, group, ways, die);
        }
        expect(compose.shiftMove(moves, group, ways)).toBe(wanted);
      }
    }
  });
  test('a die that can go one way only goes there by itself', () => {
    const group = pick([3, 5]);
    expect(compose.obvious(['shift 3- 5+'], group, {})).toEqual({ 0: false, 1: true });
    expect([shifted(6, true), shifted(1, false), shifted(3, false)]).toEqual([1, 6, 2]);
  });
  test('exchanges from either side', () => {
    for (const { moves } of ofAsk('swap'))
      for (const text of moves) {
        const move = parse(text);
        if (move?.kind !== 'swap') throw new Error(text);
        const [one, other] = move.sides;
        expect(compose.swapSides(moves, null).has(compose.sideKey(one))).toBe(true);
        expect(compose.swapSides(moves, one).has(compose.sideKey(other))).toBe(true);
        expect(compose.swapMove(moves, other, one)).toBe(text);
      }
    const empty: Side = { seat: 0, card: null };
    expect(swapText({ seat: 2, card: 'red.swap' }, empty)).toBe('swap p1 p3 red.swap');
  });
  test('gifts name a card, then a seat', () => {
    const moves = ['stop', 'give red.swap p2', 'give red.swap p3', 'give gold.fictive-four p3'];
    expect([...compose.giftCards(moves)]).toEqual(['red.swap', 'gold.fictive-four']);
    expect([...compose.giftSeats(moves, 'red.swap')]).toEqual([1, 2]);
  });
});

group('events', () => {
  test('played step by step they lead to the view that follows', () => {
    for (const { before, events, after } of data.pairs) {
      let shown = settle(before, null);
      for (const step of events.flatMap(animations)) {
        step.flights?.(shown);
        shown = step.land?.(step.lift?.(shown) ?? shown) ?? step.lift?.(shown) ?? shown;
      }
      const label = events.map((event) => event.type).join(' ');
      if (after.phase !== 'start') expect(shown.dice.map((die) => die.face).sort(), label).toEqual(after.dice);
      expect([shown.fours, shown.fictive], label).toEqual([after.ledger.fours, after.ledger.fictive]);
      expect(shown.sake, label).toEqual(after.sake);
      expect(shown.counter, label).toBe(after.counter);
      expect(shown.pile, label).toBe(after.pile);
      expect(shown.collections.map((cards) => [...cards].sort()), label).toEqual(after.collections.map((cards) => [...cards].sort()));
      const seen = shown.places.map((place) => place && [place.card, ...place.eyes.map((eye) => eye.state)]);
      expect(seen, label).toEqual(after.places.map((place) => place && [place.card, ...place.eyes]));
    }
  });
  test('a game that begins is laid out on the bare table', () => {
    const { view } = data.steps[0]!;
    const laid = view.places.map((place, at) => ({ index: at, type: 'draw', card: place!.card, why: 'setup', place: at + 1 }) as unknown as GameEvent);
    const shown = laid.flatMap(animations).reduce((now, step) => step.land?.(step.lift?.(now) ?? now) ?? now, bare(view, laid)!);
    expect(bare(view, laid)!.places).toEqual([null, null, null, null, null]);
    expect(shown.places.map((place) => place?.card)).toEqual(view.places.map((place) => place?.card));
    expect(shown.pile).toBe(view.pile);
    expect(bare(view, [{ index: 9, type: 'roll', owner: 0, dice: [1] } as unknown as GameEvent])).toBeNull();
  });
  test('each takes its time, and time to be looked at', () => {
    expect(beats([])).toEqual([]);
    for (const { events } of data.steps)
      for (const [at, { ms, stay }] of beats(events).entries())
        if (['roll', 'paint', 'shift', 'give', 'swap', 'stop'].includes(events[at]!.type)) expect(ms + stay).toBeGreaterThanOrEqual(900);
  });
  test('a sip of sake with its roll takes three seconds, and each of its sentences can be read', () => {
    const [sake, reroll, roll] = beats([
      { index: 0, type: 'sake', seat: 1, face: 3 },
      { index: 1, type: 'reroll', seat: 1, dice: [2, 2] },
      { index: 2, type: 'roll', owner: 1, dice: [1, 5], fours: 0 },
    ]);
    expect(sake!.ms + sake!.stay + reroll!.ms + reroll!.stay + roll!.ms + roll!.stay).toBeLessThan(3000);
    // A sentence stands until the next event has happened.
    expect(sake!.stay + reroll!.ms).toBeGreaterThanOrEqual(700);
    expect(reroll!.stay + roll!.ms).toBeGreaterThanOrEqual(700);
  });
  test('bad luck and the last turns are announced for as long as they are read, at a quick pace too', () => {
    const roll = { index: 0, type: 'roll', owner: 1, dice: [4], fours: 1 };
    expect(beats([roll])[0]!.steady).toBe(0);
    expect(beats([{ ...roll, luck: 'bad-luck' }])[0]!.steady).toBeGreaterThanOrEqual(1500);
    const home = { index: 1, type: 'stop', seat: 1, left: [2], counter_from: 2, counter: 1, finishing: true };
    expect(beats([{ ...home, turns_left: 1 }])[0]!.steady).toBeGreaterThanOrEqual(1500);
    expect(beats([{ ...home, turns_left: 0 }])[0]!.steady).toBe(0);
    const banners = animations({ ...home, turns_left: 2 }).map((step) => step.lift?.(settle(data.pairs[0]!.before, null)).banner);
    expect(banners).toContain('last-turns');
  });
  test('the end is announced, and is not skipped', () => {
    const last = { index: 1, type: 'stop', seat: 1, left: [2], scores: [3, 4], winners: [1] };
    expect(animations(last).map((step) => step.lift?.(settle(data.pairs[0]!.before, null)).banner)).toContain('game-end');
    expect([last, { ...last, scores: undefined, finishing: true }, { ...last, scores: undefined }].map(landmark)).toEqual([true, true, false]);
  });
  test('the next turn begins on the board once what ended the last one can be read', () => {
    const stop = { index: 1, type: 'draw', card: 'red.swap', place: 2, next_seat: 1 };
    expect(animations(stop).at(-1)).toMatchObject({ ms: 0, after: true });
    expect(beats([stop])[0]!.stay).toBeGreaterThanOrEqual(1000);
    expect(beats([{ index: 2, type: 'roll', owner: 1, dice: [4], fours: 1 }, stop]).map(({ captioned }) => captioned)).toEqual([800, 0]);
  });
  test('sake, re-roll and roll are one line', () => {
    const sip = [
      { index: 1, type: 'sake', seat: 1, face: 2 },
      { index: 2, type: 'reroll', seat: 1, dice: [5, 6] },
      { index: 3, type: 'roll', owner: 1, dice: [1, 3] },
    ] as unknown as GameEvent[];
    const words = spoken[0]!;
    expect(sip.map((event) => coveredLater(event, sip))).toEqual([true, true, false]);
    expect(sip.map((event) => coveredLater(event, sip.slice(0, 2)))).toEqual([false, false, false]);
    expect(sentence(sip[2]!, sip, board, words)).toBe('Bruno puts a 2 on the sake bottle and re-rolls 5, 6: 1, 3.');
    expect(sentence(sip[2]!, sip.slice(1), board, words)).toBe('Bruno re-rolls 5, 6: 1, 3.');
    expect(sentence(sip[2]!, [], board, words)).toBe('Bruno rolls 1, 3.');
    expect(sentence({ ...sip[2]!, luck: 'bad-luck' }, sip, board, words)).toContain('1, 3; bad luck');
  });
  test('the lost turn of the reader comes first, and that this one is the last', () => {
    const lost = { index: 0, type: 'roll', owner: 0, dice: [4], fours: 1, luck: 'bad-luck' };
    const home = { index: 1, type: 'stop', seat: 1, left: [2], taken: ['red.swap'], finishing: true, turns_left: 2 };
    expect(since([lost, home], 0).map(({ code }) => code)).toEqual(['lost', 'last-turn', 'took']);
    expect(since([lost], 1).map(({ code }) => code)).toEqual(['bad-luck']);
    const [found] = since([lost, { ...lost, index: 9, owner: 2 }], 1);
    expect(spoken.map((words) => words.message('since', found!.code, found!.fields))).toEqual(['bad luck for Ana and Chloé', 'malchance pour Ana et Chloé', 'mala suerte para Ana y Chloé']);
  });

  test('the sign of a painted daruma acts until what it brings is done', () => {
    const paint = { index: 1, type: 'paint', seat: 0, place: 3, effect: 'reroll-multiples' };
    const [reroll, roll] = [{ index: 2, type: 'reroll', seat: 0, dice: [2, 2] }, { index: 3, type: 'roll', owner: 0, dice: [1, 4] }];
    expect([[], [paint], [paint, reroll], [paint, reroll, roll]].map(acting)).toEqual([0, 3, 3, 0]);
    expect(acting([{ ...paint, effect: 'none' }])).toBe(0);
    expect(acting([{ index: 1, type: 'sake', seat: 0, face: 2 }, reroll])).toBe(0);
  });

  test('the log names the sign that acts, and no other', () => {
    const paint = (effect: string) => ({ type: 'paint', index: 0, seat: 0, card: 'red.swap', colour: 'red', action: 'swap', place: 2, eye: 1, effect }) as unknown as GameEvent;
    const words = spoken[0]!;
    expect(sentence(paint('swap'), [], board, words)).toContain(`: ${words.word('swap')}.`);
    expect(sentence(paint('none'), [], board, words)).not.toContain(': ');
  });
  test('the phantom 4 that a turn begins with is mentioned once, not again after good fortune', () => {
    const roll = { index: 1, type: 'roll', owner: 0, dice: [4, 4, 4, 4], phantom: 'fictive-four', luck: 'good-fortune' };
    const draw = { index: 2, type: 'draw', card: 'red.swap', to: 0, why: 'fortune' };
    const again = { index: 3, type: 'roll', owner: 0, dice: [1, 2], phantom: 'fictive-four' };
    const events = [roll, draw, again] as unknown as GameEvent[];
    const [first, , second] = events.map((event) => sentence(event, events, board, spoken[0]!));
    expect(first).toContain('phantom');
    expect(second).not.toContain('phantom');
  });
  test('the log says that the rabbit is home, and what follows', () => {
    const stop = { type: 'stop', index: 0, seat: 0, token: 'blank', counter: 1 } as unknown as GameEvent;
    const words = spoken[0]!;
    expect(sentence(stop, [], board, words)).not.toContain('home');
    expect(sentence({ ...stop, finishing: true, turns_left: 2 }, [], board, words)).toContain(String(words.word('last-turns')));
    expect(sentence({ ...stop, finishing: true, turns_left: 0 }, [], board, words)).toContain(String(words.word('game-end')));
  });
  test('bad luck of the reader is known until they act again, whatever the others do, and also where their own move brought it', () => {
    const paint = { index: 1, type: 'paint', seat: 0 };
    const rolled = { index: 2, type: 'roll', owner: 0, dice: [4], luck: 'bad-luck', unpainted: ['red.swap'] };
    const others = [{ index: 3, type: 'roll', owner: 1, dice: [4], luck: 'bad-luck' }, { index: 4, type: 'roll', owner: 0, dice: [1, 2] }];
    const [own, after] = [{ ...paint, luck: 'bad-luck' }, { index: 5, type: 'sake', seat: 0, face: 2 }];
    expect(ownBadLuck([paint, rolled, ...others], [rolled, ...others], 0)).toBe(rolled);
    expect(ownBadLuck([own, ...others], others, 0)).toBe(own);
    expect(ownBadLuck([own], [], 0)).toBe(own);
    expect(ownBadLuck([paint, rolled, ...others, after], [], 0)).toBeNull();
    expect(ownBadLuck([paint, rolled, ...others], [rolled, ...others], null)).toBeNull();
    expect(ownBadLuck([paint, ...others], others, 0)).toBeNull();
  });

  test('sums up what went between other players, but not what is said to the reader separately', () => {
    const give = { index: 1, type: 'give', seat: 1, to: 2, card: 'red.swap' };
    const swap = { index: 2, type: 'swap', seat: 1, one_seat: 1, one_card: 'blue.swap', other_seat: 2, other_card: 'gold.fictive-four' };
    const pass = { index: 3, type: 'swap', seat: 1, one_seat: 2, other_seat: 3, other_card: 'red.swap' };
    const found = since([give, swap, pass], 0);
    expect(found.map(({ code }) => code)).toEqual(['went', 'exchanged', 'went']);
    expect(found[2]!.fields).toEqual({ colour: 'red', from_seat: 3, to_seat: 2 });
    expect(since([give, swap, pass], 2)).toEqual([]);
    expect(since([give, swap, pass], 3).map(({ code }) => code)).toEqual(['went', 'exchanged']);
    const line = (at: number): string => found.map(({ code, fields }) => spoken[at]!.message('since', code, fields)).join('; ');
    expect(line(0)).toBe('the red daruma went from Bruno to Chloé; Bruno and Chloé exchanged darumas (blue for golden); the red daruma went from Diego to Chloé');
    expect(line(1)).toContain('le daruma rouge est passé de Bruno à Chloé');
    expect(line(2)).toContain('el daruma rojo pasó de Bruno a Chloé');
  });
});
