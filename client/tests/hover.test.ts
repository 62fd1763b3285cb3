import { expect, test } from 'vitest';
import { Hover } from '../src/lib/hover';

test('a mouse that is moved over things is moving', () => {
  const hover = new Hover();
  hover.moved(50, 50, 0);
  expect(hover.moved(10, 10, 1)).toBe(true);
  expect(hover.moved(10, 10, 1)).toBe(true); // onto a thing, and at the same time on the page
  expect(hover.moved(11, 10, 2)).toBe(true);
});

test('what comes under a resting mouse is not pointed at, nor by a trembling hand', () => {
  const hover = new Hover();
  hover.moved(10, 10, 3);
  expect(hover.moved(10, 10, 4)).toBe(false);
  expect(hover.moved(12, 11, 5)).toBe(false);
  expect(hover.moved(20, 10, 6)).toBe(true);
  expect(hover.moved(21, 10, 7)).toBe(true);
});

test('after a click the mouse has to be moved again', () => {
  const hover = new Hover();
  hover.moved(10, 10, 8);
  hover.pressed(10, 10, 9);
  expect(hover.moved(11, 12, 10)).toBe(false);
  expect(hover.moved(30, 12, 11)).toBe(true);
});

test('where the mouse lies when the page comes is no movement', () => {
  expect(new Hover().moved(10, 10, 1)).toBe(false);
});
