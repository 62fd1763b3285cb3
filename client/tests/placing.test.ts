import { describe, expect, it } from 'vitest';
import { frameAround, merged, placeBeside, placeCard } from '../src/lib/placing';

const window = { height: 600, scroll: 0, most: 200 };

describe('the coach', () => {
  it('stays at the lower edge while it refers to nothing there', () => {
    expect(placeCard([{ top: 20, bottom: 80 }], 200, window)).toMatchObject({ y: 400, scroll: 0 });
    expect(placeCard([], 200, window)).toMatchObject({ y: 400, scroll: 0 });
  });
  it('scrolls the board just far enough to show what it would cover', () => {
    const { y, scroll } = placeCard([{ top: 380, bottom: 480 }], 200, window);
    expect(y).toBe(400);
    expect(scroll).toBe(80);
  });
  it('goes between two elements that do not both fit above it', () => {
    const things = [{ top: 0, bottom: 150 }, { top: 420, bottom: 590 }];
    const { y, scroll } = placeCard(things, 200, { ...window, most: 0 });
    expect(scroll).toBe(0);
    expect(y).toBeGreaterThanOrEqual(150);
    expect(y + 200).toBeLessThanOrEqual(420);
  });
  it('covers what it mentions rather than a control', () => {
    const things = [{ top: 0, bottom: 300 }, { top: 300, bottom: 600, weight: 3 }];
    const { y } = placeCard(things, 200, { ...window, most: 0 });
    expect(y + 200).toBeLessThanOrEqual(300);
  });
  it('covers somebody else’s area only if it must', () => {
    const things = [{ top: 0, bottom: 50 }, { top: 420, bottom: 590, weight: 3 }];
    const { y } = placeCard([...things, { top: 50, bottom: 110, weight: 0, unrelated: true }], 200, { ...window, most: 0 });
    expect(y).toBe(110);
  });
  it('does not cut through another area at the upper edge', () => {
    const needed = { top: 380, bottom: 480 };
    expect(placeCard([needed, { top: 0, bottom: 120, weight: 0, unrelated: true }], 200, window).scroll).toBe(112); // in steps of 8
    expect(placeCard([{ top: 20, bottom: 80 }, { top: 0, bottom: 120, weight: 0, unrelated: true }], 200, window).scroll).toBe(0);
  });
  it('keeps the area around an element visible too, if there is room', () => {
    const { y, scroll } = placeCard([{ top: 370, bottom: 390 }, { top: 360, bottom: 500, weight: 0.3 }], 200, window);
    expect(y).toBe(400);
    expect(scroll).toBe(104); // in steps of 8
  });
  it('does not scroll the board for a small part of an area that it does not mention', () => {
    const area = { top: 300, bottom: 430, weight: 0.3 };
    expect(placeCard([{ top: 310, bottom: 390 }, area], 200, window).scroll).toBe(32);
    expect(placeCard([{ top: 310, bottom: 390 }, { ...area, slack: 40 }], 200, window).scroll).toBe(0);
  });
});

describe('a ring', () => {
  const thing = { x: 100, y: 100, width: 100, height: 100 };
  it('includes a caption that it would cut', () => {
    expect(frameAround(thing, [{ x: 110, y: 195, width: 80, height: 20 }], 4)).toEqual({ x: 96, y: 96, width: 108, height: 123 });
  });
  it('includes a caption given as a DOMRect, whose properties are inherited', () => {
    class Measured {
      get x() { return 110; }
      get y() { return 195; }
      get width() { return 80; }
      get height() { return 20; }
    }
    expect(frameAround(thing, [new Measured()], 4)).toEqual({ x: 96, y: 96, width: 108, height: 123 });
  });
  it('excludes a caption that only touches it', () => {
    expect(frameAround(thing, [{ x: 90, y: 88, width: 60, height: 13 }], 4)).toEqual({ x: 96, y: 96, width: 108, height: 108 });
  });
  it('excludes a neighbour’s caption', () => {
    expect(frameAround(thing, [{ x: 40, y: 195, width: 80, height: 20 }], 4)).toEqual({ x: 96, y: 96, width: 108, height: 108 });
  });
  it('is shared by elements whose rings would cross, and separate for the others', () => {
    const [next, far, bridge] = [{ ...thing, x: 190 }, { ...thing, x: 500 }, { ...thing, x: 280 }];
    expect(merged([thing, next, far])).toEqual([{ x: 100, y: 100, width: 190, height: 100 }, far]);
    expect(merged([thing, bridge, next])).toEqual([{ x: 100, y: 100, width: 280, height: 100 }]);
  });
  it('excludes a caption within it, and a much larger one', () => {
    const plain = { x: 96, y: 96, width: 108, height: 108 };
    expect(frameAround(thing, [{ x: 110, y: 120, width: 30, height: 20 }, { x: 0, y: 190, width: 400, height: 20 }], 4)).toEqual(plain);
  });
});

describe('a card beside a thing', () => {
  const [card, whole] = [{ width: 100, height: 60 }, { width: 800, height: 600 }];
  const thing = { x: 380, y: 300, width: 40, height: 40 };

  it('is above it', () => {
    expect(placeBeside(thing, card, whole, [])).toEqual({ left: 350, top: 232 });
  });
  it('goes to another side if it would cover what must stay clear', () => {
    const over = { x: 350, y: 240, width: 40, height: 40 };
    expect(placeBeside(thing, card, whole, [over])).toEqual({ left: 350, top: 348 });
    const under = { ...over, y: 350 };
    expect(placeBeside(thing, card, whole, [over, under])).toEqual({ left: 428, top: 290 });
  });
  it('goes further away if it would cover something on every side', () => {
    const around = { x: 300, y: 250, width: 200, height: 140 };
    expect(placeBeside(thing, card, whole, [around])).toEqual({ left: 350, top: 182 });
    expect(placeBeside(thing, card, whole, [{ ...around, y: 20, height: 370 }])).toEqual({ left: 350, top: 398 });
  });
  it('stays within the window and does not cover the element', () => {
    expect(placeBeside({ ...thing, y: 10 }, card, whole, [])).toEqual({ left: 350, top: 58 });
    expect(placeBeside({ ...thing, x: 0, y: 10 }, card, whole, [])).toEqual({ left: 8, top: 58 });
  });
});
