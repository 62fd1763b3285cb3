// The texts of moves, taken apart and put together. Nothing here decides what is legal: all questions are
// answered by looking through the legal texts.

export interface Shift {
  face: number;
  up: boolean;
}
/** One side of an exchange: a seat and what it hands over (null: it has nothing). */
export interface Side {
  seat: number;
  card: string | null;
}
export type Move =
  | { kind: 'sweep' | 'roll' | 'stop' }
  | { kind: 'paint'; place: number }
  | { kind: 'sake'; face: number }
  | { kind: 'reroll'; dice: number[] }
  | { kind: 'shift'; shifts: Shift[] }
  | { kind: 'give'; card: string; to: number }
  | { kind: 'swap'; sides: [Side, Side] };

const seatOf = (word: string): number => Number(word.slice(1)) - 1;

export function parse(text: string): Move | null {
  const [verb = '', ...rest] = text.split(' ');
  if (verb === 'sweep' || verb === 'roll' || verb === 'stop') return { kind: verb };
  if (verb === 'paint') return { kind: verb, place: Number(rest[0]) };
  if (verb === 'sake') return { kind: verb, face: Number(rest[0]) };
  if (verb === 'reroll') return { kind: verb, dice: rest.map(Number) };
  if (verb === 'shift')
    return { kind: verb, shifts: rest.map((one) => ({ face: Number(one[0]), up: one[1] === '+' })) };
  if (verb === 'give') return { kind: verb, card: rest[0] ?? '', to: seatOf(rest[1] ?? '') };
  if (verb === 'swap') {
    const sides: Side[] = [];
    for (const word of rest) {
      const last = sides[sides.length - 1];
      if (/^p\d+$/.test(word)) sides.push({ seat: seatOf(word), card: null });
      else if (last) last.card = word;
    }
    const [one, other] = sides;
    if (one && other) return { kind: verb, sides: [one, other] };
  }
  return null;
}

export const rerollText = (dice: number[]): string => `reroll ${[...dice].sort((a, b) => a - b).join(' ')}`;

/** `shift 2+ 2+ 3-`: by face, up before down. */
export function shiftText(shifts: Shift[]): string {
  const sorted = [...shifts].sort((a, b) => a.face - b.face || Number(b.up) - Number(a.up));
  return `shift ${sorted.map((one) => `${one.face}${one.up ? '+' : '-'}`).join(' ')}`;
}

/** The face a die shows after a shift; 6 and 1 are neighbours. */
export const shifted = (face: number, up: boolean): number => ((face - 1 + (up ? 1 : 5)) % 6) + 1;

export function swapText(one: Side, other: Side): string {
  const sides = one.seat < other.seat ? [one, other] : [other, one];
  return `swap ${sides.map((side) => `p${side.seat + 1}${side.card ? ` ${side.card}` : ''}`).join(' ')}`;
}
