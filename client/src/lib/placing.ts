// Where to place a card over a scrolling board so that it hides as little as possible of what it talks about.
/** The vertical extent of a thing on the board, from the top of the scrolled content. */
export interface Thing {
  top: number;
  bottom: number;
  /** How much hiding it counts, relative to other things the card talks about; 1 by default. */
  weight?: number;
  /** How much of it may be hidden for nothing: less than that is no reason to move the board. */
  slack?: number;
  /** Not mentioned by the card, which hides it only if it must; the upper edge must not cut through it: half of it would lack its label. */
  whole?: true;
}
export interface Window {
  height: number;
  /** How far the board is scrolled, and how far it can be (`most`). */
  scroll: number;
  most: number;
}

const STEP = 8;
/** Penalties in pixels: neither the board nor the card should move unnecessarily, or the reader loses track. */
const [NEED, ELSEWHERE, SLICED] = [100, 240, 120];
/** What hiding a pixel of a thing costs that the card does not mention. */
const ASIDE = 0.5;
/** How much of a thing may stick out. */
const EDGE = 12;

const common = (thing: Thing, top: number, bottom: number): number => Math.max(0, Math.min(thing.bottom, bottom) - Math.max(thing.top, top));

const sliced = (thing: Thing, at: number): boolean => at > thing.top + EDGE && at < thing.bottom - EDGE;

/** The best distance of a card of that height from the top of the window, and the scroll position that goes with it. */
export function placing(all: readonly Thing[], card: number, { height, scroll, most }: Window): { y: number; scroll: number } {
  const below = Math.max(0, height - card);
  const [things, rest] = [all.filter((one) => !one.whole), all.filter((one) => one.whole)];
  if (things.length === 0) return { y: below, scroll };
  let best = { y: below, scroll, cost: Infinity };
  const reached = Array.from({ length: Math.ceil(most / STEP) }, (_, i) => i * STEP);
  for (const to of [scroll, ...reached, most]) {
    const cuts = rest.some((one) => sliced(one, to)) ? SLICED : 0;
    const between = all.map(({ bottom }) => bottom - to).filter((y) => y > 0 && y < below);
    for (const y of card > 0 ? [below, 0, ...between] : [below]) {
      let cost = Math.abs(to - scroll) + cuts + (y === below ? 0 : ELSEWHERE);
      for (const thing of things) {
        const seen = common(thing, to, to + height) - common(thing, to + y, to + y + card);
        cost += NEED * Math.max(0, thing.bottom - thing.top - seen - (thing.slack ?? 0)) * (thing.weight ?? 1);
      }
      if (card > 0) for (const thing of rest) cost += ASIDE * common(thing, to + y, to + y + card);
      if (cost < best.cost) best = { y, scroll: to, cost };
    }
  }
  return best;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

const crosses = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
const within = (inner: Rect, outer: Rect): boolean =>
  inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;

const around = (all: readonly Rect[]): Rect => {
  const [x, y] = [Math.min(...all.map((one) => one.x)), Math.min(...all.map((one) => one.y))];
  return { x, y, width: Math.max(...all.map((one) => one.x + one.width)) - x, height: Math.max(...all.map((one) => one.y + one.height)) - y };
};

/** Merges frames that would overlap. */
export function joined(frames: readonly Rect[]): Rect[] {
  const rest: Rect[] = [];
  for (let frame of frames) {
    for (let met = rest.findIndex((one) => crosses(one, frame)); met >= 0; met = rest.findIndex((one) => crosses(one, frame)))
      frame = around([frame, ...rest.splice(met, 1)]);
    rest.push(frame);
  }
  return rest;
}

/** A caption that overlaps a thing by no more than this does not belong to it. */
const TOUCH = 2;

/** A frame around a thing and its caption: one that extends beyond the thing and that no neighbour's frame would cut. */
export function framed(thing: Rect, captions: readonly Rect[], margin: number): Rect {
  const below = ({ x, width }: Rect): boolean => x + width / 2 > thing.x && x + width / 2 < thing.x + thing.width;
  // Named one by one: what a browser measured has no properties of its own to spread.
  const inner = ({ x, y, width, height }: Rect): Rect => ({ x, y: y + TOUCH, width, height: height - 2 * TOUCH });
  const cut = captions.filter((one) => crosses(inner(one), thing) && below(one) && !within(one, thing) && one.height < thing.height && one.width < 1.5 * thing.width);
  const { x, y, width, height } = around([thing, ...cut]);
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

interface Size {
  width: number;
  height: number;
}
const GAP = 8;

/** The upper left corner of a card beside a thing: above it, or on the side where it hides least of what must stay clear; further off if need be. */
export function beside(thing: Rect, card: Size, whole: Size, clear: readonly Rect[]): { left: number; top: number } {
  const fit = (at: number, size: number, all: number): number => Math.max(GAP, Math.min(at, all - size - GAP));
  const [middle, centre] = [thing.x + thing.width / 2 - card.width / 2, thing.y + thing.height / 2 - card.height / 2];
  const sides = [
    { left: middle, top: thing.y - card.height - GAP },
    { left: middle, top: thing.y + thing.height + GAP },
    { left: thing.x + thing.width + GAP, top: centre },
    { left: thing.x - card.width - GAP, top: centre },
    { left: middle, top: Math.min(thing.y, ...clear.map((one) => one.y)) - card.height - GAP },
    { left: middle, top: Math.max(...[thing, ...clear].map((one) => one.y + one.height)) + GAP },
  ].map(({ left, top }) => ({ left: fit(left, card.width, whole.width), top: fit(top, card.height, whole.height) }));
  const hidden = ({ left, top }: { left: number; top: number }): number =>
    // The thing itself above all: a card pushed back from the window's edge would cover it.
    [...clear, thing, thing, thing]
      .map((one) => Math.max(0, Math.min(one.x + one.width, left + card.width) - Math.max(one.x, left)) * Math.max(0, Math.min(one.y + one.height, top + card.height) - Math.max(one.y, top)))
      .reduce((sum, area) => sum + area, 0);
  const costs = sides.map(hidden);
  return sides[costs.indexOf(Math.min(...costs))]!;
}
