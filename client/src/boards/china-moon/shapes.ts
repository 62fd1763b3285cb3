// The outlines of small things, in units of their radius; one path each keeps the page light.
import type { Colour } from './types';

const at = (turn: number, r: number): string => `${(Math.cos(turn) * r).toFixed(3)} ${(Math.sin(turn) * r).toFixed(3)}`;

/** A ring of petals as one path: `wide` is their half angle, `sharp` pulls the tips to points. */
export function petals(count: number, length: number, wide: number, sharp: boolean, phase = 0): string {
  let path = '';
  for (let i = 0; i < count; i++) {
    const turn = phase - Math.PI / 2 + (i / count) * 2 * Math.PI;
    const [left, right] = [turn - wide, turn + wide];
    path += sharp
      ? `M0 0Q${at(left, length * 0.62)} ${at(turn, length)}Q${at(right, length * 0.62)} 0 0Z`
      : `M0 0C${at(left, length * 0.75)} ${at(left + wide * 0.35, length * 1.08)} ${at(turn, length)}C${at(right - wide * 0.35, length * 1.08)} ${at(right, length * 0.75)} 0 0Z`;
  }
  return path;
}

/** Every colour has petals of its own, so that none needs its hue to be known. */
export const LILIES: Record<Colour, { outer: string; inner: string; heart: number }> = {
  pink: { outer: petals(8, 1, 0.5, true), inner: petals(6, 0.6, 0.55, true, 0.4), heart: 0.16 },
  white: { outer: petals(6, 0.95, 0.62, false), inner: '', heart: 0.3 },
  yellow: { outer: petals(5, 1.02, 0.8, true), inner: petals(5, 0.58, 0.7, true, 0.63), heart: 0.14 },
  blue: { outer: petals(4, 0.98, 0.95, false), inner: petals(4, 0.62, 0.5, true, 0.785), heart: 0.18 },
  black: { outer: petals(3, 1.08, 0.95, true), inner: petals(3, 0.8, 0.6, true, Math.PI), heart: 0.17 },
};

/** A leaf with its notch to the right. */
export const LEAF = (() => {
  const open = 0.2;
  return `M${at(open, 1)}A1 1 0 1 1 ${at(-open, 1)}Q0.75 -0.06 0.46 0Q0.75 0.06 ${at(open, 1)}Z`;
})();
export const VEINS = [0.9, 1.6, 2.35, 3.14, 3.93, 4.68, 5.38].map((turn) => `M${at(turn, 0.16)}L${at(turn, 0.84)}`).join('');

function ring(points: number, outer: number, inner: number, phase = 0): string {
  const turns = Array.from({ length: points * 2 }, (_, i) => phase - Math.PI / 2 + (i / (points * 2)) * 2 * Math.PI);
  return `M${turns.map((turn, i) => at(turn, i % 2 ? inner : outer)).join('L')}Z`;
}

function scallops(count: number, r: number): string {
  const corner = (i: number): string => at(-Math.PI / 2 + ((i + 0.5) / count) * 2 * Math.PI, r);
  const bow = (r * Math.sin(Math.PI / count) * 1.12).toFixed(3);
  let path = `M${corner(0)}`;
  for (let i = 1; i <= count; i++) path += `A${bow} ${bow} 0 0 1 ${corner(i)}`;
  return `${path}Z`;
}

const dots = (count: number, r: number, phase: number): string =>
  Array.from({ length: count }, (_, i) => `M${at(phase + (i / count) * 2 * Math.PI, r)}h0.001`).join('');
const spokes = (count: number, from: number, to: number): string =>
  Array.from({ length: count }, (_, i) => `M${at((i / count) * 2 * Math.PI, from)}L${at((i / count) * 2 * Math.PI, to)}`).join('');

/** A hat per seat, from above: outline, pattern, and the width of the pattern's stroke. */
export const HATS: { edge: string; pattern: string; width: number }[] = [
  { edge: 'M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z', pattern: 'M.8 0A.8 .8 0 1 1 -.8 0A.8 .8 0 1 1 .8 0Z', width: 0.12 },
  {
    edge: 'M-.62 -.9H.62Q.9 -.9 .9 -.62V.62Q.9 .9 .62 .9H-.62Q-.9 .9 -.9 .62V-.62Q-.9 -.9 -.62 -.9Z',
    pattern: 'M-.9 -.42L-.42 -.9M-.9 .0L.0 -.9M.9 .42L.42 .9M.9 0L0 .9M-.9 .42L.42 -.9M-.42 .9L.9 -.42',
    width: 0.13,
  },
  { edge: scallops(8, 0.82), pattern: dots(8, 0.78, Math.PI / 8), width: 0.24 },
  { edge: ring(3, 1.08, 1.08, Math.PI / 6), pattern: spokes(6, 0.5, 0.98), width: 0.13 },
  { edge: ring(8, 1.08, 0.84), pattern: ring(8, 0.86, 0.66), width: 0.1 },
];

/** The mark of a hint, 16 px wide. */
export const STAR = 'M0 -8L2.3 -2.6L8 -2L3.7 1.9L5 7.6L0 4.6L-5 7.6L-3.7 1.9L-8 -2L-2.3 -2.6Z';
