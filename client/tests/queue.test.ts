import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StepQueue } from '../src/lib/queue';

let shown: [number, boolean][];
let still: boolean;
let idle: number;
let queue: StepQueue<number>;

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  still = false;
  idle = 0;
  queue = new StepQueue<number>({
    show: (step, moving) => shown.push([step, moving]),
    duration: () => 100,
    still: () => still,
    idle: () => (idle += 1),
  });
});
afterEach(() => vi.useRealTimers());

describe('the queue of steps', () => {
  it('shows the first at once and the next when the one before has been seen', () => {
    queue.push(1);
    queue.push(2);
    expect(shown).toEqual([[1, true]]);
    vi.advanceTimersByTime(100);
    expect(shown).toEqual([[1, true], [2, true]]);
    expect(queue.settled).toBe(false);
    vi.advanceTimersByTime(100);
    expect(queue.settled).toBe(true);
    expect(idle).toBe(1);
  });

  it('jumps to the last when more than six wait', () => {
    for (let step = 1; step <= 8; step += 1) queue.push(step);
    expect(shown).toEqual([[1, true], [8, false]]);
    expect(queue.length).toBe(0);
  });

  it('does not wait when nobody is watching', () => {
    still = true;
    queue.push(1);
    queue.push(2);
    expect(shown).toEqual([[1, false], [2, false]]);
  });

  it('skips to the end when asked', () => {
    [1, 2, 3].forEach((step) => queue.push(step));
    queue.skip();
    expect(shown.at(-1)).toEqual([3, false]);
    expect(queue.settled).toBe(true);
  });

  it('forgets what waits when it jumps elsewhere', () => {
    [1, 2, 3].forEach((step) => queue.push(step));
    queue.jump(9);
    vi.advanceTimersByTime(1000);
    expect(shown).toEqual([[1, true], [9, false]]);
  });
});
