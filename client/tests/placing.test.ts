import { describe, expect, it } from 'vitest';
import { beside, framed, joined, placing } from '../src/lib/placing';

const window = { height: 600, scroll: 0, most: 200 };

describe('the coach', () => {
  it('lies at the lower edge while nothing there is spoken of', () => {
    expect(placing([{ top: 20, bottom: 80 }], 200, window)).toMatchObject({ y: 400, scroll: 0 });
    expect(placing([], 200, window)).toMatchObject({ y: 400, scroll: 0 });
  });
  it('has the board scrolled as far as needed for what would lie below it', () => {
    const { y, scroll } = placing([{ top: 380, bottom: 480 }], 200, window);
    expect(y).toBe(400);
    expect(scroll).toBe(80);
  });
  it('lies between two things that have no room together above it', () => {
    const things = [{ top: 0, bottom: 150 }, { top: 420, bottom: 590 }];
    const { y, scroll } = placing(things, 200, { ...window, most: 0 });
    expect(scroll).toBe(0);
    expect(y).toBeGreaterThanOrEqual(150);
    expect(y + 200).toBeLessThanOrEqual(420);
  });
  it('rather covers what is spoken of than what is to be pressed', () => {
    const things = [{ top: 0, bottom: 300 }, { top: 300, bottom: 600, weight: 3 }];
    const { y } = placing(things, 200, { ...window, most: 0 });
    expect(y + 200).toBeLessThanOrEqual(300);
  });
  it('hides the area of somebody else only if it must', () => {
    const things = [{ top: 0, bottom: 50 }, { top: 420, bottom: 590, weight: 3 }];
    const { y } = placing([...things, { top: 50, bottom: 110, weight: 0, whole: true }], 200, { ...window, most: 0 });
    expect(y).toBe(110);
  });
  it('has no other area cut through at the upper edge', () => {
    const needed = { top: 380, bottom: 480 };
    expect(placing([needed, { top: 0, bottom: 120, weight: 0, whole: true }], 200, window).scroll).toBe(112); // in steps of 8
    expect(placing([{ top: 20, bottom: 80 }, { top: 0, bottom: 120, weight: 0, whole: true }], 200, window).scroll).toBe(0);
  });
  it('has the area around a thing in sight too, where there is room', () => {
    const { y, scroll } = placing([{ top: 370, bottom: 390 }, { top: 360, bottom: 500, weight: 0.3 }], 200, window);
    expect(y).toBe(400);
    expect(scroll).toBe(104); // in steps of 8
  });
  it('does not have the board moved for a little of an area that is not spoken of', () => {
    const area = { top: 300, bottom: 430, weight: 0.3 };
    expect(placing([{ top: 310, bottom: 390 }, area], 200, window).scroll).toBe(32);
    expect(placing([{ top: 310, bottom: 390 }, { ...area, slack: 40 }], 200, window).scroll).toBe(0);
  });
});

describe('a ring', () => {
  const thing = { x: 100, y: 100, width: 100, height: 100 };
  it('takes in the caption that it would cut', () => {
    expect(framed(thing, [{ x: 110, y: 195, width: 80, height: 20 }], 4)).toEqual({ x: 96, y: 96, width: 108, height: 123 });
  });
  it('takes in a caption as a browser measures it, whose properties are not its own', () => {
    class Measured {
      get x() { return 110; }
      get y() { return 195; }
      get width() { return 80; }
      get height() { return 20; }
    }
    expect(framed(thing, [new Measured()], 4)).toEqual({ x: 96, y: 96, width: 108, height: 123 });
  });
  it('lets alone what only touches it', () => {
    expect(framed(thing, [{ x: 90, y: 88, width: 60, height: 13 }], 4)).toEqual({ x: 96, y: 96, width: 108, height: 108 });
  });
  it('lets alone the caption of a neighbour', () => {
    expect(framed(thing, [{ x: 40, y: 195, width: 80, height: 20 }], 4)).toEqual({ x: 96, y: 96, width: 108, height: 108 });
  });
  it('is one for things whose rings would cross, and for each of those that lie apart', () => {
    const [next, far, bridge] = [{ ...thing, x: 190 }, { ...thing, x: 500 }, { ...thing, x: 280 }];
    expect(joined([thing, next, far])).toEqual([{ x: 100, y: 100, width: 190, height: 100 }, far]);
    expect(joined([thing, bridge, next])).toEqual([{ x: 100, y: 100, width: 280, height: 100 }]);
  });
  it('lets alone what lies within it, and what is far larger', () => {
    const plain = { x: 96, y: 96, width: 108, height: 108 };
    expect(framed(thing, [{ x: 110, y: 120, width: 30, height: 20 }, { x: 0, y: 190, width: 400, height: 20 }], 4)).toEqual(plain);
  });
});

describe('a card beside a thing', () => {
  const [card, whole] = [{ width: 100, height: 60 }, { width: 800, height: 600 }];
  const thing = { x: 380, y: 300, width: 40, height: 40 };

  it('lies above it', () => {
    expect(beside(thing, card, whole, [])).toEqual({ left: 350, top: 232 });
  });
  it('lies on another side where it would hide what must stay clear', () => {
    const over = { x: 350, y: 240, width: 40, height: 40 };
    expect(beside(thing, card, whole, [over])).toEqual({ left: 350, top: 348 });
    const under = { ...over, y: 350 };
    expect(beside(thing, card, whole, [over, under])).toEqual({ left: 428, top: 290 });
  });
  it('lies further off where it would hide something on every side', () => {
    const around = { x: 300, y: 250, width: 200, height: 140 };
    expect(beside(thing, card, whole, [around])).toEqual({ left: 350, top: 182 });
    expect(beside(thing, card, whole, [{ ...around, y: 20, height: 370 }])).toEqual({ left: 350, top: 398 });
  });
  it('stays within the window and off the thing', () => {
    expect(beside({ ...thing, y: 10 }, card, whole, [])).toEqual({ left: 350, top: 58 });
    expect(beside({ ...thing, x: 0, y: 10 }, card, whole, [])).toEqual({ left: 8, top: 58 });
  });
});
