import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Timeline } from '../src/lib/timeline';

interface Step {
  name: string;
  events: number;
}
let happened: string[];
let pace: number;
let timeline: Timeline<Step>;
const step = (name: string, events = 1): Step => ({ name, events });
const since = (): string[] => happened.splice(0);

beforeEach(() => {
  vi.useFakeTimers();
  happened = [];
  pace = 1;
  timeline = new Timeline<Step>({
    beats: ({ events }) => Array.from({ length: events }, () => ({ ms: 100, stay: 50 })),
    pace: () => pace,
    show: ({ name }, moving) => happened.push(`${moving ? 'show' : 'place'} ${name}`),
    landmark: ({ name }) => name === 'end',
    begin: ({ name }, event) => happened.push(`begin ${name}${event}`),
    reveal: ({ name }, event, skipped) => happened.push(`${skipped ? 'skip' : 'reveal'} ${name}${event}`),
    done: ({ name }) => happened.push(`done ${name}`),
    idle: () => happened.push('idle'),
  });
});
afterEach(() => vi.useRealTimers());

describe('the timeline', () => {
  it('reveals an event when it has happened, and goes on after the time to look at it', () => {
    timeline.push(step('a', 2));
    timeline.push(step('b'));
    expect(since()).toEqual(['show a', 'begin a0']);
    vi.advanceTimersByTime(99);
    expect(since()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(since()).toEqual(['reveal a0']);
    vi.advanceTimersByTime(50);
    expect(since()).toEqual(['begin a1']);
    vi.advanceTimersByTime(100);
    expect(since()).toEqual(['reveal a1', 'done a']);
    expect(timeline.settled).toBe(false);
    vi.advanceTimersByTime(49);
    expect(since()).toEqual([]);
    vi.advanceTimersByTime(101);
    expect(since()).toEqual(['show b', 'begin b0', 'reveal b0', 'done b']);
    expect(timeline.settled).toBe(true);
    vi.advanceTimersByTime(50);
    expect(since()).toEqual(['idle']);
  });

  it('never shortens time for reading, and prolongs it at a slower pace', () => {
    const calls: string[] = [];
    const timeline = new Timeline<Step>({
      beats: () => [{ ms: 100, stay: 0, steady: 200 }],
      pace: () => pace,
      show: () => undefined,
      reveal: () => calls.push('reveal'),
      done: () => undefined,
    });
    for (const [now, ms] of [[0.5, 250], [1, 300], [2, 600]] as const) {
      pace = now;
      timeline.push(step('a'));
      vi.advanceTimersByTime(ms - 1);
      expect(calls.splice(0)).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(calls.splice(0)).toEqual(['reveal']);
    }
  });

  it('reveals events without a duration together, without waiting for a frame in between', async () => {
    const calls: string[] = [];
    const timeline = new Timeline<Step>({
      beats: () => [{ ms: 100, stay: 50 }, { ms: 0, stay: 0 }, { ms: 0, stay: 0 }],
      pace: () => 1,
      show: () => undefined,
      drawn: () => new Promise((resolve) => setTimeout(resolve, 30)),
      reveal: (_, event) => calls.push(`reveal ${event}`),
      done: () => calls.push('done'),
      idle: () => calls.push('idle'),
    });
    timeline.push(step('a', 3));
    await vi.advanceTimersByTimeAsync(30 + 30 + 100 + 30 + 49);
    expect(calls.splice(0)).toEqual(['reveal 0']);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual(['reveal 1', 'reveal 2', 'done', 'idle']);
  });

  it('measures the duration of an event and the pause after it from when they are on the screen', async () => {
    const calls: string[] = [];
    const timeline = new Timeline<Step>({
      beats: () => [{ ms: 100, stay: 50 }],
      pace: () => 1,
      show: () => undefined,
      drawn: () => new Promise((resolve) => setTimeout(resolve, 30)),
      begin: ({ name }) => calls.push(`begin ${name}`),
      reveal: ({ name }) => calls.push(`reveal ${name}`),
      done: () => undefined,
    });
    ['a', 'b'].forEach((name) => timeline.push(step(name)));
    await vi.advanceTimersByTimeAsync(30);
    expect(calls.splice(0)).toEqual(['begin a']);
    await vi.advanceTimersByTimeAsync(129);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.splice(0)).toEqual(['reveal a']);
    await vi.advanceTimersByTimeAsync(30 + 50 + 29);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual(['begin b']);
    timeline.clear();
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toEqual(['begin b']);
  });

  it('leaves nothing out, however many steps wait', () => {
    const names = Array.from({ length: 30 }, (_, i) => `s${i}`);
    names.forEach((name) => timeline.push(step(name)));
    vi.advanceTimersByTime(30 * 150);
    expect(since().filter((line) => line.startsWith('show'))).toEqual(names.map((name) => `show ${name}`));
  });

  it('follows a change of pace from the next event on', () => {
    pace = 2;
    timeline.push(step('a'));
    timeline.push(step('b'));
    vi.advanceTimersByTime(200);
    expect(since().at(-1)).toBe('done a');
    pace = 0.5;
    vi.advanceTimersByTime(150);
    expect(since().at(-1)).toBe('done b');
  });

  it('shows steps without waiting at pace 0', () => {
    pace = 0;
    timeline.push(step('a', 2));
    expect(since()).toEqual(['show a', 'skip a0', 'skip a1', 'done a', 'idle'].map((line) => line.replace('show', 'place')));
    expect(timeline.settled).toBe(true);
  });

  it('goes on to the next step on request', () => {
    timeline.push(step('a', 3));
    timeline.push(step('b'));
    vi.advanceTimersByTime(100);
    since();
    timeline.advance();
    expect(since()).toEqual(['place a', 'skip a1', 'skip a2', 'done a', 'show b', 'begin b0']);
    timeline.advance();
    expect(since()).toEqual(['place b', 'skip b0', 'done b', 'idle']);
  });

  it('reveals what is skipped, in order, and shows where it ends', () => {
    ['a', 'b', 'c'].forEach((name) => timeline.push(step(name)));
    since();
    timeline.skip();
    expect(since()).toEqual(['skip a0', 'done a', 'skip b0', 'done b', 'place c', 'skip c0', 'done c', 'idle']);
    expect(timeline.settled).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(since()).toEqual([]);
  });

  it('does not skip a landmark, unless all is to be skipped', () => {
    ['a', 'b', 'c', 'end', 'd'].forEach((name) => timeline.push(step(name)));
    since();
    timeline.skip();
    expect(since()).toEqual(['skip a0', 'done a', 'skip b0', 'done b', 'place c', 'skip c0', 'done c', 'show end', 'begin end0']);
    expect(timeline.waiting).toBe(1);
    timeline.push(step('e'));
    timeline.skip();
    expect(since()).toEqual(['skip end0', 'done end', 'skip d0', 'done d', 'place e', 'skip e0', 'done e', 'idle']);
    ['a', 'end', 'b'].forEach((name) => timeline.push(step(name)));
    since();
    timeline.skip(true);
    expect(since()).toEqual(['skip a0', 'done a', 'skip end0', 'done end', 'place b', 'skip b0', 'done b', 'idle']);
  });

  it('holds what arrives while it is stopped', () => {
    timeline.push(step('a'));
    timeline.stop();
    timeline.push(step('b'));
    vi.advanceTimersByTime(1000);
    expect(since()).toEqual(['show a', 'begin a0', 'place a', 'skip a0', 'done a']);
    expect(timeline.waiting).toBe(1);
    timeline.resume();
    expect(since()).toEqual(['show b', 'begin b0']);
  });

  it('clears the queue when it jumps', () => {
    ['a', 'b', 'c'].forEach((name) => timeline.push(step(name)));
    timeline.jump(step('z'));
    vi.advanceTimersByTime(1000);
    expect(since()).toEqual(['show a', 'begin a0', 'place z', 'skip z0', 'done z', 'idle']);
  });
});
