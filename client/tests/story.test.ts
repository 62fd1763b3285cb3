// Whole recorded games, worded in three languages.
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BoardModule, GameEvent, View } from '../src/lib/board';
import { blocks, parts, prompt, question, sentence, since, toYou, waiting } from '../src/lib/log';
import * as charuma from '../src/boards/charuma';
import * as moon from '../src/boards/china-moon';
import * as daruma from '../src/boards/daruma';
import * as dojo from '../src/boards/dojo';
import { textOf, Words } from '../src/lib/words';
import { LANGS, wordsIn } from './catalogues';

interface Step {
  views: Record<string, View>;
  events: Record<string, GameEvent[]>;
  legal: Record<string, string[]>;
}
const at = (path: string): URL => new URL(path, import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(at(path), 'utf8'));
const BOARDS = { daruma, charuma, dojo, 'china-moon': moon } as unknown as Record<string, BoardModule>;
const games = (game: string): Step[][] =>
  readdirSync(at('../fixtures/')).filter((name) => name.startsWith(`${game}.`)).map((name) => read(`../fixtures/${name}`) as Step[]);

/** The kinds of moves that each question offers. */
const OFFERED: Record<string, Record<string, string[]>> = {
  charuma: {
    bid: ['bid'], lead: ['one', 'two'], 'lead-one': ['one'], 'play-one': ['one'], 'play-two': ['two'], 'follow-blue': ['one'], 'follow-red': ['one'],
    'follow-blue-pair': ['two'], 'follow-red-pair': ['two'], 'follow-two-coloured-pair': ['two'],
  },
  daruma: { sake: ['reroll'], 'reroll-multiples': ['reroll'], 'shift-multiples': ['shift'], 'shift-singles': ['shift'], swap: ['swap'] },
  dojo: {
    give: ['give', 'keep'], 'give-others': ['give'], 'give-keep': ['keep'], challenge: ['challenge', 'pass'], throw: ['paper', 'rock', 'scissors'],
    swap: ['keep', 'swap'], place: ['place'], trophy: ['trophy'],
  },
  'china-moon': {
    move: ['others', 'own'], 'move-two-others': ['others', 'own'], 'move-two': ['others', 'own'], 'move-last': ['others', 'own'], 'move-others': ['others'],
    spring: ['spring'], trade: ['trade'], drop: ['drop'], 'drop-where': ['drop'],
  },
};
function kindOf(move: string, view: View): string {
  const [word = '', first = ''] = move.split(' ');
  const own = `p${view.actors[0]! + 1}`;
  if (word === 'play') return move.split(' ').length === 2 ? 'one' : 'two';
  if (word === 'throw') return first;
  if (word === 'give' && view.game === 'dojo') return first === own ? 'keep' : 'give';
  if (word === 'move') return view.ask === 'spring' ? 'spring' : first.startsWith(own) ? 'own' : 'others';
  return word;
}

describe.each(Object.keys(BOARDS))('the story of %s', { timeout: 60_000 }, (game) => {
  const board = BOARDS[game]!;
  const played = games(game);

  it.each(['en', 'fr', 'es'])('is written in whole sentences without notation or places (%s)', (lang) => {
    const words = wordsIn(game, lang);
    for (const steps of played)
      for (const key of ['0', 'spectator']) {
        const events = steps.flatMap((step) => step.events[key] ?? []);
        for (const block of blocks(events, board)) {
          if (block.setup) continue;
          for (const event of block.events) {
            const text = sentence(event, events, board, words);
            expect(text, event.type).toMatch(/^\S.*[.»]$/);
            expect(text).not.toMatch(/[{}]|undefined|\bp\d[abc]?\b/);
            const spoken = parts(event, events, board, words).filter((part) => typeof part !== 'string');
            const bare = spoken.map((part) => part.field);
            for (const field of ['row', 'column', 'at', 'pad', 'landing', 'counter']) expect(bare).not.toContain(field);
            for (const part of spoken) if (part.field === 'text') expect(part.text).not.toBe(part.value);
          }
        }
      }
  });

  it('shows dice, cards, mats, frogs and lilies by pictures', () => {
    const events = played[0]!.flatMap((step) => step.events['0'] ?? []);
    const shown = events.flatMap((event) =>
      parts(event, events, board, wordsIn(game, 'en')).flatMap((part) => (typeof part === 'string' ? [] : (board.glyphs!(part.field, part.value, event) ?? []))),
    );
    expect(shown.length).toBeGreaterThan(20);
    expect(shown).not.toContain('undefined');
  });

  it('asks for exactly what is legal, and says what the others do', () => {
    const codes = new Set<string>();
    for (const { views, legal } of played.flat())
      for (const [seat, moves] of Object.entries(legal)) {
        const view = views[seat]!;
        const possible = [...new Set(moves.map((move) => kindOf(move, view)))].sort();
        for (const lang of LANGS) {
          const words = wordsIn(game, lang);
          expect(waiting(view, view.actors, words)).toMatch(/\.$/);
          const asked = question(view, moves, board, words);
          const text = prompt(view, moves, board, words, { ...view, seat: Number(seat) });
          expect(text).toMatch(/[.?]$/);
          expect(text).not.toMatch(/[{}]/);
          if ('code' in asked) {
            codes.add(asked.code);
            expect(OFFERED[game]![asked.code], `${asked.code}: ${moves.join(', ')}`).toEqual(possible);
          } else {
            const said = Object.keys(words.own['offer']!).filter((kind) => text.toLowerCase().split(/, (?:or |ou |o )?| or | ou | o /).some((part) => part.startsWith(words.message('offer', kind))));
            expect(said.sort(), text).toEqual(possible);
          }
        }
      }
    const narrowed = ['lead-one', 'give-others', 'give-keep', 'move-two-others', 'move-two', 'move-last', 'move-others'].filter((code) => code in OFFERED[game]!);
    expect([...codes]).toEqual(expect.arrayContaining(narrowed));
  });

  it('says to each seat what others did to it, and sums up in one line what happened since its last move', () => {
    const types = new Set<string>();
    for (const steps of played)
      for (const seat of [0, 1, 2]) {
        const events = steps.flatMap((step) => step.events[String(seat)] ?? []);
        for (const lang of ['en', 'fr', 'es']) {
          const words = wordsIn(game, lang);
          for (const event of events) if (toYou(event, seat, board, words)) types.add(event.type);
          for (let i = 0; i < events.length; i += 7) {
            const line = since(events.slice(i, i + 12), seat, board, words);
            expect(line).not.toMatch(/[{}]|undefined/);
          }
        }
      }
    expect([...types]).not.toEqual([]);
  });
});

describe('the log of Charuma', () => {
  it('reduces older tricks to their outcome', () => {
    const events = games('charuma')[0]!.flatMap((step) => step.events['0'] ?? []);
    const tricks = blocks(events, BOARDS['charuma']!).filter((block) => block.events.some((event) => event['winner'] !== undefined));
    const after = (one: number): GameEvent[] => tricks.slice(one + 1).flatMap((block) => block.events);
    expect(charuma.closed(tricks.at(-1)!.events, [])).toBe(false);
    expect(charuma.closed(tricks[0]!.events, after(0))).toBe(true);
    expect(textOf(charuma.heading(tricks[0]!.events, wordsIn('charuma', 'en')))).toMatch(/took the trick with the .*\d.*: /);
  });
});

describe('the log of Dojo', () => {
  it('says to the dealer whom the others may challenge', () => {
    const view = { ask: 'challenge', dealer: 1 };
    const to = (reader: number) => new Words('en', wordsIn('dojo', 'en').own, wordsIn('dojo', 'en').common, ['Ana', 'Bruno', 'Chloé'], reader);
    expect(waiting(view, [2], to(0))).toBe('Chloé may challenge the dealer.');
    expect(waiting(view, [2], to(1))).toBe('Chloé may challenge you.');
  });

  const words = wordsIn('dojo', 'en');
  const give = { index: 1, type: 'give', seat: 1, to: 0, card: 'fox4' };
  const challenge = { index: 2, type: 'challenge', seat: 2, dealer: 0, card: 'bear5', dealer_card: 'fox4', winner: 2, loser: 0, trophy: 'broom' };
  const swap = { index: 3, type: 'swap', seat: 2, loser: 0, card: 'fox4', loser_card: 'bear5' };

  it('mentions a challenge to the reader once, and the card that it has left them', () => {
    const text = since([give, challenge, swap], 0, BOARDS['dojo']!, words);
    expect(text.match(/duel/g)).toHaveLength(1);
    expect(text).toContain('you now have the black-belt bear');
    expect(text).not.toContain('fox');
    expect(since([give], 0, BOARDS['dojo']!, words)).toContain('gave you the blue-belt fox');
  });

  it('leaves out what happened before a card was placed for the reader', () => {
    const placed = { index: 3, type: 'place', seat: 0, card: 'fox4', row: 0, column: 0 };
    const next = { ...give, index: 4, seat: 2, card: 'crane1' };
    const other = { ...challenge, dealer: 1, loser: 1 };
    const text = since([give, other, placed, next], 0, BOARDS['dojo']!, words);
    expect(text).toBe(`${words.name(2)} gave you the white-belt crane.`);
    expect(since([give, placed], 0, BOARDS['dojo']!, words)).toBe('');
  });

  it('tells of a card that was looked at and then given in one line', () => {
    const draw = { index: 0, type: 'draw', dealer: 1 };
    expect(dojo.coveredLater(draw, [draw])).toBe(false);
    expect(dojo.coveredLater(draw, [draw, give])).toBe(true);
    expect(dojo.coveredLater(give, [draw, give])).toBe(false);
  });

  it('says that a challenge is on while it is shown, and not who wins it', () => {
    const said = BOARDS['dojo']!.meanwhile!(challenge, words);
    expect(said).toBe(`Banzai! ${words.name(2)} challenges ${words.name(0)}.`);
    expect(BOARDS['dojo']!.meanwhile!(swap, words)).toBe('');
  });
});

describe('the log of Daruma', () => {
  it('says with whom a daruma of the reader is exchanged, and by whom', () => {
    const words = wordsIn('daruma', 'en');
    const swap = { index: 1, type: 'swap', seat: 2, one_seat: 0, one_card: 'red', other_seat: 1, other_card: 'gold' };
    const said = (event: GameEvent): string => textOf(toYou(event, 0, BOARDS['daruma']!, words) ?? []);
    const names = [1, 2].map((seat) => words.name(seat));
    expect(daruma.toYou(swap as GameEvent, 0)).toEqual({ lost: 'red', gained: 'gold', partner_seat: 1 });
    expect(daruma.toYou({ ...swap, seat: 1 } as GameEvent, 0)).toEqual({ lost: 'red', gained: 'gold' });
    for (const name of names) expect(said(swap as GameEvent)).toContain(name);
  });
});
