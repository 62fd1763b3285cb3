// The game in words: moves, the position for screen readers, the score sheet.
import type { GameEvent, ScoreRow, View } from '../../lib/board';
import type { Words } from '../../lib/words';
import { around, HIDDEN, lineOf, rowsOf } from './logic';
import { tell, type Key } from './messages';
import type { DojoView, Line, Placed } from './types';

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function cardName(card: string, words: Words): string {
  return card === HIDDEN ? tell(words.lang, 'back') : words.word(card);
}

export function trophyLabel(trophy: string, words: Words): string {
  return tell(words.lang, lineOf(trophy) === 'row' ? 'trophy_row' : 'trophy_column', { trophy: words.word(trophy) });
}

/** A line by its number among those that have a card: the first is on top or on the left. */
export function lineName(line: Line, at: number, view: DojoView, seat: number, words: Words): string {
  const box = around(view.dojos[seat]?.cards ?? []) ?? { top: at, bottom: at, left: at, right: at };
  const say = (key: Key, number?: number) => tell(words.lang, key, { number });
  if (line === 'row') {
    if (at < box.top) return say('row_above');
    return at > box.bottom ? say('row_below') : say('row', at - box.top + 1);
  }
  if (at < box.left) return say('column_left');
  return at > box.right ? say('column_right') : say('column', at - box.left + 1);
}

/** The rows and columns of an event counted from the top left of that dojo, as it lay then. */
export function told(event: GameEvent, events: readonly GameEvent[]): Record<string, unknown> {
  const before = events.filter((one) => one.type === 'place' && one.seat === event.seat && one.index <= event.index);
  const box = around(before as unknown as Placed[]);
  if (box && event.type === 'place') return { row: Number(event['row']) - box.top + 1, column: Number(event['column']) - box.left + 1 };
  if (box && event.type === 'trophy') return { at: Number(event['at']) - (event['line'] === 'row' ? box.top : box.left) + 1 };
  return {};
}

export function describe(move: string, given: View, words: Words): string {
  const view = given as DojoView;
  const seat = view.seat ?? view.actors[0] ?? 0;
  const [kind, ...rest] = move.split(' ');
  const say = (key: Key, fields = {}) => tell(words.lang, key, fields);
  const duel = view.challenge;
  switch (kind) {
    case 'give': {
      const to = Number(rest[0]?.slice(1)) - 1;
      const card = cardName(view.looking ?? HIDDEN, words);
      return to === seat ? say('give_self', { card }) : say('give', { card, name: words.name(to) });
    }
    case 'challenge':
      return view.dealer === null ? say('challenge_any') : say('challenge', { name: words.name(view.dealer) });
    case 'pass':
      return say('pass');
    case 'throw':
      return say('throw', { hand: words.word(rest[0]) });
    case 'swap':
    case 'keep': {
      if (!duel) return say(kind === 'swap' ? 'swap_plain' : 'keep_plain');
      const first = duel.attacker === seat;
      const own = cardName(duel.cards[first ? 0 : 1], words);
      return say(kind, { own, other: cardName(duel.cards[first ? 1 : 0], words) });
    }
    case 'place': {
      const card = cardName(view.held[seat] ?? HIDDEN, words);
      if (!view.dojos[seat]?.cards.length) return say('place_first', { card });
      const row = lineName('row', Number(rest[0]), view, seat, words);
      return say('place', { card, row, column: lineName('column', Number(rest[1]), view, seat, words) });
    }
    case 'trophy': {
      const line = lineName(rest[0] as Line, Number(rest[1]), view, seat, words);
      return say('put', { trophy: words.word(view.trophy ?? ''), line });
    }
    default:
      return move;
  }
}

export function summary(given: View, words: Words): string[] {
  const view = given as DojoView;
  const say = (key: Key, fields = {}) => tell(words.lang, key, fields);
  const names = (seats: readonly number[]) => seats.map((seat) => words.name(seat)).join(', ');
  const lines = [say('round', { round: view.round }) + '.'];
  if (view.over) lines.push(say('winners', { names: names(view.winners) }));
  else if (view.dealer === null) lines.push(say('random'));
  else lines.push(say('deals', { dealer: words.name(view.dealer) }));
  if (!view.over) {
    if (view.belt === 'white') lines.push(say('trophy_points') + '.');
    else lines.push(view.trophy ? `${say('trophy', { trophy: trophyLabel(view.trophy, words) })}.` : say('no_trophy'));
    lines.push(say('pile', { number: view.tatamis_left }) + '.');
  }
  if (view.looking && view.dealer !== null) {
    const own = view.dealer === view.seat;
    lines.push((own ? say('looks_own', { card: cardName(view.looking, words) }) : say('looks', { name: words.name(view.dealer) })) + '.');
  }
  view.held.forEach((card, seat) => {
    if (card) lines.push(say('holds', { name: words.name(seat), card: cardName(card, words) }));
  });
  const duel = view.challenge;
  if (duel) {
    const [card, dealer_card] = duel.cards.map((one) => cardName(one, words));
    lines.push(say('versus', { attacker: words.name(duel.attacker), card, dealer: words.name(duel.dealer), dealer_card }));
    for (const [own, other] of duel.throws)
      lines.push(`${words.name(duel.attacker)}: ${words.word(own)}, ${words.name(duel.dealer)}: ${words.word(other)}.`);
    if (duel.winner !== null) lines.push(say('wins', { name: words.name(duel.winner) }) + '.');
  }
  if (view.ask === 'place') lines.push(say('still', { names: names(view.actors) }) + '.');
  else if (view.actors.length && !view.over) lines.push(say('turn', { names: names(view.actors) }));
  view.dojos.forEach((_, seat) => lines.push(dojoSays(view, seat, words)));
  return lines;
}

function dojoSays(view: DojoView, seat: number, words: Words): string {
  const say = (key: Key, fields = {}) => tell(words.lang, key, fields);
  const dojo = view.dojos[seat]!;
  const parts = rowsOf(dojo).map(({ row, cards }) => {
    const line = upper(lineName('row', row, view, seat, words));
    const trophy = dojo.trophies.find((one) => one.line === 'row' && one.at === row)?.trophy;
    const named = trophy ? say('with_trophy', { line, trophy: words.word(trophy) }) : line;
    const points = dojo.count.rows.find((one) => one.row === row)?.points ?? 0;
    return say('row_says', { line: named, cards: cards.map((card) => (card ? words.word(card) : say('empty'))).join(', '), points });
  });
  for (const column of dojo.count.columns) {
    if (!column.points && !column.trophy) continue;
    const line = upper(lineName('column', column.column, view, seat, words));
    const named = column.trophy ? say('with_trophy', { line, trophy: words.word(column.trophy) }) : line;
    parts.push(say('column_says', { line: named, points: column.points }));
  }
  const head = `${say('dojo_of', { name: words.name(seat) })}: ${say('points', { points: dojo.count.points })}`;
  return `${[head, say('won', { number: dojo.won }), ...(parts.length ? parts : [say('no_card')])].join('. ')}.`;
}

export function scoreSheet(given: View, words: Words): ScoreRow[] {
  const view = given as DojoView;
  const say = (key: Key, fields = {}) => tell(words.lang, key, fields);
  const counts = view.dojos.map((dojo) => dojo.count);
  const rows: ScoreRow[] = [0, 1, 2].map((i) => ({
    label: say('row_n', { number: i + 1 }),
    cells: counts.map((count) => count.rows[i]?.points ?? 0),
  }));
  for (const i of [0, 1, 2, 3])
    rows.push({ label: say('column_n', { number: i + 1 }), cells: counts.map((count) => count.columns[i]?.points ?? 0) });
  if (view.belt === 'white') rows.push({ label: say('trophies'), cells: counts.map((count) => count.trophies) });
  rows.push({ label: say('total'), cells: counts.map((count) => count.points), total: true });
  rows.push({ label: say('won', { number: '' }).replace(/\s*:\s*$/, ''), cells: view.dojos.map((dojo) => dojo.won) });
  return rows;
}
