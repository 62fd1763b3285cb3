// Where things lie on the pond, in pixels. Boards come with positions from 0 to 1 that may be crowded or all alike,
// so pads are pushed apart until a thumb can tell them from one another.
import type { PondBoard } from './types';

export interface Point {
  x: number;
  y: number;
}
export interface Layout {
  width: number;
  height: number;
  /** Radius of a pad, of the goal, and of a frog on the shore. */
  pad: number;
  goal: number;
  small: number;
  /** The shore where the frogs begin: its height, and whether it is the upper edge. */
  shore: number;
  above: boolean;
  at: Map<string, Point>;
  /** Which way a frog on that place looks, in degrees; 0 is upwards. */
  facing: Map<string, number>;
  links: { from: Point; to: Point; key: string }[];
}

const ROUNDS = 260;

export function layout(board: PondBoard, width: number, height: number): Layout {
  const narrow = width < 480;
  const shore = narrow ? 54 : Math.min(76, height * 0.13);
  const above = board.start.y < 0.4 && board.start.y < Math.min(...board.pads.map((one) => one.y), board.goal.y);
  const count = board.pads.length;
  const room = Math.max(1, width * (height - shore)); // before it is laid out the pond may have no room
  const gap = Math.min(0.84 * Math.sqrt(room / (count + 6)), 84);
  const pad = gap * 0.405;
  const goal = Math.min(gap * 1.42, 0.24 * Math.min(width, height));
  const edge = pad + (narrow ? 3 : 8);
  const box = { left: edge, right: width - edge, top: edge + (above ? shore : 0), low: height - edge - (above ? 0 : shore) };
  // The corner of the zoom button stays free on a phone.
  const corner = narrow ? 30 + pad : 0;
  const spots = spread(board, box, gap, goal, pad, corner);
  const at = new Map<string, Point>();
  board.pads.forEach((one, i) => at.set(one.id, spots[i]!));
  at.set('goal', spots[count]!);
  const first = average(board.start.next.map((id) => at.get(id) ?? spots[0]!));
  const bank = above ? shore - 8 : height - shore + 8;
  at.set('start', { x: clamp((first.x + board.start.x * width) / 2, edge, width - edge), y: bank });
  const links = [
    ...board.start.next.map((to) => ({ origin: 'start', to })),
    ...board.pads.flatMap((one) => one.next.map((to) => ({ origin: one.id, to }))),
  ].map(({ origin, to }) => ({ from: at.get(origin)!, to: at.get(to)!, key: `${origin}-${to}` }));
  const facing = new Map<string, number>([['goal', 0], ['start', above ? 180 : 0]]);
  for (const one of board.pads)
    facing.set(one.id, heading(at.get(one.id)!, average(one.next.map((id) => at.get(id)!))));
  return { width, height, pad, goal, small: Math.min(pad * 0.86, 22), shore, above, at, facing, links };
}

interface Box {
  left: number;
  right: number;
  top: number;
  low: number;
}

function spread(board: PondBoard, box: Box, gap: number, goal: number, pad: number, corner: number): Point[] {
  const raw = [...board.pads, board.goal];
  const xs = scale(raw.map((one) => one.x), box.left, box.right);
  const ys = scale(raw.map((one) => one.y), box.top, box.low);
  // A grain of difference, so that pads on one and the same spot know where to go.
  const home = raw.map((_, i) => ({ x: xs[i]! + Math.cos(i * 2.4) * 0.5, y: ys[i]! + Math.sin(i * 2.4) * 0.5 }));
  const spots = home.map((one) => ({ ...one }));
  const last = spots.length - 1;
  const index = new Map<string, number>([...board.pads.map((one, i) => [one.id, i] as const), ['goal', last]]);
  const links = board.pads.flatMap((one, i) => one.next.map((to) => [i, index.get(to)!] as const));
  for (let round = 0; round < ROUNDS; round++) {
    const late = round > ROUNDS * 0.8;
    if (!late)
      for (const [i, point] of spots.entries()) {
        const pull = i === last ? 0.2 : 0.01;
        point.x += (home[i]!.x - point.x) * pull;
        point.y += (home[i]!.y - point.y) * pull;
      }
    for (const [i, j] of links) if (j !== last && !late) keep(spots[i]!, spots[j]!, gap * 1.2, 0.12, false, false);
    for (let i = 0; i < last; i++) {
      for (let j = i + 1; j < last; j++) keep(spots[i]!, spots[j]!, gap, 0.5, true, false);
      keep(spots[i]!, spots[last]!, goal + pad + 6, 1, true, true);
      keep(spots[i]!, { x: 24, y: 24 }, corner, 1, true, true);
    }
    for (let i = 0; i < last; i++) {
      spots[i]!.x = clamp(spots[i]!.x, box.left, box.right);
      spots[i]!.y = clamp(spots[i]!.y, box.top, box.low);
    }
    const inside = goal - pad;
    spots[last]!.x = clamp(spots[last]!.x, box.left + inside, box.right - inside);
    spots[last]!.y = clamp(spots[last]!.y, box.top + inside, box.low - inside);
  }
  return spots;
}

/** Bring two points to a distance: apart if they are nearer (`push`), else together if they are further. */
function keep(a: Point, b: Point, distance: number, force: number, push: boolean, fixed: boolean): void {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const square = dx * dx + dy * dy;
  if (push ? square >= distance * distance : square <= distance * distance) return;
  const now = Math.sqrt(square) || 0.01;
  const by = ((now - distance) / now) * force * (fixed ? 1 : 0.5);
  a.x += dx * by;
  a.y += dy * by;
  if (fixed) return;
  b.x -= dx * by;
  b.y -= dy * by;
}

function scale(values: number[], from: number, to: number): number[] {
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (most - least < 1e-6) return values.map(() => (from + to) / 2);
  return values.map((one) => from + ((one - least) / (most - least)) * (to - from));
}

export const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

function average(points: Point[]): Point {
  const total = points.reduce((sum, one) => ({ x: sum.x + one.x, y: sum.y + one.y }), { x: 0, y: 0 });
  return { x: total.x / (points.length || 1), y: total.y / (points.length || 1) };
}

const heading = (from: Point, to: Point): number => (Math.atan2(to.x - from.x, from.y - to.y) * 180) / Math.PI;

/** How far a frog on the shore and the ring around it reach, in its radii. */
const REACH = 1.4;
/** How far apart frogs stand on the shore. */
export function shoreStep(lay: Layout, players: number): number {
  return Math.min((lay.width - 12) / players / 3.2, lay.small * 2.3);
}

/** The place of a frog on the shore: every frog keeps its own, whoever else is still there. */
export function shoreSpot(lay: Layout, seat: number, index: number, players: number): Point {
  const step = shoreStep(lay, players);
  const cell = Math.min((lay.width - 12) / players, step * 3.5);
  const all = cell * players;
  const left = clamp(lay.at.get('start')!.x - all / 2, 6, lay.width - all - 6);
  // The whole frog and the ring around it stay on the shore, and beyond it there is room for a word.
  const y = lay.above ? lay.small * REACH : lay.height - lay.small * REACH;
  return { x: left + cell * (seat + 0.5) + (index - 1) * step, y };
}

/** Where prize `place` (1 to 4) lies on the goal. */
export function goalSpot(lay: Layout, place: number): Point {
  const centre = lay.at.get('goal')!;
  const off = lay.goal * 0.4;
  return { x: centre.x + (place % 2 ? -off : off), y: centre.y + (place < 3 ? -off : off) };
}

/** The hops of a route: places where the frog touches water, those of the others left out. */
export function hops(path: string[], jumped: Iterable<string>): string[] {
  const over = new Set(jumped);
  return path.filter((one, i) => i === path.length - 1 || !over.has(one));
}

/** A way that begins and ends that far from the middle of its places, so that what stands there is not drawn over. */
export function shortened(points: Point[], start: number, end: number): Point[] {
  const towards = (from: Point, to: Point, by: number): Point => {
    const far = Math.hypot(to.x - from.x, to.y - from.y);
    const share = far === 0 ? 0 : Math.min(by / far, 0.5);
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  };
  const last = points.length - 1;
  if (last < 1) return points;
  return points.map((point, i) => (i === 0 ? towards(point, points[1]!, start) : i === last ? towards(point, points[last - 1]!, end) : point));
}

/** A path of arcs through the points, bent upwards as jumps seen at a slant, and sideways where the way itself is upright. */
export function arcs(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let text = `M${first.x.toFixed(1)} ${first.y.toFixed(1)}`;
  let from = first;
  for (const to of rest) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const side = (dx > 0 ? 1 : -1) / (Math.hypot(dx, dy) || 1);
    const up = lift(from, to);
    const x = (from.x + to.x) / 2 + dy * side * up * 1.1;
    const y = (from.y + to.y) / 2 - dx * side * up * 1.1 - up * 0.6;
    text += `Q${x.toFixed(1)} ${y.toFixed(1)} ${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
    from = to;
  }
  return text;
}

export const lift = (from: Point, to: Point): number => 6 + 0.24 * Math.hypot(to.x - from.x, to.y - from.y);

const CORNERS = [[-1, -1], [1, -1], [-1, 1], [1, 1]] as const;

/** The corner of a place at which something of that size is not cut off by the edge of the pond: the first one that is free, else the first. */
export function cornerOf(end: Point, off: Point, half: Point, pond: Size): Point {
  const spots = CORNERS.map(([x, y]) => ({ x: end.x + x * off.x, y: end.y + y * off.y }));
  return spots.find((one) => isWhole(one, half, pond)) ?? spots[0]!;
}

interface Size {
  width: number;
  height: number;
}
const isWhole = (at: Point, half: Point, { width, height }: Size): boolean => at.x >= half.x && at.x <= width - half.x && at.y >= half.y && at.y <= height - half.y;

/** Where a label of that size stands beside a place of radius `r`, with its point on the edge of that place: of eight directions the one
 * that is not cut off by the edge of the pond and is furthest from what it had better not cover. */
export function labelSpot(end: Point, r: number, half: Point, pond: Size, covered: Point[]): { at: Point; tip: Point } {
  const spots = Array.from({ length: 8 }, (_, i) => {
    const [x, y] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)];
    const far = r + 6 + Math.min(half.x / (Math.abs(x) || 1e-9), half.y / (Math.abs(y) || 1e-9));
    return { at: { x: end.x + x * far, y: end.y + y * far }, tip: { x: end.x + x * (r - 2), y: end.y + y * (r - 2) } };
  });
  const whole = spots.filter(({ at }) => isWhole(at, { x: half.x + 2, y: half.y + 2 }, pond));
  // Wider than high, a label covers more to its sides.
  const room = ({ at }: { at: Point }): number => Math.min(1e6, ...covered.map(({ x, y }) => Math.hypot(((x - at.x) * half.y) / half.x, y - at.y)));
  return whole.sort((a, b) => room(b) - room(a))[0] ?? spots[0]!;
}
