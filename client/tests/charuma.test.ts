import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe as suite, expect, test } from 'vitest';
import { clusters, laid, playText } from '../src/boards/charuma/cards';
import type { Stake } from '../src/lib/words';
import { amounts, bidOf, exact, holding, idsOf, outlook, standsFor, stillPicked, tap } from '../src/boards/charuma/compose';
import { anchors, beats, betweenRounds, cardName, describe, dutyLine, endLine, seatScores, summary, TIMES, withBid, wonBy } from '../src/boards/charuma/describe';
import { meanwhile, since, tricksOf } from '../src/boards/charuma/story';
import type { BidEvent, CharumaView } from '../src/boards/charuma/types';
import { seatMark, type GameEvent } from '../src/lib/board';
import { Words } from '../src/lib/words';
import { LANGS, wordsIn as wordsOf } from './catalogues';
import kept from './data/charuma.json';

interface Moment {
  from: string;
  view: CharumaView;
  legal: string[];
  events: GameEvent[];
}
const moments = kept as unknown as Moment[];

const wordsIn = (lang: string): Words => wordsOf('charuma', lang);
const find = (from: string): Moment => moments.find((one) => one.from === from)!;
const clean = (...texts: string[]): void => {
  expect(texts.filter((text) => text.trim() === '' || /undefined|null|NaN|[{}*]/.test(text))).toEqual([]);
};

function wordsAll(view: CharumaView, legal: string[]): void {
  for (const lang of LANGS) {
    const words = wordsIn(lang);
    const texts = legal.map((move) => describe(move, view, words));
    clean(...texts);
    expect(new Set(texts).size).toBe(texts.length);
  }
}

suite('words', () => {
  test.each(moments.map((one) => [one.from, one] as const))('every legal move and the position: %s', (_, { view, legal }) => {
    wordsAll(view, legal);
    for (const lang of LANGS) {
      const lines = summary(view, wordsIn(lang));
      expect(lines.length).toBeGreaterThan(view.players);
      clean(...lines);
    }
  });
  test('chance events have words too', () => {
    const { view } = find('3p.0.2');
    for (const lang of LANGS) for (const move of ['first p2', 'deal 7b', 'deal Ar', 'group p1 B']) clean(describe(move, view, wordsIn(lang)));
  });
  test('cards, marks and duty', () => {
    expect(cardName('Ab*', wordsIn('en'))).toBe('blue ace (hidden)');
    expect(cardName('10r', wordsIn('fr'))).toBe('le 10 rouge');
    expect(seatMark(['Ana', 'Bob'], 1)).toBe('B');
    expect(seatMark(['Ana', 'Al'], 1)).toBe('A2');
    const { view } = find('3p.8.1');
    expect(dutyLine(view, 1, wordsIn('en'))).toBe('You have a blue pair face up: you must play one.');
    expect(dutyLine(view, 0, wordsIn('en'))).toBe('Bruno has a blue pair face up and must play one.');
  });
  test('anchors and scores', () => {
    expect(anchors(find('3p.0.2').view)).toEqual(['auction']);
    expect(anchors(find('3p.8.1').view)).toEqual(['follow']);
    const end = find('3p.96.1').view;
    expect(anchors(end)).toEqual(['game-end']);
    expect(seatScores(end)).toEqual(end.points);
  });
  test('a trick that is complete is given time', () => {
    expect(beats([])).toEqual([]);
    const play = { index: 0, type: 'play', seat: 0, cards: ['7b'], lead: false };
    const [one, last] = beats([play, { ...play, winner: 1, points: 1, aces: 0 }]);
    expect(last!.stay).toBeGreaterThan(2000);
    expect(last!.stay).toBeGreaterThan(one!.stay);
  });
  test('before a lead is on the table, the trick before it has been gathered', () => {
    const play = { index: 0, type: 'play', seat: 0, cards: ['7b'], lead: false };
    const [lead, follow] = beats([{ ...play, lead: true }, play]);
    expect(lead!.ms).toBe(follow!.ms + TIMES.gather);
  });
  test('the next round is not dealt to the eye before the result of the last one is seen', () => {
    const end = { index: 0, type: 'play', seat: 0, cards: ['7b'], lead: false, winner: 1, points: 1, aces: 0, gains: [0, 3] };
    const [trick, ...rest] = beats([end, { index: 1, type: 'deal', round: 2, to: 0 }, { index: 2, type: 'deal', round: 2, to: 1 }]);
    expect(trick!.stay).toBeGreaterThan(2000);
    expect(rest.every(({ ms, stay }) => ms + stay === 0)).toBe(true);
    const { view } = find('3p.0.2');
    const look = betweenRounds({ ...view, round: 2 });
    expect([look.round, look.groups, look.actors]).toEqual([1, [], []]);
    expect(look.hands.flatMap((hand) => [...hand.open, ...(hand.hidden ?? [])])).toEqual([]);
  });
  test('the last bid is laid and shown before the groups go to the hands, and the end of the auction after that', () => {
    const last: BidEvent = { index: 9, type: 'bid', seat: 2, group: 'B', amount: 0, groups: ['A', 'C', 'B'], spent: [3, 1, 0], lead_seat: 1 };
    const [bid] = beats([last]);
    expect(bid!.ms).toBeGreaterThan(TIMES.bid + TIMES.take);
    expect(meanwhile(last, wordsIn('en'))).toMatch(/ 0 for group B\.$/);
    expect(meanwhile({ ...last, groups: undefined }, wordsIn('en'))).toMatch(/ is bidding for a group\.$/);
    const { view } = find('3p.0.2');
    expect(withBid(view, last).groups.find(({ name }) => name === 'B')).toMatchObject({ bid: 0, owner: 2 });
    expect(since([last], 0)).toEqual([{ code: 'auction', fields: { ...last, group: 'A', paid: 3 } }]);
    expect(wordsIn('en').message('since', 'auction', since([last], 1)[0]!.fields)).toBe('the auction is over: you pay 1 point for group C');
  });
  test('bids since the own one are listed, but not twice the one that outbids it', () => {
    const bid: BidEvent = { index: 9, type: 'bid', seat: 2, group: 'B', amount: 0 };
    const listed = since([bid, { ...bid, index: 10, seat: 1, group: 'C', outbid_seat: 0 }], 0);
    expect(listed.map(({ code, fields }) => wordsIn('en').message('since', code, fields))).toEqual([expect.stringMatching(/ bids 0 for group B$/)]);
    expect(since([{ index: 8, type: 'play', seat: 0, cards: ['7b'], lead: false, winner: 1, points: 1, aces: 0, gains: [0, 3] }, bid], 0)).toHaveLength(1);
  });
  test('who took a trick alone is told with what nobody else played', () => {
    const [lead, follow, end] = [
      { index: 0, type: 'play', seat: 0, cards: ['10b', '10b'], lead: true },
      { index: 1, type: 'play', seat: 1, cards: ['2b', '7b'], lead: false },
      { index: 2, type: 'play', seat: 2, cards: ['3b', '3r'], lead: false, winner: 0, points: 2, aces: 0, kind: 'blue-pair', reason: 'alone', best: '10b 10b' },
    ] as const;
    const text = (lang: string): string => since([lead, follow, end], 0).map(({ code, fields }) => wordsIn(lang).message('since', code, fields)).join();
    expect(text('en')).toMatch(/: nobody else played a blue pair$/);
    expect(text('fr')).toMatch(/: personne d’autre n’a joué de paire bleue$/);
    expect(text('es')).toMatch(/: nadie más ha jugado una pareja azul$/);
    expect(tricksOf([lead, follow, end])).toMatchObject([{ index: 2, leader: 0, winner: 0, plays: [{ seat: 0 }, { seat: 1 }, { seat: 2 }] }]);
    const undone = [lead, follow, end, { index: 3, type: 'undo', seat: 0, moves: 2 }, { ...follow, index: 4 }, { ...end, index: 5 }];
    expect(tricksOf(undone)).toMatchObject([{ index: 5, plays: [{ cards: ['10b', '10b'] }, { cards: ['2b', '7b'] }, { cards: ['3b', '3r'] }] }]);
  });
  test('that the goal is reached is said with the sum that reaches it, and to the reader', () => {
    const { view } = find('3p.8.1');
    const late = { ...view, points: [18, 10, 16], trick_points: [5, 0, 3], ace_points: [2, 0, 0], end: { kind: 'reached' as const, seats: [0], points: [25] } };
    const { lang, own: texts, common, names } = wordsIn('en');
    const [own, others] = [0, 1].map((reader) => new Words(lang, texts, common, names, reader));
    expect(endLine(late, own!)).toMatch(/ is the last: you reached 25 \(18 \+ 7\)$/);
    expect(endLine(late, others!)).toMatch(/ is the last: .+ \(18 \+ 7\) reached 25$/);
  });
  test('a round that is over is shown by its sheet, not as the trick before', () => {
    const trick = { index: 0, type: 'play', seat: 0, cards: ['7b'], lead: false, winner: 1, points: 1, aces: 0 };
    expect(since([trick], 0).map(({ code }) => code)).toEqual(['trick']);
    expect(since([{ ...trick, gains: [0, 3] }], 0)).toEqual([]);
  });
  test('two equal cards are named together', () => {
    const { view } = find('3p.0.2');
    const lead = (lang: string, move: string): string => describe(move, { ...view, ask: 'lead' }, wordsIn(lang));
    expect(lead('en', 'play 9b 9b')).toBe('Start the trick with a pair: the two blue 9s');
    expect(lead('fr', 'play Ar Ar')).toBe('Ouvrir le pli avec une paire\u00a0: les deux as rouges');
    expect(lead('es', 'play 9b 9r')).toBe('Abrir la baza con una pareja: el 9 azul y el 9 rojo');
    expect(wordsIn('fr').word('the Ab 10r*')).toBe('l’as bleu et le 10 rouge (caché)');
  });
  test('what a seat has won counts its aces, as the sign at a trick does', () => {
    const { view } = find('3p.8.1');
    expect(wonBy({ ...view, trick_points: [3, 0, 0], ace_points: [2, 0, 0] }, 0)).toBe(5);
  });
  test('many cards are dealt together', () => {
    const deals = Array.from({ length: 60 }, (_, index) => ({ index, type: 'deal', to: 0 }));
    expect(beats(deals).reduce((sum, { ms, stay }) => sum + ms + stay, 0)).toBeLessThan(2500);
  });
});

suite('cards', () => {
  test('equal values lie together, equal cards keep apart', () => {
    expect(clusters(['10r', '7b', '7r', 'Ab', '7b']).map((run) => run.map((held) => held.id))).toEqual([
      ['Ab:0'],
      ['7b:0', '7b:1', '7r:0'],
      ['10r:0'],
    ]);
  });
  test('moves name open cards first, then blue ones', () => {
    expect(playText(['8b*', '8r'])).toBe('play 8r 8b*');
    expect(playText(['8r', '8b'])).toBe('play 8b 8r');
    for (const { legal } of moments)
      for (const move of legal.filter((one) => one.startsWith('play'))) expect(playText(move.split(' ').slice(1).reverse())).toBe(move);
  });
});

/** What a hand looks like to the composer. */
const idsIn = (view: CharumaView): string[] => {
  const hand = view.hands[view.seat!]!;
  return [...laid(hand.open), ...laid(hand.hidden ?? [])].map((held) => held.id);
};

function tappable(view: CharumaView, legal: string[]): void {
  if (view.seat === null) return;
  const held = idsIn(view);
  for (const move of legal.filter((one) => one.startsWith('play '))) {
    const want = idsOf(move, held, []);
    let ids: string[] = [];
    let got: string | null = null;
    // One tap per card, and one more on a card meant alone that could have been half of a pair.
    for (const id of [...want, want.at(-1)!]) {
      if (got) break;
      const result = tap(legal, held, ids, null, id);
      if (result.do === 'pick') ids = result.ids;
      else if (result.do === 'choose') got = result.move;
    }
    expect(got).toBe(move);
  }
}

suite('composing', () => {
  const lead = ['play 7b', 'play 7r', 'play 9b', 'play 7b 7r'];
  const hand = ['7b:0', '7r:0', '9b:0'];
  test('a card that could become a pair waits; tapped again it is meant alone', () => {
    expect(tap(lead, hand, [], null, '7b:0')).toEqual({ do: 'pick', ids: ['7b:0'] });
    expect(tap(lead, hand, ['7b:0'], null, '7b:0')).toEqual({ do: 'choose', ids: ['7b:0'], move: 'play 7b' });
    expect(tap(lead, hand, ['7b:0'], null, '7r:0')).toEqual({ do: 'choose', ids: ['7b:0', '7r:0'], move: 'play 7b 7r' });
    expect(tap(lead, hand, ['7b:0'], 'play 7b', '7b:0')).toEqual({ do: 'confirm', move: 'play 7b' });
  });
  test('a card that can only be meant alone is chosen at once, and replaces another', () => {
    expect(tap(lead, hand, ['7b:0'], null, '9b:0')).toEqual({ do: 'choose', ids: ['9b:0'], move: 'play 9b' });
  });
  test('the first of two is taken back by a second tap', () => {
    expect(tap(['play 7b 9b'], hand, ['7b:0'], null, '7b:0')).toEqual({ do: 'pick', ids: [] });
  });
  test('a new question begins with nothing picked, though the twin of the card played is still held', () => {
    const [before, after] = [['play 9r'], ['play 9r']];
    const picked = { moves: before, ids: ['9r:0'] };
    expect(stillPicked(picked, before, ['9r:0', '9r:1'])).toEqual(['9r:0']);
    expect(stillPicked(picked, after, ['9r:0'])).toEqual([]);
    expect(stillPicked(picked, before, ['7b:0'])).toEqual([]);
  });
  test('what may not be played says what it would have meant', () => {
    expect(tap(['play 7r'], hand, [], null, '9b:0')).toEqual({ do: 'why', move: 'play 9b' });
    expect(tap(['play 7b 7r'], hand, [], null, '9b:0')).toEqual({ do: 'why', move: 'play 7b 9b' });
    expect(tap([], hand, [], null, '9b:0')).toEqual({ do: 'why', move: 'play 9b' });
  });
  test('a card stands for itself, for the pair with what is picked, or where two are asked for with its twin', () => {
    expect(standsFor(lead, hand, [], '7b:0')).toBe('play 7b');
    expect(standsFor(lead, hand, ['7r:0'], '7b:0')).toBe('play 7b 7r');
    expect(standsFor(lead, hand, ['7r:0'], '9b:0')).toBe('play 9b');
    const two = ['play 7b 7r', 'play 7b 9b', 'play 9b 7r'];
    expect(standsFor(two, hand, [], '7r:0')).toBe('play 7b 7r');
    expect(standsFor(two, hand, ['7r:0'], '9b:0')).toBe('play 9b 7r');
  });
  test('where two are asked for, a card stands for the pair that promises most', () => {
    const two = ['play 7b 7r', 'play 7b 9b', 'play 9b 7r'];
    const lost = (trick: number): Stake[] => [{ kind: 'lost', trick }];
    expect(standsFor(two, hand, [], '7r:0', { 'play 7b 7r': lost(2), 'play 9b 7r': [{ kind: 'sure', trick: 2 }] })).toBe('play 9b 7r');
    expect(standsFor(two, hand, [], '7r:0', { 'play 7b 7r': lost(3), 'play 9b 7r': lost(2) }), 'the fewest points given away').toBe('play 9b 7r');
    expect(standsFor(two, hand, [], '7r:0', { 'play 7b 7r': lost(2), 'play 9b 7r': lost(2) })).toBe('play 7b 7r');
  });
  test('a chosen move finds its cards', () => {
    expect(idsOf('play 7b 7b*', ['7b:0', '7b:1', '7b*:0'], [])).toEqual(['7b:0', '7b*:0']);
    expect(idsOf('play 7b', ['7b:0', '7b:1'], ['7b:1'])).toEqual(['7b:1']);
    expect(holding(lead, ['7b', '7b'])).toEqual([]);
    expect(exact(lead, ['7r', '7b'])).toBe('play 7b 7r');
  });
  test('every legal play can be tapped together', () => {
    for (const { view, legal } of moments) tappable(view, legal);
  });
  test('bids', () => {
    expect(bidOf('bid 2 A')).toEqual({ group: 'A', amount: 2 });
    expect(bidOf('play 2b')).toBeNull();
    expect(amounts(['bid 0 A', 'bid 3 B', 'bid 4 B'], 'B')).toEqual([3, 4]);
  });
});

// Not `new URL(.., import.meta.url)`: vite takes that for an asset and the folder would never be found.
const FIXTURES = `${import.meta.dirname}/../fixtures/`;
const files = existsSync(FIXTURES) ? readdirSync(FIXTURES).filter((name) => name.startsWith('charuma.')) : [];
suite.skipIf(files.length === 0)('recorded games', { timeout: 60_000 }, () => {
  test.each(files)('%s', (name) => {
    const steps = JSON.parse(readFileSync(FIXTURES + name, 'utf-8')) as { views: Record<string, CharumaView>; legal: Record<string, string[]> }[];
    const tongues = LANGS.map(wordsIn);
    for (const { views, legal } of steps) {
      for (const view of Object.values(views)) for (const words of tongues) clean(...summary(view, words));
      for (const [seat, moves] of Object.entries(legal)) {
        wordsAll(views[seat]!, moves);
        tappable(views[seat]!, moves);
      }
    }
  });
});

suite('what a play promises', () => {
  const ahead = { kind: 'ahead', trick: 1 };
  const rated = (chance: number) => outlook([ahead, { kind: 'hidden-threat', chance }])!;

  test('tells a sure trick, a likely, an unlikely and a hopeless one apart', () => {
    expect(outlook([{ kind: 'sure', trick: 2 }])).toMatchObject({ text: '+2', tone: 'sure' });
    expect(rated(80)).toMatchObject({ text: '+1', chance: 80, tone: 'likely' });
    expect(rated(20)).toMatchObject({ text: '+1', chance: 20, tone: 'unlikely' });
    expect(outlook([ahead, { kind: 'open-threat', seats: [1] }])).toMatchObject({ text: '+1?', rivals: [1], tone: 'unlikely' });
    expect(outlook([{ kind: 'needs-ten', trick: 2 }])).toMatchObject({ text: '+2?', tone: 'unlikely' });
    expect(outlook([{ kind: 'cannot-win' }])).toMatchObject({ text: '0', tone: 'none' });
  });

  test('prefers them in that order', () => {
    const against = (...seats: number[]) => outlook([ahead, { kind: 'open-threat', seats }])!;
    const ranks = [outlook([{ kind: 'sure', trick: 1 }])!, rated(80), rated(20), against(1), against(1, 2), outlook([{ kind: 'cannot-win' }])!].map((one) => one.rank);
    expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
  });
});
