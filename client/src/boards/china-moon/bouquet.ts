// Where the flowers of a bouquet stand: around x = 0, in a box 62 high with the tie at its lower edge.
import { COLOURS, type Colour } from './types';

export interface Flower {
  /** Stays the same while others come and go. */
  key: string;
  colour: Colour;
  x: number;
  y: number;
}

/** The flowers of one spray around its middle, in radii, as the pips of a die. */
const PIPS: readonly (readonly [number, number])[][] = [
  [],
  [[0, 0]],
  [[-0.8, 0.3], [0.8, -0.3]],
  [[-0.92, 0.55], [0.92, 0.55], [0, -0.85]],
  [[-0.9, 0.75], [0.9, 0.75], [-0.9, -0.85], [0.9, -0.85]],
  [[-1.2, 0.9], [1.2, 0.9], [-1.2, -1], [1.2, -1], [0, 0]],
];
/** The radius of a flower by the number of flowers: few are large, many still fit. */
const radiusOf = (count: number): number => (count <= 2 ? 18 : count <= 4 ? 16 : count <= 7 ? 13 : 11);

export function bouquet(held: Record<Colour, number>): { flowers: Flower[]; stems: string; radius: number; width: number } {
  const sprays = COLOURS.filter((colour) => held[colour] > 0);
  const radius = radiusOf(sprays.reduce((sum, colour) => sum + held[colour], 0));
  // Each spray gets its share of the width by how wide it is.
  const wide = sprays.map((colour) => (held[colour] === 1 ? 2.1 : held[colour] < 5 ? 3.9 : 4.5));
  const all = wide.reduce((sum, one) => sum + one, 0);
  const tallest = Math.max(0, ...sprays.map((colour) => held[colour]));
  const unit = Math.min(radius, tallest > 2 ? 12 : 18, 130 / (all || 1));
  const flowers: Flower[] = [];
  let stems = '';
  let left = -(all * unit) / 2;
  for (const [i, colour] of sprays.entries()) {
    const x = left + (wide[i]! * unit) / 2;
    left += wide[i]! * unit;
    const pips = PIPS[Math.min(held[colour], 5)]!;
    // A dome: the sprays at the sides hang lower, and the highest flower is still in the box.
    const above = 1 - Math.min(...pips.map(([, dy]) => dy));
    const y = Math.max(23 + 10 * (x / 60) ** 2 - (sprays.length > 2 && i % 2 ? 4 : 0), above * unit + 1);
    stems += `M0 53Q${(x / 2).toFixed(1)} 44 ${x.toFixed(1)} ${y.toFixed(1)}`;
    for (let at = 0; at < held[colour]; at++) {
      const [dx, dy] = pips[at % 5]!;
      // More than five of a colour: the sixth and those after it stand between.
      const off = at < 5 ? 0 : 0.5;
      flowers.push({ key: `${colour}${at}`, colour, x: x + (dx + off) * unit, y: y + (dy + off) * unit });
    }
  }
  return { flowers, stems, radius: unit, width: Math.max(104, all * unit + 6) };
}
