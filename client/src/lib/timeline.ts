// One timeline for the whole page. Steps of a game queue here until the previous one has been shown; everything else on the page
// (log, prompt, scores, sounds, announcements) is updated event by event, only after the board has shown it.
// Nothing is left out unless the person skips it.
import { steadyPace } from './pace';

/** The timing of one event at normal pace: the duration of its animation, and of the pause to look at it afterwards. */
export interface Beat {
  ms: number;
  stay: number;
  /** More time in which it happens, which a quick pace does not shorten: there is something to read. */
  steady?: number;
  /** How long after its beginning its sentence may be read; undefined: when its animation is over. */
  captioned?: number;
}

export interface TimelineOptions<S> {
  /** One beat for each event of a step. */
  beats: (step: S) => Beat[];
  /** The factor for all durations; 0 for no animation. */
  pace: () => number;
  /** Show the step on the board. `moving`: it follows the previous step; false for a jump. */
  show: (step: S, moving: boolean) => void;
  /** Resolves once the change is on the screen: durations are measured from then. */
  drawn?: () => Promise<unknown>;
  /** The animation of this event of the step begins. */
  begin?: (step: S, event: number, beat: Beat) => void;
  /** Its animation is over. `skipped`: it was not shown. */
  reveal: (step: S, event: number, skipped: boolean) => void;
  /** All events of the step have been revealed. `skipped`: the step was never shown on the board. */
  done: (step: S, skipped: boolean) => void;
  /** Something happens in this step that is shown even if the steps around it are skipped. */
  landmark?: (step: S) => boolean;
  /** The queue is empty. */
  idle?: () => void;
}

export class Timeline<S> {
  private queue: S[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Incremented to cancel whatever is being waited for. */
  private turn = 0;
  /** The step on the board, until all of it has been revealed. */
  private current: S | null = null;
  private event = 0;
  /** Whether the pause after the last event is still running. */
  private looking = false;
  private stopped = false;

  constructor(private readonly options: TimelineOptions<S>) {}

  /** The number of queued steps after the one on the board. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Whether everything that has arrived has been revealed. */
  get settled(): boolean {
    return this.current === null && this.queue.length === 0;
  }

  /** Whether the pause after it is over, too. */
  get idle(): boolean {
    return this.settled && !this.looking;
  }

  push(step: S): void {
    this.queue.push(step);
    if (this.current === null && !this.looking && !this.stopped) this.next();
  }

  /** Show this step at once and drop the queue. */
  jump(step: S): void {
    this.clear();
    this.options.show(step, false);
    this.options.beats(step).forEach((_, event) => this.options.reveal(step, event, true));
    this.options.done(step, false);
    this.options.idle?.();
  }

  /** Finish the step on the board at once and go on to the next one. */
  advance(): void {
    if (this.current !== null) this.complete(this.current);
    if (!this.stopped) this.next();
  }

  /** Skip the queue: only its last step is shown on the board, or from the next landmark on all of it, unless `all` is to be skipped. */
  skip(all = false): void {
    const landmark = all ? -1 : this.queue.findIndex((step) => this.options.landmark?.(step));
    const rest = landmark < 0 ? [] : this.queue.slice(landmark);
    if (this.current !== null) {
      this.complete(this.current, this.queue.length === rest.length);
      if (this.stopped) return;
    }
    const between = this.queue.slice(0, this.queue.length - rest.length);
    const last = rest.length ? undefined : between.pop();
    this.clear();
    for (const step of between) {
      // The landmark is played on what it follows.
      if (rest.length && step === between.at(-1)) this.options.show(step, false);
      this.options.beats(step).forEach((_, event) => this.options.reveal(step, event, true));
      this.options.done(step, true);
    }
    if (last !== undefined) return this.jump(last);
    if (rest.length === 0) return this.options.idle?.();
    this.queue = rest;
    this.looking = true;
    this.whenDrawn(() => this.next());
  }

  /** Complete the step on the board and hold those that arrive from now on. */
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
      if (!this.stopped) this.next();
    }
  }

  private run(step: S, beats: Beat[]): void {
    const beat = beats[this.event];
    if (beat === undefined) return this.finish(step, beats.at(-1));
    this.options.begin?.(step, this.event, beat);
    // An event without a duration is not shown separately but revealed together with the next one.
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

  /** The step is over; the next one waits for the pause after its last event. */
  private finish(step: S, last: Beat | undefined): void {
    this.current = null;
    this.looking = true;
    this.options.done(step, false);
    if (this.stopped) return;
    const stay = last?.stay ?? 0;
    if (stay > 0) this.after(stay, () => this.next());
    else this.next();
  }

  /** Once the last change has been on the screen for this long, at the current pace. */
  private after(ms: number, then: () => void, steady = 0): void {
    const wait = (pace: number): number => Math.ceil(ms * pace + steady * steadyPace(pace));
    this.whenDrawn(() => (this.timer = setTimeout(then, wait(this.options.pace()))));
  }

  /** Once the last change is on the screen, unless cancelled. */
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

  /** Reveal the rest of the step now. `still`: the board shows its end as well, without animation. */
  private complete(step: S, still = true): void {
    this.cancel();
    const beats = this.options.beats(step);
    this.current = null;
    if (still) this.options.show(step, false);
    for (let event = this.event; event < beats.length; event += 1) this.options.reveal(step, event, true);
    this.options.done(step, false);
  }
}
