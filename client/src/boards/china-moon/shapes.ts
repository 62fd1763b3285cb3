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

const dots = (count: number, r: number, phase: number): string =>
  Array.from({ length: count }, (_, i) => `M${at(phase + (i / count) * 2 * Math.PI, r)}h0.001`).join('');
const spokes = (count: number, from: number, to: number): string =>
  Array.from({ length: count }, (_, i) => `M${at((i / count) * 2 * Math.PI, from)}L${at((i / count) * 2 * Math.PI, to)}`).join('');

/** A kind of frog per seat, from above, looking up: its outline tells whose it is without the colour, and so do the marks on its back. */
export interface Species {
  body: string;
  legs: string;
  /** Discs at the ends of the legs. */
  toes: string;
  marks: string;
  /** The width of the marks' stroke. */
  width: number;
  /** Where the right eye is; the left one is opposite. */
  eye: { x: number; y: number };
}
export const SPECIES: readonly Species[] = [
  // A round toad with warts and short legs.
  {
    body: 'M0 -.94C.6 -.94 1 -.52 1 .06C1 .66 .58 1.02 0 1.02C-.58 1.02 -1 .66 -1 .06C-1 -.52 -.6 -.94 0 -.94Z',
    legs: 'M-.78 .66L-1 .98M.78 .66L1 .98M-.84 -.42L-1.06 -.7M.84 -.42L1.06 -.7',
    toes: '',
    marks: dots(8, 0.72, Math.PI / 8),
    width: 0.2,
    eye: { x: 0.44, y: -0.82 },
  },
  // A slim tree frog on long legs with discs at its toes.
  {
    body: 'M0 -1.02C.4 -1.02 .6 -.78 .56 -.46C.54 0 .52 .8 0 .9C-.52 .8 -.54 0 -.56 -.46C-.6 -.78 -.4 -1.02 0 -1.02Z',
    legs: 'M-.36 .56Q-.98 .02 -.98 .5L-.98 .98M.36 .56Q.98 .02 .98 .5L.98 .98M-.4 -.2Q-.96 0 -1 -.58M.4 -.2Q.96 0 1 -.58',
    toes: 'M-.98 1h.001M.98 1h.001M-1.02 -.62h.001M1.02 -.62h.001',
    marks: 'M-.34 -.5L-.34 .52M.34 -.5L.34 .52M0 .44L0 .8',
    width: 0.12,
    eye: { x: 0.36, y: -0.86 },
  },
  // A horned frog: square, with two horns.
  {
    body: 'M-.46 -.74L-.98 -1.16L-.9 -.5Q-.98 .1 -.84 .74Q0 1.12 .84 .74Q.98 .1 .9 -.5L.98 -1.16L.46 -.74Q0 -.86 -.46 -.74Z',
    legs: 'M-.7 .72L-1.08 .94M.7 .72L1.08 .94M-.8 .02L-1.12 -.1M.8 .02L1.12 -.1',
    toes: '',
    marks: 'M-.7 .36L0 .68L.7 .36M-.66 .62L0 .92L.66 .62',
    width: 0.11,
    eye: { x: 0.4, y: -0.58 },
  },
  // A froglet that has kept its tail.
  {
    body: 'M0 -1C.6 -1 .96 -.7 .96 -.26C.96 .16 .56 .4 .34 .58C.16 .74 .24 .98 0 1.24C-.24 .98 -.16 .74 -.34 .58C-.56 .4 -.96 .16 -.96 -.26C-.96 -.7 -.6 -1 0 -1Z',
    legs: 'M-.5 .44L-.84 .86M.5 .44L.84 .86',
    toes: '',
    marks: 'M-.74 -.06A.74 .74 0 0 0 .74 -.06M0 .72V1',
    width: 0.13,
    eye: { x: 0.5, y: -0.78 },
  },
  // A spiny one.
  {
    body: ring(9, 1.14, 0.76, Math.PI / 9),
    legs: 'M-.6 .6L-.86 1.04M.6 .6L.86 1.04',
    toes: '',
    marks: spokes(9, 0.5, 0.78),
    width: 0.1,
    eye: { x: 0.36, y: -0.74 },
  },
];

/** Two ways out of one, on a leaf of radius 1. */
export const FORK = 'M0 .62V.2C0 -.1 -.4 -.1 -.42 -.5M0 .2C0 -.1 .4 -.1 .42 -.5M-.6 -.3L-.42 -.54L-.22 -.32M.22 -.32L.42 -.54L.6 -.3';

/** The mark of a hint, 16 px wide. */
export const STAR = 'M0 -8L2.3 -2.6L8 -2L3.7 1.9L5 7.6L0 4.6L-5 7.6L-3.7 1.9L-8 -2L-2.3 -2.6Z';
