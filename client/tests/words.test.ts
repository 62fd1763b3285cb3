import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../src/lib/board';
import { clockText, spanText, timeLeft, unitsLeft } from '../src/lib/clock';
import { PRESETS, presetOf } from '../src/lib/clocks';
import { blocks } from '../src/lib/log';
import { Words } from '../src/lib/words';

const words = new Words(
  'en',
  { log: { bid: ['{seat} bids {amount}, outbidding {outbid_seat}.', '{seat} bids {amount}.'], deal: '{to} gets {cards}.' }, word: { red: 'RED' }, ask: { bid: 'Bid.' } },
  { error: { 'game-over': 'The game is over.' } },
  ['Ana', 'Bruno'],
);

describe('words', () => {
  it('take the first template whose fields are known', () => {
    expect(words.message('log', 'bid', { seat: 0, amount: 2, outbid_seat: 1 })).toBe('Ana bids 2, outbidding Bruno.');
    expect(words.message('log', 'bid', { seat: 0, amount: 2, outbid_seat: null })).toBe('Ana bids 2.');
  });
  it('write a number with the word that agrees with it', () => {
    const template = { log: { undo: '{moves:move is|moves are} taken back.' } };
    expect(new Words('en', template, {}, []).message('log', 'undo', { moves: 1 })).toBe('1 move is taken back.');
    expect(new Words('en', template, {}, []).message('log', 'undo', { moves: 0 })).toBe('0 moves are taken back.');
    expect(new Words('fr', { log: { undo: '{moves:coup|coups}' } }, {}, []).message('log', 'undo', { moves: 0 })).toBe('0 coup');
  });
  it('name seats, things and lists of things', () => {
    expect(words.message('log', 'deal', { to: 1, cards: ['red', 'x'] })).toBe('Bruno gets RED, x.');
  });
  it('read notation by its form, part by part', () => {
    const own = { form: { '(?P<value>\\d+)r': 'red {value}', '(?P<card>\\w+)\\*': '{card} (hidden)', '(?P<one>\\S+) (?P<other>\\S+)': '{one} and {other}' }, word: { '7r': 'seven' } };
    const cards = new Words('en', own, {}, ['Ana', 'Bruno']);
    expect(cards.word('7r 7r*')).toBe('seven and seven (hidden)');
    expect(cards.word(7)).toBe('7');
    expect([cards.word('p2'), cards.word('p3')]).toEqual(['Bruno', 'p3']);
  });
  it('are split into parts, so that pictures can replace things', () => {
    expect(words.parts('log', 'bid', { seat: 0, amount: 2, outbid_seat: 1 })).toEqual([
      { field: 'seat', value: 0, text: 'Ana' },
      ' bids ',
      { field: 'amount', value: 2, text: '2' },
      ', outbidding ',
      { field: 'outbid_seat', value: 1, text: 'Bruno' },
      '.',
    ]);
  });
  it('know who acts on what is their own', () => {
    const gives = new Words('en', { log: { give: ['{self} keeps it.', '{seat} gives it to {to}.'] } }, {}, ['Ana', 'Bruno']);
    expect(gives.message('log', 'give', { seat: 0, to: 0 })).toBe('Ana keeps it.');
    expect(gives.message('log', 'give', { seat: 0, to: 1 })).toBe('Ana gives it to Bruno.');
  });
  it('find an error by its code, with or without the game before it', () => {
    expect(words.message('error', 'core.game-over')).toBe('The game is over.');
    expect(words.message('error', 'unheard-of')).toBe('unheard-of');
    expect(new Words('en', {}, { ask: { other: 'Choose a move.' } }, []).message('ask', 'move')).toBe('Choose a move.');
  });
});

describe('the log', () => {
  const event = (index: number, seat?: number): GameEvent => ({ index, type: 'x', ...(seat === undefined ? {} : { seat }) });

  it('has a block for each turn, and folds long runs of chance only', () => {
    const events = [event(0), event(1), event(2), event(3), event(4, 1), event(5), event(6, 1), event(7, 0)];
    expect(blocks(events, null).map(({ setup, seat, events: all }) => [setup, seat, all.length])).toEqual([
      [true, null, 4],
      [false, 1, 3],
      [false, 0, 1],
    ]);
  });
  it('loses nothing', () => {
    const events = Array.from({ length: 20 }, (_, i) => event(i, i % 7 === 0 ? 1 : undefined));
    expect(blocks(events, null).flatMap((block) => block.events)).toEqual(events);
  });
});

describe('clocks', () => {
  const clocks = { running: [0], left: [60_000, 30_000, null], extra: [10_000, 10_000, null] };

  it('take the extra time first, then the reserve', () => {
    expect(timeLeft(clocks, 0, 4000)).toEqual({ reserve: 60_000, extra: 6000, running: true });
    expect(timeLeft(clocks, 0, 14_000)).toEqual({ reserve: 56_000, extra: 0, running: true });
    expect(timeLeft(clocks, 0, 900_000)).toEqual({ reserve: 0, extra: 0, running: true });
  });
  it('do not run for a seat that is not to move, and never end without a limit', () => {
    expect(timeLeft(clocks, 1, 14_000)).toEqual({ reserve: 30_000, extra: 10_000, running: false });
    expect(timeLeft(clocks, 2, 14_000).reserve).toBeNull();
  });
  it('are written as people read them', () => {
    expect([clockText(3_723_000), clockText(245_000), clockText(59_999), clockText(9870)]).toEqual(['1:02:03', '4:05', '0:59', '9.8']);
    expect(spanText(7200)).toBe('0:07');
  });
  it('count days, then hours, then minutes where a move has days', () => {
    const [minute, hour] = [60_000, 3_600_000];
    const left = (ms: number): string => Object.values(unitsLeft(ms)).join();
    expect([7 * 24 * hour - 1, 72 * hour - 5000, 70 * hour, 47 * hour].map(left)).toEqual(['day,7', 'day,3', 'day,2', 'day,2']);
    expect([46 * hour, 24 * hour - 1000, 2 * hour - 1].map(left)).toEqual(['hour,46', 'hour,24', 'hour,2']);
    expect([90 * minute, 61_000, 1, 0].map(left)).toEqual(['minute,90', 'minute,2', 'minute,1', 'minute,0']);
  });
  it('recognise their preset', () => {
    for (const { id, clock } of PRESETS) expect(presetOf(clock)).toBe(id);
    expect(presetOf({ kind: 'live', reserve: 1, extra: 1 })).toBe('other');
  });
});

describe('whoever reads is spoken to', () => {
  const own = { story: { roll: ['{owner:rolls|You roll} {dice} and {owner:=takes|take} {taken}.'], swap: "{seat:swaps|You swap} {owner:'s|your} card with {to:|you}." } };
  const words = (reader: number | null): Words => new Words('en', own, {}, ['Ana', 'Bo'], reader);
  const roll = { owner: 0, dice: 3, taken: 5 };
  it('in the second person, with verbs that agree', () => {
    expect(words(0).message('story', 'roll', roll)).toBe('You roll 3 and take 5.');
    expect(words(1).message('story', 'roll', roll)).toBe('Ana rolls 3 and takes 5.');
    expect(words(null).message('story', 'roll', roll)).toBe('Ana rolls 3 and takes 5.');
  });
  it('wherever they stand in the sentence', () => {
    expect(words(1).message('story', 'swap', { seat: 0, owner: 0, to: 1 })).toBe("Ana swaps Ana's card with you.");
    expect(words(0).message('story', 'swap', { seat: 0, owner: 0, to: 1 })).toBe('You swap your card with Bo.');
    const curly = new Words('en', { story: { pass: '{owner:’s|your} card goes.' } }, {}, ['Ana']);
    expect(curly.message('story', 'pass', { owner: 0 })).toBe('Ana’s card goes.');
  });
  it('in parts, of which only names are marked as names', () => {
    expect(words(1).parts('story', 'roll', roll)[0]).toEqual({ field: 'owner', value: 0, text: 'Ana' });
    expect(words(0).parts('story', 'roll', roll)[0]).toBe('You roll');
  });
});
