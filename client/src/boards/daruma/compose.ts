// Moves of several steps, put together piece by piece. The legal texts are the only judge: a piece may be
// picked when some legal text still contains all that was picked before.
import { parse, rerollText, shiftText, swapText, type Move, type Shift, type Side } from './moves';

export interface PickDie {
  id: number;
  face: number;
}

function all<K extends Move['kind']>(moves: string[], kind: K): Extract<Move, { kind: K }>[] {
  return moves.map(parse).filter((move): move is Extract<Move, { kind: K }> => move?.kind === kind);
}

export const paintPlaces = (moves: string[]): Set<number> => new Set(all(moves, 'paint').map((one) => one.place));
export const sakeFaces = (moves: string[]): Set<number> => new Set(all(moves, 'sake').map((one) => one.face));

// ---- dice to roll again ----------------------------------------------------------------------------------

/** Whether every subset is offered (the sake) or only whole values (a daruma's action). */
export function freeReroll(ask: string | null): boolean {
  return ask === 'sake';
}

export function rerollMove(moves: string[], dice: PickDie[], picked: ReadonlySet<number>): string | null {
  const text = rerollText(dice.filter((die) => picked.has(die.id)).map((die) => die.face));
  return moves.includes(text) ? text : null;
}

/** The dice a tap on one of them stands for, when only whole values may be rolled. */
export function valueMove(moves: string[], dice: PickDie[], face: number): string | null {
  const text = rerollText(dice.filter((die) => die.face === face).map((die) => die.face));
  return moves.includes(text) ? text : null;
}

// ---- shifts ----------------------------------------------------------------------------------------------

export type Directions = Readonly<Record<number, boolean>>;

const countOf = (shifts: Shift[], face: number, up: boolean): number =>
  shifts.filter((one) => one.face === face && one.up === up).length;

/** Faces some legal shift moves. */
export const shiftFaces = (moves: string[]): Set<number> =>
  new Set(all(moves, 'shift').flatMap((one) => one.shifts.map((shift) => shift.face)));

/** The dice that go together: all with a value of their own, or all of one value. */
export function shiftGroup(moves: string[], dice: PickDie[], face: number | null): PickDie[] {
  const found = all(moves, 'shift').find((one) => face === null || one.shifts.some((shift) => shift.face === face));
  const faces = new Set(found?.shifts.map((one) => one.face));
  return dice.filter((die) => faces.has(die.face));
}

/** Whether the choices so far can still become a legal shift of this group. */
export function shiftFits(moves: string[], group: PickDie[], chosen: Directions): boolean {
  const want = group.filter((die) => chosen[die.id] !== undefined).map((die) => ({ face: die.face, up: chosen[die.id]! }));
  const faces = new Set(group.map((die) => die.face));
  return all(moves, 'shift').some(
    ({ shifts }) =>
      shifts.length === group.length &&
      shifts.every((one) => faces.has(one.face)) &&
      want.every((one) => countOf(want, one.face, one.up) <= countOf(shifts, one.face, one.up)),
  );
}

/** Which ways a die may go, given what the others of its group do. */
export function ways(moves: string[], group: PickDie[], chosen: Directions, die: PickDie): boolean[] {
  const rest = { ...chosen };
  delete rest[die.id];
  return [true, false].filter((up) => shiftFits(moves, group, { ...rest, [die.id]: up }));
}

/** Dice that can go one way only go that way without being asked. */
export function obvious(moves: string[], group: PickDie[], chosen: Directions): Directions {
  const result: Record<number, boolean> = { ...chosen };
  for (const die of group) {
    if (result[die.id] !== undefined) continue;
    const [only, other] = ways(moves, group, {}, die);
    if (only !== undefined && other === undefined) result[die.id] = only;
  }
  return result;
}

/** The next direction of a tapped die: up, then down, then up again. */
export function turned(moves: string[], group: PickDie[], chosen: Directions, die: PickDie): Directions {
  const open = ways(moves, group, chosen, die);
  const now = chosen[die.id];
  const next = now === undefined ? open[0] : (open.find((up) => up !== now) ?? now);
  return next === undefined ? chosen : { ...chosen, [die.id]: next };
}

export function shiftMove(moves: string[], group: PickDie[], chosen: Directions): string | null {
  if (group.length === 0 || group.some((die) => chosen[die.id] === undefined)) return null;
  const text = shiftText(group.map((die) => ({ face: die.face, up: chosen[die.id]! })));
  return moves.includes(text) ? text : null;
}

// ---- gifts and exchanges ---------------------------------------------------------------------------------

export const giftCards = (moves: string[]): Set<string> => new Set(all(moves, 'give').map((one) => one.card));
export const giftSeats = (moves: string[], card: string): Set<number> =>
  new Set(all(moves, 'give').filter((one) => one.card === card).map((one) => one.to));

const same = (a: Side, b: Side): boolean => a.seat === b.seat && a.card === b.card;
export const sideKey = (side: Side): string => `${side.seat} ${side.card ?? ''}`;

/** Sides that may be picked next; all that take part in some exchange while nothing is picked. */
export function swapSides(moves: string[], first: Side | null): Set<string> {
  const keys = new Set<string>();
  for (const { sides } of all(moves, 'swap'))
    for (const [one, other] of [sides, [sides[1], sides[0]] as const])
      if (first === null || same(one, first)) keys.add(sideKey(first === null ? one : other));
  return keys;
}

/** What a side can be exchanged for, with the move that does it. */
export function swapsWith(moves: string[], side: Side): [Side, string][] {
  return moves.flatMap((text): [Side, string][] => {
    const move = parse(text);
    if (move?.kind !== 'swap') return [];
    const [one, other] = move.sides;
    return same(one, side) ? [[other, text]] : same(other, side) ? [[one, text]] : [];
  });
}

export function swapMove(moves: string[], one: Side, other: Side): string | null {
  if (one.seat === other.seat) return null;
  const text = swapText(one, other);
  return moves.includes(text) ? text : null;
}
