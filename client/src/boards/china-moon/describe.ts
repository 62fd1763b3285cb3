// The game in words: moves, pieces, the position. Shared by buttons, captions and screen readers.
import type { View } from '../../lib/board';
import type { Words } from '../../lib/words';
import { message } from './messages';
import { frogMoves, padsOf, parse, type Parsed } from './moves';
import { COLOURS, letterOf, ownerOf, type Colour, type FrogAt, type MoonView } from './types';

export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

export function frogName(frog: string, view: View, words: Words): string {
  const owner = ownerOf(frog);
  const letter = letterOf(frog);
  if (owner === view.seat) return message(words, 'yourFrog', { letter });
  return message(words, 'theirFrog', { letter, name: words.name(owner) });
}

export function whereIs(pad: string, words: Words): string {
  if (pad === 'start') return message(words, 'onStart');
  return pad === 'goal' ? message(words, 'onGoal') : message(words, 'onPad', { pad });
}

export function frogLabel(one: FrogAt, view: View, words: Words): string {
  const fields = { frog: frogName(one.frog, view, words), where: whereIs(one.pad, words) };
  return capital(message(words, one.moved ? 'frogMoved' : 'frogHere', fields));
}

export function padLabel(id: string, view: MoonView, words: Words): string {
  const kind = view.board.pads.find((one) => one.id === id)?.kind ?? 'blank';
  const name = message(words, 'padName', { pad: id, kind: words.word(kind) });
  const lily = view.lilies[id];
  return lily ? `${name}, ${lilyName(lily, words)}` : name;
}

export const lilyName = (colour: Colour, words: Words): string =>
  message(words, 'lily', { colour: words.word(colour) });

export function goalLabel(view: MoonView, words: Words): string {
  const places = view.goal.map(({ place, lily, frog }) => {
    const gone = frog ? frogName(frog, view, words) : message(words, 'goalGone');
    return message(words, 'goalPlace', { place, what: lily ? lilyName(lily, words) : gone });
  });
  return message(words, 'goalName', { places: places.join(', ') });
}

export const pointsText = (count: number, words: Words): string => message(words, 'points', { count });

export function describe(text: string, plain: View, words: Words): string {
  const view = plain as MoonView;
  const move = parse(text);
  if (move.kind === 'move') {
    const what = move.pad === 'goal' ? nextPrize(view, words) : '';
    const on = view.phase === 'spring';
    const key = on ? (what ? 'goOnSo' : 'goOn') : what ? 'moveSo' : 'move';
    return capital(message(words, key, { frog: frogName(move.frog, view, words), where: toldApart(move, view, words), what }));
  }
  if (move.kind === 'trade')
    return message(words, 'trade', {
      name: words.name(move.other),
      give: words.word(move.give),
      take: words.word(move.take),
    });
  if (move.kind === 'drop') {
    if (move.pad === null) return message(words, 'drop', { colour: words.word(move.colour) });
    return message(words, 'dropOn', { colour: words.word(move.colour), where: toldApart({ text, pad: move.pad }, view, words) });
  }
  // The chances of a set-up that is entered by hand.
  const [word = '', first = '', second = ''] = text.split(' ');
  if (word === 'first') return words.message('log', 'first', { first_seat: Number(first.slice(1)) - 1 });
  if (word === 'goal') return words.message('log', 'goal', { place: first, colour: second });
  if (word === 'lily') return words.message('log', 'lily', { pad: first, colour: second });
  return text;
}

/** A move for somebody who sees the board, where its place is marked: in words, without the names of pads. */
export function brief(text: string, plain: View, words: Words): string {
  const view = plain as MoonView;
  const move = parse(text);
  if (move.kind === 'drop') return message(words, 'drop', { colour: words.word(move.colour) });
  if (move.kind !== 'move') return describe(text, view, words);
  return capital(message(words, view.phase === 'spring' ? 'goOn' : 'move', { frog: frogName(move.frog, view, words), where: wayName(move, view, words) }));
}

/** Where a move leads: what is there, and where a spring throws the frog. */
function wayName(move: { text: string; pad: string }, view: MoonView, words: Words): string {
  const [named, landing] = [placeName(move.pad, view, words), landingOf(move, view)];
  return landing === move.pad ? named : message(words, 'toAndOn', { first: named, then: placeName(landing, view, words) });
}

/** The same with how far that is from the goal, for whoever does not see it marked. */
function farName(move: { text: string; pad: string }, view: MoonView, words: Words): string {
  const count = view.board.pads.find((one) => one.id === landingOf(move, view))?.to_goal;
  const where = wayName(move, view, words);
  return count === undefined ? where : message(words, 'far', { where, count });
}

/** The same with the name of the pad, where another move of the frog (or of the lily) would read alike. */
function toldApart(move: { text: string; pad: string }, view: MoonView, words: Words): string {
  const where = farName(move, view, words);
  const parsed = Object.keys(view.routes).map(parse);
  const what = (one: Parsed): string => (one.kind === 'move' ? one.frog : one.kind === 'drop' ? one.colour : '');
  const mine = what(parse(move.text));
  const alike = parsed.some((one) => (one.kind === 'move' || one.kind === 'drop') && one.pad !== null && one.pad !== move.pad && what(one) === mine && farName({ text: one.text, pad: one.pad }, view, words) === where);
  return alike ? message(words, 'named', { where, pad: move.pad }) : where;
}

/** Where a move's frog lands: after a spring with a single way on, further than the pad that the move names. */
export const landingOf = ({ text, pad }: { text: string; pad: string }, view: MoonView): string => view.routes[text]?.at(-1) ?? pad;

function placeName(pad: string, view: MoonView, words: Words): string {
  if (pad === 'goal') return message(words, 'toGoal');
  const kind = view.board.pads.find((one) => one.id === pad)?.kind ?? 'blank';
  const colour = view.lilies[pad];
  const [special, lily] = [kind !== 'blank' && kind !== 'lily', colour !== undefined];
  const fields = { kind: words.word(kind), colour: words.word(colour ?? '') };
  return message(words, special ? (lily ? 'toKindWithLily' : 'toKind') : lily ? 'toLily' : 'toLeaf', fields);
}

/** Which frogs can land on a pad, where a frog is to be moved. */
export function landers(pad: string, view: MoonView, words: Words): string | undefined {
  const moves = frogMoves(Object.keys(view.routes), view.routes);
  if (moves.length === 0) return undefined;
  const frogs = [...new Set(moves.filter((one) => padsOf(one).includes(pad)).map((one) => frogName(one.frog, view, words)))];
  return frogs.length ? message(words, 'lands', { frogs: frogs.join(', ') }) : message(words, 'landsNone');
}

/** The place in the goal that a frog takes next, and its lily. */
function nextPrize(view: MoonView, words: Words): string {
  const free = view.goal.find((one) => one.frog === null && one.lily !== null);
  return free?.lily ? message(words, 'prize', { place: free.place, colour: words.word(free.lily) }) : '';
}

export function heldText(held: Record<Colour, number>, words: Words): string {
  const list = COLOURS.filter((one) => held[one] > 0).map((one) =>
    message(words, 'count', { count: held[one], colour: words.word(one) }),
  );
  return list.length ? message(words, 'lilies', { list: list.join(', ') }) : message(words, 'noLilies');
}

export function summary(plain: View, words: Words): string[] {
  const view = plain as MoonView;
  const lines: string[] = [];
  if (view.over) lines.push(message(words, 'overLine', { names: view.winners.map((one) => words.name(one)).join(', ') }));
  else if (view.turn !== null) {
    const fields = { name: words.name(view.turn), count: view.moves_left };
    lines.push(message(words, 'turnLine', fields));
    const decides = view.actors[0];
    if (view.frog && decides !== undefined) lines.push(message(words, 'askLine', { name: words.name(decides), frog: words.word(view.frog) }));
  }
  for (const [seat, frogs] of view.frogs.entries()) {
    const at = frogs.map((one) => message(words, 'frogAt', { letter: letterOf(one.frog), where: whereIs(one.pad, words) }));
    lines.push(
      message(words, 'seatLine', {
        name: words.name(seat),
        points: pointsText(view.points[seat] ?? 0, words),
        lilies: heldText(view.held[seat]!, words),
        frogs: at.join(', '),
      }),
    );
  }
  lines.push(`${goalLabel(view, words)}.`);
  const lying = view.board.pads.flatMap(({ id }) => {
    const lily = view.lilies[id];
    return lily ? [message(words, 'padLily', { colour: words.word(lily), pad: id })] : [];
  });
  lines.push(lying.length ? message(words, 'padsLine', { list: lying.join(', ') }) : message(words, 'padsNone'));
  return lines;
}

export function anchors(view: View): string[] {
  const known: Record<string, string> = {
    move: 'move',
    spring: 'spring',
    trade: 'prankster',
    drop: 'butterfly',
    over: 'score',
  };
  return [known[view.phase] ?? 'set-up'];
}

export const seatScores = (view: View): (number | null)[] => [...(view as MoonView).points];
