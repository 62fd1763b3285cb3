// Where to place a card over a scrolling board so that it covers as little as possible of what it refers to.
/** The vertical extent of an element on the board, from the top of the scrolled content. */
export interface Extent {
  top: number;
  bottom: number;
  /** The cost of covering it, relative to the other elements the card refers to; 1 by default. */
  weight?: number;
  /** How many pixels of it may be covered at no cost: so few are no reason to move the board. */
  slack?: number;
  /** The card does not refer to it, and covers it only if it must. The window's upper edge should not cut through it, as its lower half would lack the label. */
  unrelated?: true;
}
export interface Window {
  height: number;
  /** How far the board is scrolled, and how far it can be (`most`). */
  scroll: number;
  most: number;
}

const STEP = 8;
/** Penalties in pixels: neither the board nor the card should move unnecessarily, or the reader loses track. */
const [COVERED, NOT_BELOW, CUT] = [100, 240, 120];
/** The cost of covering a pixel of an unrelated element. */
const UNRELATED = 0.5;
/** How many pixels of an element may be cut off. */
const EDGE = 12;

const overlap = (one: Extent, top: number, bottom: number): number => Math.max(0, Math.min(one.bottom, bottom) - Math.max(one.top, top));

const isCut = (one: Extent, at: number): boolean => at > one.top + EDGE && at < one.bottom - EDGE;

/** The best distance of a card of this height from the top of the window, and the scroll position that goes with it. */
export function placeCard(all: readonly Extent[], card: number, { height, scroll, most }: Window): { y: number; scroll: number } {
  const below = Math.max(0, height - card);
  const [related, unrelated] = [all.filter((one) => !one.unrelated), all.filter((one) => one.unrelated)];
  if (related.length === 0) return { y: below, scroll };
  let best = { y: below, scroll, cost: Infinity };
  const reachable = Array.from({ length: Math.ceil(most / STEP) }, (_, i) => i * STEP);
  for (const to of [scroll, ...reachable, most]) {
    const cuts = unrelated.some((one) => isCut(one, to)) ? CUT : 0;
    const between = all.map(({ bottom }) => bottom - to).filter((y) => y > 0 && y < below);
    for (const y of card > 0 ? [below, 0, ...between] : [below]) {
      let cost = Math.abs(to - scroll) + cuts + (y === below ? 0 : NOT_BELOW);
      for (const one of related) {
        const visible = overlap(one, to, to + height) - overlap(one, to + y, to + y + card);
        cost += COVERED * Math.max(0, one.bottom - one.top - visible - (one.slack ?? 0)) * (one.weight ?? 1);
      }
      if (card > 0) for (const one of unrelated) cost += UNRELATED * overlap(one, to + y, to + y + card);
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

const intersects = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
const within = (inner: Rect, outer: Rect): boolean =>
  inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;

const boundingBox = (all: readonly Rect[]): Rect => {
  const [x, y] = [Math.min(...all.map((one) => one.x)), Math.min(...all.map((one) => one.y))];
  return { x, y, width: Math.max(...all.map((one) => one.x + one.width)) - x, height: Math.max(...all.map((one) => one.y + one.height)) - y };
};

/** Merges frames that would overlap. */
export function merged(frames: readonly Rect[]): Rect[] {
  const rest: Rect[] = [];
  for (let frame of frames) {
    for (let other = rest.findIndex((one) => intersects(one, frame)); other >= 0; other = rest.findIndex((one) => intersects(one, frame)))
      frame = boundingBox([frame, ...rest.splice(other, 1)]);
    rest.push(frame);
  }
  return rest;
}

/** A caption that overlaps an element by no more than this does not belong to it. */
const TOUCH = 2;

/** A frame around an element and its captions, which extend beyond the element and which the frame would otherwise cut. */
export function frameAround(element: Rect, captions: readonly Rect[], margin: number): Rect {
  const below = ({ x, width }: Rect): boolean => x + width / 2 > element.x && x + width / 2 < element.x + element.width;
  // Named one by one: a DOMRect has no own properties to spread.
  const inner = ({ x, y, width, height }: Rect): Rect => ({ x, y: y + TOUCH, width, height: height - 2 * TOUCH });
  const cut = captions.filter((one) => intersects(inner(one), element) && below(one) && !within(one, element) && one.height < element.height && one.width < 1.5 * element.width);
  const { x, y, width, height } = boundingBox([element, ...cut]);
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

interface Size {
  width: number;
  height: number;
}
const GAP = 8;

/** The upper left corner of a card beside an element: above it, or on the side where it covers least of what must stay clear; further off if need be. */
export function placeBeside(element: Rect, card: Size, whole: Size, clear: readonly Rect[]): { left: number; top: number } {
  const fit = (at: number, size: number, all: number): number => Math.max(GAP, Math.min(at, all - size - GAP));
  const [middle, centre] = [element.x + element.width / 2 - card.width / 2, element.y + element.height / 2 - card.height / 2];
  const sides = [
    { left: middle, top: element.y - card.height - GAP },
    { left: middle, top: element.y + element.height + GAP },
    { left: element.x + element.width + GAP, top: centre },
    { left: element.x - card.width - GAP, top: centre },
    { left: middle, top: Math.min(element.y, ...clear.map((one) => one.y)) - card.height - GAP },
    { left: middle, top: Math.max(...[element, ...clear].map((one) => one.y + one.height)) + GAP },
  ].map(({ left, top }) => ({ left: fit(left, card.width, whole.width), top: fit(top, card.height, whole.height) }));
  const hidden = ({ left, top }: { left: number; top: number }): number =>
    // The element itself counts most: a card pushed back from the window's edge would cover it.
    [...clear, element, element, element]
      .map((one) => Math.max(0, Math.min(one.x + one.width, left + card.width) - Math.max(one.x, left)) * Math.max(0, Math.min(one.y + one.height, top + card.height) - Math.max(one.y, top)))
      .reduce((sum, area) => sum + area, 0);
  const costs = sides.map(hidden);
  return sides[costs.indexOf(Math.min(...costs))]!;
}
