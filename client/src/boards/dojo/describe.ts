// The game in words: moves, the position for screen readers.
import type { View } from '../../lib/board';
import type { Words } from '../../lib/words';
import { around, countOf, HIDDEN, lineOf, MOVERS, rowsOf } from './logic';
import { message, type Key } from './messages';
import type { Dojo, DojoView, Line } from './types';

export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A player's name; the reader's own is "you". */
export const player = (seat: number, own: number | null, words: Words): string => (seat === own ? message(words, 'you') : words.name(seat));

export function cardName(card: string, words: Words): string {
  return card === HIDDEN ? message(words, 'back') : words.word(card);
}

/** How the count reads the place of a card, where that is not what lies there; else nothing. */
export function countNote(counted: { card: string; as: string | null; moved: boolean }, words: Words): string {
  const as = counted.as && !counted.card.startsWith(counted.as) ? words.word(counted.as) : null;
  if (!counted.moved) return as ? message(words, 'counts_as', { as }) : '';
  return message(words, as ? 'lies_here_as' : 'lies_here', { card: cardName(counted.card, words), as });
}

export function trophyLabel(trophy: string, words: Words): string {
  return message(words, lineOf(trophy) === 'row' ? 'trophy_row' : 'trophy_column', { trophy: words.word(trophy) });
}

/** What a trophy does, in a few words. */
export const effect = (trophy: string, words: Words): string => message(words, `effect_${trophy}` as Key);

/** A line by its number among those that have a card: the first is on top or on the left. */
export function lineName(line: Line, at: number, view: DojoView, seat: number, words: Words): string {
  const box = around(view.dojos[seat]?.cards ?? []) ?? { top: at, bottom: at, left: at, right: at };
  const text = (key: Key, number?: number) => message(words, key, { number });
  if (line === 'row') {
    if (at < box.top) return text('row_above');
    return at > box.bottom ? text('row_below') : text('row', at - box.top + 1);
  }
  if (at < box.left) return text('column_left');
  return at > box.right ? text('column_right') : text('column', at - box.left + 1);
}

export function describe(move: string, given: View, words: Words): string {
  const view = given as DojoView;
  const seat = view.seat ?? view.actors[0] ?? 0;
  const [kind, ...rest] = move.split(' ');
  const text = (key: Key, fields = {}) => message(words, key, fields);
  const duel = view.challenge;
  switch (kind) {
    case 'give': {
      const to = Number(rest[0]?.slice(1)) - 1;
      const card = cardName(view.looking ?? HIDDEN, words);
      return to === seat ? text('give_self', { card }) : text('give', { card, name: words.name(to) });
    }
    case 'challenge':
      return view.dealer === null ? text('challenge_any') : text('challenge', { name: words.name(view.dealer) });
    case 'pass':
      return text('pass');
    case 'throw':
      return text('throw', { hand: words.word(rest[0]) });
    case 'swap':
    case 'keep': {
      if (!duel) return text(kind === 'swap' ? 'swap_plain' : 'keep_plain');
      const first = duel.attacker === seat;
      const own = cardName(duel.cards[first ? 0 : 1], words);
      return text(kind, { own, other: cardName(duel.cards[first ? 1 : 0], words) });
    }
    case 'place': {
      const card = cardName(view.held[seat] ?? HIDDEN, words);
      if (!view.dojos[seat]?.cards.length) return text('place_first', { card });
      const row = lineName('row', Number(rest[0]), view, seat, words);
      return text('place', { card, row, column: lineName('column', Number(rest[1]), view, seat, words) });
    }
    case 'trophy': {
      const line = lineName(rest[0] as Line, Number(rest[1]), view, seat, words);
      return text('put', { trophy: words.word(view.trophy ?? ''), line });
    }
    default:
      return move;
  }
}

/** Who has won, and what broke a tie. */
export function winnersSay(view: DojoView, words: Words): string {
  const names = upper(view.winners.map((seat) => player(seat, view.seat, words)).join(', '));
  const alone = view.winners.join() === `${view.seat}`;
  if (view.tie === 'shared') return message(words, 'tie_shared', { names });
  if (view.tie) return message(words, alone ? 'tie_you' : 'tie_challenges', { names });
  return alone ? message(words, 'you_win') : message(words, 'winners', { names });
}

/** What a line counts now, its trophy included. */
export function lineNote(line: Line, at: number, view: DojoView, seat: number, words: Words): string {
  const found = countOf(view.dojos[seat]!, line, at);
  if (!found) return '';
  const { trophy, points } = found;
  const counts = message(words, 'line_counts', { line: upper(lineName(line, at, view, seat, words)), points, ...(trophy && { trophy: words.word(trophy), effect: effect(trophy, words) }) });
  const moved = moverNote(line, found.by_moving, words);
  return moved ? `${counts} ${moved}` : counts;
}

/** What a line owes to cards that a broom or an assistant has moved. */
export const moverNote = (line: Line, by_moving: number, words: Words): string => (by_moving ? message(words, 'by_moving', { trophy: words.word(MOVERS[line]), by_moving }) : '');

/** What a dojo owes to the trophy of a line. */
export function trophyNote(dojo: Dojo, line: Line, at: number, words: Words): string {
  const gain = countOf(dojo, line, at)?.gain ?? 0;
  const { points } = dojo.count;
  const where = Object.values(MOVERS).includes(countOf(dojo, line, at)?.trophy ?? '') && { elsewhere: message(words, line === 'row' ? 'columns' : 'rows') };
  return message(words, 'trophy_gain', gain ? { points, without: points - gain, ...where } : {});
}

/** For whoever sees the place marked: rows have numbers only in a dojo that is large. */
export const brief = (move: string, given: View, words: Words): string => {
  const { seat, held } = given as DojoView;
  return seat !== null && move.startsWith('place ') ? message(words, 'place_here', { card: cardName(held[seat] ?? HIDDEN, words) }) : describe(move, given, words);
};

export function summary(given: View, words: Words): string[] {
  const view = given as DojoView;
  const text = (key: Key, fields = {}) => message(words, key, fields);
  const names = (seats: readonly number[]) => seats.map((seat) => words.name(seat)).join(', ');
  const lines = [text('round', { round: view.round }) + '.'];
  if (view.over) lines.push(winnersSay(view, words));
  else if (view.dealer === null) lines.push(text('random'));
  else lines.push(text('deals', { dealer: words.name(view.dealer) }));
  if (!view.over) {
    if (view.belt === 'white') lines.push(text('trophy_points') + '.');
    else lines.push(view.trophy ? `${text('trophy', { trophy: trophyLabel(view.trophy, words) })}.` : text('no_trophy'));
    lines.push(text('pile', { number: view.tatamis_left }) + '.');
  }
  if (view.looking && view.dealer !== null) {
    const own = view.dealer === view.seat;
    lines.push((own ? text('looks_own', { card: cardName(view.looking, words) }) : text('looks', { name: words.name(view.dealer) })) + '.');
  }
  view.held.forEach((card, seat) => {
    if (card) lines.push(text('holds', { name: words.name(seat), card: cardName(card, words) }));
  });
  const duel = view.challenge;
  if (duel) {
    const [card, dealer_card] = duel.cards.map((one) => cardName(one, words));
    lines.push(text('versus', { attacker: words.name(duel.attacker), card, dealer: words.name(duel.dealer), dealer_card }));
    for (const [own, other] of duel.throws)
      lines.push(`${words.name(duel.attacker)}: ${words.word(own)}, ${words.name(duel.dealer)}: ${words.word(other)}.`);
    if (duel.winner !== null) lines.push(text('wins', { name: words.name(duel.winner) }) + '.');
  }
  if (view.ask === 'place') lines.push(text('still', { names: names(view.actors) }) + '.');
  else if (view.actors.length && !view.over) lines.push(text('turn', { names: names(view.actors) }));
  view.dojos.forEach((_, seat) => lines.push(dojoSays(view, seat, words)));
  return lines;
}

function dojoSays(view: DojoView, seat: number, words: Words): string {
  const text = (key: Key, fields = {}) => message(words, key, fields);
  const dojo = view.dojos[seat]!;
  const parts = rowsOf(dojo).map(({ row, cards }) => {
    const line = upper(lineName('row', row, view, seat, words));
    const trophy = dojo.trophies.find((one) => one.line === 'row' && one.at === row)?.trophy;
    const named = trophy ? text('with_trophy', { line, trophy: words.word(trophy) }) : line;
    const points = dojo.count.rows.find((one) => one.row === row)?.points ?? 0;
    return text('row_says', { line: named, cards: cards.map((card) => (card ? words.word(card) : text('empty'))).join(', '), points });
  });
  for (const column of dojo.count.columns) {
    if (!column.points && !column.trophy) continue;
    const line = upper(lineName('column', column.column, view, seat, words));
    const named = column.trophy ? text('with_trophy', { line, trophy: words.word(column.trophy) }) : line;
    parts.push(text('column_says', { line: named, points: column.points }));
  }
  const head = `${text('dojo_of', { name: words.name(seat) })}: ${text('points', { points: dojo.count.points })}`;
  return `${[head, text('won', { number: dojo.won }), ...(parts.length ? parts : [text('no_card')])].join('. ')}.`;
}
