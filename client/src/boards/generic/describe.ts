// The game in words: moves, cards, the position, the score sheet. What the catalogue lacks is written as it stands.
import type { ScoreRow, View } from '../../lib/board';
import type { Words } from '../../lib/words';
import { message } from './messages';
import { hasCards, isHidden, type Counter, type Zone } from './types';
import { seatAreas, tableArea, type Area } from './zones';

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

const parts = (text: string, word: (part: string) => string): string => text.split(' ').map(word).join(' ').replaceAll('_', ' ').trim();

/** The name of a zone (`draw_pile`, `groups A bid`): the game's word for it or for its parts. Forms are for notation. */
export function label(name: string, words: Words): string {
  const table = words.own['word'] ?? {};
  const word = (key: string): string => (typeof table[key] === 'string' ? table[key] : key);
  return capital(word(name) === name ? parts(name, word) : word(name));
}

export const cardName = (card: string | null, words: Words): string =>
  isHidden(card) ? message(words, 'faceDown') : words.word(card);

/** A legal move, as the game words it. */
export function describe(move: string, _view: View, words: Words): string {
  const whole = words.word(move);
  return capital(whole === move ? parts(move, (part) => words.word(part)) : whole);
}

/** A counter's value as it is read; a number stays a number. */
export function valueText(value: Counter['value'], words: Words): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return message(words, value ? 'yes' : 'no');
  return typeof value === 'number' ? value.toLocaleString(words.lang) : words.word(value);
}

function thing(zone: Zone, words: Words): string {
  return message(words, 'thing', { label: label(zone.name, words), value: hasCards(zone) ? cardsText(zone.cards, words) : valueText(zone.value, words) });
}

/** Cards as a list; those face down are counted. */
export function cardsText(cards: (string | null)[], words: Words): string {
  const hidden = cards.filter(isHidden).length;
  const open = cards.filter((card) => !isHidden(card)).map((card) => cardName(card, words));
  if (hidden === 1) open.push(message(words, 'faceDown'));
  else if (hidden > 1) open.push(message(words, 'facesDown', { count: hidden }));
  return open.join(', ') || message(words, 'none');
}

function line({ seat, cards, counters }: Area, words: Words): string[] {
  const things = [...counters, ...cards].map((zone) => thing(zone, words));
  if (things.length === 0) return [];
  return [message(words, 'area', { name: seat === null ? message(words, 'table') : words.name(seat), things: things.join('; ') })];
}

export function summary(view: View, words: Words): string[] {
  const names = (seats: number[]): string => seats.map((seat) => words.name(seat)).join(', ');
  const lines = [...line(tableArea(view), words), ...seatAreas(view, view.seat).flatMap((one) => line(one, words))];
  if (view.over) lines.push(message(words, 'over', { names: names(view.winners) }));
  else if (view.actors.length) lines.push(message(words, 'turn', { names: names(view.actors) }));
  return lines;
}

/** The numbers that every seat has at the end, then the scores. */
export function scoreSheet(view: View, words: Words): ScoreRow[] {
  const areas = seatAreas(view, null);
  const keys = new Set(areas.flatMap(({ counters }) => counters.map(({ name }) => name)));
  const rows: ScoreRow[] = [...keys].flatMap((name) => {
    const cells = areas.flatMap(({ counters }) => counters.find((counter) => counter.name === name)?.value ?? []);
    return cells.length === areas.length && cells.every((cell) => typeof cell === 'number') ? [{ label: label(name, words), cells }] : [];
  });
  if (view.scores) rows.push({ label: message(words, 'total'), cells: view.scores, total: true });
  return rows;
}
