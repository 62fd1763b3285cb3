// The game in words: moves, the position.
import type { View } from '../../lib/board';
import { chanceLabel } from '../../lib/stakes';
import type { Stake, Words } from '../../lib/words';
import { message } from './messages';
import { parse, shifted } from './moves';
import { objectiveOf, type DarumaView, type Objective } from './types';

/** `red daruma (re-roll all)`. */
export const cardName = (card: string, words: Words): string => words.word(card);

/** Two letters tell the colours apart in every language. */
export function letters(colour: string, words: Words): string {
  const word = words.word(colour);
  return word.charAt(0).toUpperCase() + word.charAt(1);
}

export const signed = (points: number): string => (points > 0 ? `+${points}` : `−${-points}`);

/** `red daruma`, for somebody who sees which one is marked. */
const colourName = (card: string, words: Words): string => cardName(card, words).replace(/ \([^()]*\)$/, '');

export const brief = (move: string, view: View, words: Words): string => describe(move, view, words, colourName);

export function describe(move: string, plain: View, words: Words, nameOf = cardName): string {
  const view = plain as DarumaView;
  const found = parse(move);
  if (!found) return move;
  switch (found.kind) {
    case 'sweep':
    case 'roll':
    case 'stop':
      return message(words, `do.${found.kind}`);
    case 'paint': {
      const place = view.places[found.place - 1];
      const second = place?.eyes.some((eye) => eye !== 'none');
      const card = place ? nameOf(place.card, words) : words.word('daruma');
      return message(words, second ? 'do.paint.2' : 'do.paint.1', { card, spot: message(words, `spot.${found.place}` as 'spot.1') });
    }
    case 'sake':
      return message(words, 'do.sake', { face: found.face });
    case 'reroll':
      return message(words, 'do.reroll', { dice: found.dice.join(', ') });
    case 'shift':
      return message(words, 'do.shift', {
        shifts: found.shifts.map((one) => `${one.face} → ${shifted(one.face, one.up)}`).join(', '),
      });
    case 'give':
      return message(words, 'do.give', { card: nameOf(found.card, words), to: words.name(found.to) });
    case 'swap': {
      const [one, other] = found.sides;
      const fields = { seat: view.actors[0] ?? one.seat, one_seat: one.seat, one_card: one.card && nameOf(one.card, words), other_seat: other.seat, other_card: other.card && nameOf(other.card, words) };
      return words.message('story', 'swap', fields).replace(/\.$/, '');
    }
  }
}

/** The chance of bad luck where dice are still to be chosen, from the fewest to the most; null where there is none. */
export function riskRange(stake: Stake | undefined, words: Words): string | null {
  const [low, high = low] = [stake?.['low'], stake?.['high']];
  if (!high) return null;
  return low === high ? chanceLabel(low, words) : `${Math.round(100 * Number(low))}–${chanceLabel(high, words)}`;
}

export function eyesText(eyes: readonly string[], words: Words): string {
  const painted = eyes.filter((eye) => eye !== 'none').length;
  return message(words, (['eye.none', 'eye.one', 'eye.two'] as const)[painted] ?? 'eye.two');
}

export const objectiveText = (one: Objective, words: Words): string =>
  message(words, 'objective.words', {
    good: one.good.map((colour) => words.word(colour)).join(', '),
    bad: words.word(one.bad),
  });

export function ledgerText(fours: number, fictive: number, words: Words): string {
  return message(words, fictive ? 'ledger.phantom' : 'ledger', { fours, phantom: fictive });
}

export function sakeText(dice: number[], words: Words): string {
  return dice.length ? message(words, 'sake', { dice: dice.join(', ') }) : message(words, 'sake.none');
}

export function trackText(view: DarumaView, words: Words): string {
  return message(words, 'sum.track', {
    tokens: view.track.map((kind, i) => `${i + 1} ${words.word(kind)}`).join(', '),
    counter: view.counter,
    steps: view.steps_left,
    token: words.word(view.track[view.counter - 1] ?? 'blank'),
  });
}

export function summary(plain: View, words: Words): string[] {
  const view = plain as DarumaView;
  const lines: string[] = [];
  if (view.over) lines.push(message(words, 'sum.over', { names: view.winners.map((seat) => words.name(seat)).join(', ') }));
  else if (view.turn !== null) lines.push(message(words, 'sum.turn', { name: words.name(view.turn) }));
  if (!view.over)
    lines.push(view.dice.length ? message(words, 'sum.dice', { dice: view.dice.join(', ') }) : message(words, 'sum.nodice'));
  lines.push(`${ledgerText(view.ledger.fours, view.ledger.fictive, words)}. ${sakeText(view.sake, words)}.`);
  view.places.forEach((place, i) => {
    const fields = place && { place: i + 1, card: cardName(place.card, words), eyes: eyesText(place.eyes, words) };
    lines.push(`${fields ? message(words, 'place', fields) : message(words, 'empty', { place: i + 1 })}.`);
  });
  if (view.track.length) lines.push(trackText(view, words));
  lines.push(`${message(words, 'pile', { count: view.pile })}.`);
  view.collections.forEach((cards, seat) => {
    const name = words.name(seat);
    const held = cards.map((card) => cardName(card, words)).join(', ') || message(words, 'none');
    const points = view.known_scores[seat];
    const score = typeof points === 'number' ? ` ${message(words, 'points', { points })}.` : '';
    lines.push(`${message(words, 'sum.shelf', { name, cards: held })}${score}`);
    const goal = objectiveOf(view, seat);
    if (goal) lines.push(`${message(words, 'objective.of', { name })}: ${objectiveText(goal, words)}.`);
  });
  return lines;
}

export function anchors(view: View): string[] {
  const known: Record<string, string[]> = {
    start: ['sweep', 'turn'],
    use: ['turn', 'paint', 'sake', 'gift', 'stop'],
    sake: ['sake'],
    'reroll-multiples': ['reroll'],
    'shift-multiples': ['shift'],
    'shift-singles': ['shift'],
    swap: ['swap'],
    over: ['score', 'game-end'],
  };
  return known[view.phase] ?? ['turn'];
}

/** Objectives are secret, so points stand at the seats only when all is known. */
export function seatScores(plain: View): (number | null)[] {
  const view = plain as DarumaView;
  return view.over ? view.known_scores : view.known_scores.map(() => null);
}
