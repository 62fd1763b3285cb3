import { describe, expect, it } from 'vitest';
import { foldable } from '../src/lib/fold';

function boxOf(height: number, content: number): HTMLElement {
  const box = document.createElement('div');
  Object.defineProperty(box, 'clientHeight', { value: height });
  Object.defineProperty(box, 'scrollHeight', { value: content });
  return box;
}

describe('a scrolling element', () => {
  it('is marked until its end has been reached', () => {
    const box = boxOf(300, 700);
    const done = foldable(box);
    box.dispatchEvent(new Event('scroll'));
    expect(box.hasAttribute('data-more')).toBe(true);
    box.scrollTop = 400;
    box.dispatchEvent(new Event('scroll'));
    expect(box.hasAttribute('data-more')).toBe(false);
    done();
    box.scrollTop = 0;
    box.dispatchEvent(new Event('scroll'));
    expect(box.hasAttribute('data-more')).toBe(false);
  });
  it('is not marked if everything is visible', () => {
    const box = boxOf(300, 300);
    foldable(box);
    box.dispatchEvent(new Event('scroll'));
    expect(box.hasAttribute('data-more')).toBe(false);
  });
});
