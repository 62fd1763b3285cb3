// One time for the whole page. Steps of a game wait here until the one before has been seen; what the page tells
// (log, prompt, scores, sounds, announcements) is told event by event, when the board has shown it and not before.
// Nothing is left out unless the person skips it.
import { steadyPace } from './pace';

/** How one event wants to be seen at normal pace: the time in which it happens, and the time to look at it afterwards. */
export interface Beat {
  ms: number;
  stay: number;
  /** More time in which it happens, which a quick pace does not shorten: there is something to read. */
  steady?: number;
}

export interface TimelineOptions<S> {
  /** One beat for each event of a step. */
  beats: (step: S) => Beat[];
  /** What the times are multiplied by; 0: at once. */
  pace: () => number;
  /** The step comes onto the board. `moving`: as the next one after the step before; false: a jump. */
  show: (step: S, moving: boolean) => void;
  /** When what has changed is on the screen: the time of an event, and the time to look at it, begin then. */
  drawn?: () => Promise<unknown>;
  /** The event with this number in the step begins to happen on the board. */
  begin?: (step: S, event: number, beat: Beat) => void;
  /** It has happened. `skipped`: without being shown. */
  reveal: (step: S, event: number, skipped: boolean) => void;
  /** All of the step has been told. `skipped`: it never came onto the board. */
  done: (step: S, skipped: boolean) => void;
  /** Nothing waits any more. */
  idle?: () => void;
}

export class Timeline<S> {
  private queue: S[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Changes whenever something else is waited for. */
  private turn = 0;
  /** The step on the board, while not all of it has been told. */
  private current: S | null = null;
  private event = 0;
  /** The last event of the last step is still being looked at. */
  private looking = false;
  private stopped = false;

  constructor(private readonly options: TimelineOptions<S>) {}

  /** How many steps wait behind the one on the board. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Whether everything that has arrived has been told. */
  get settled(): boolean {
    return this.current === null && this.queue.length === 0;
  }

  /** Whether it has also been looked at. */
  get idle(): boolean {
    return this.settled && !this.looking;
  }

  push(step: S): void {
    this.queue.push(step);
    if (this.current === null && !this.looking && !this.stopped) this.next();
  }

  /** Show this at once and forget what waits. */
  jump(step: S): void {
    this.clear();
    this.options.show(step, false);
    this.options.beats(step).forEach((_, event) => this.options.reveal(step, event, true));
    this.options.done(step, false);
    this.options.idle?.();
  }

  /** The rest of the step on the board at once, then the next one. */
  advance(): void {
    if (this.current !== null) this.complete(this.current);
    if (!this.stopped) this.next();
  }

  /** All that waits at once: only the last step comes onto the board. */
  skip(): void {
    if (this.current !== null) this.complete(this.current, this.queue.length === 0);
    const last = this.queue.pop();
    const between = this.queue;
    this.clear();
    for (const step of between) {
      this.options.beats(step).forEach((_, event) => this.options.reveal(step, event, true));
      this.options.done(step, true);
    }
    if (last !== undefined) this.jump(last);
    else this.options.idle?.();
  }

  /** Steps that arrive wait from now on; what is on the board is completed. */
  stop(): void {
    this.stopped = true;
    if (this.current !== null) this.complete(this.current);
    this.cancel();
    this.looking = false;
  }

  resume(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.next();
  }

  clear(): void {
    this.cancel();
    this.queue = [];
    this.current = null;
    this.looking = false;
  }

  private next(): void {
    this.cancel();
    this.looking = false;
    const step = this.queue.shift();
    if (step === undefined) return this.options.idle?.();
    this.current = step;
    this.event = 0;
    const moving = this.options.pace() > 0;
    this.options.show(step, moving);
    if (moving) {
      this.whenDrawn(() => this.run(step, this.options.beats(step)));
    } else {
      this.complete(step, false);
      this.next();
    }
  }

  private run(step: S, beats: Beat[]): void {
    const beat = beats[this.event];
    if (beat === undefined) return this.finish(step, beats.at(-1));
    this.options.begin?.(step, this.event, beat);
    // What takes no time is not shown by itself: it is told together with what follows.
    if (beat.ms + beat.stay + (beat.steady ?? 0) === 0) {
      this.options.reveal(step, this.event, false);
      this.event += 1;
      return this.run(step, beats);
    }
    this.after(beat.ms, () => {
      this.options.reveal(step, this.event, false);
      this.event += 1;
      if (this.event === beats.length) this.finish(step, beat);
      else this.after(beat.stay, () => this.run(step, beats));
    }, beat.steady);
  }

  /** All of it has happened; the next step waits until the last event has been looked at. */
  private finish(step: S, last: Beat | undefined): void {
    this.current = null;
    this.looking = true;
    this.options.done(step, false);
    if (this.stopped) return;
    const stay = last?.stay ?? 0;
    if (stay > 0) this.after(stay, () => this.next());
    else this.next();
  }

  /** When what has just changed has been on the screen for so long, at the present pace. */
  private after(ms: number, then: () => void, steady = 0): void {
    const wait = (pace: number): number => Math.ceil(ms * pace + steady * steadyPace(pace));
    this.whenDrawn(() => (this.timer = setTimeout(then, wait(this.options.pace()))));
  }

  /** Unless something else comes first. */
  private whenDrawn(then: () => void): void {
    this.cancel();
    if (!this.options.drawn) return then();
    const turn = this.turn;
    void this.options.drawn().then(() => {
      if (turn === this.turn) then();
    });
  }

  private cancel(): void {
    this.turn += 1;
    clearTimeout(this.timer);
  }

  /** Tell the rest of the step now. `still`: the board, too, shows where it leads. */
  private complete(step: S, still = true): void {
    this.cancel();
    const beats = this.options.beats(step);
    this.current = null;
    if (still) this.options.show(step, false);
    for (let event = this.event; event < beats.length; event += 1) this.options.reveal(step, event, true);
    this.options.done(step, false);
  }
}
