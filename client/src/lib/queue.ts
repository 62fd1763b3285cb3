// Steps of a game wait here until the one before has been shown. A page that falls behind jumps to the end.
export interface QueueOptions<S> {
  /** `moving`: as the next step after the one shown; false: a jump. */
  show: (step: S, moving: boolean) => void;
  duration: (step: S) => number;
  /** Nobody is watching, or nothing may move: then nothing waits. */
  still: () => boolean;
  idle?: () => void;
  behind?: number;
}

export class StepQueue<S> {
  private waiting: S[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private busy = false;

  constructor(private readonly options: QueueOptions<S>) {}

  get length(): number {
    return this.waiting.length;
  }

  /** Whether the last step has been shown to its end. */
  get settled(): boolean {
    return !this.busy && this.waiting.length === 0;
  }

  push(step: S): void {
    this.waiting.push(step);
    if (this.waiting.length > (this.options.behind ?? 6) || this.options.still()) this.skip();
    else if (!this.busy) this.next();
  }

  /** Show this at once and forget what waits. */
  jump(step: S): void {
    this.clear();
    this.options.show(step, false);
    this.options.idle?.();
  }

  /** Jump over all that waits. */
  skip(): void {
    const last = this.waiting.at(-1);
    if (last !== undefined) this.jump(last);
    else if (this.busy) {
      this.clear();
      this.options.idle?.();
    }
  }

  clear(): void {
    clearTimeout(this.timer);
    this.waiting = [];
    this.busy = false;
  }

  private next(): void {
    const step = this.waiting.shift();
    this.busy = step !== undefined;
    if (step === undefined) {
      this.options.idle?.();
      return;
    }
    this.options.show(step, true);
    this.timer = setTimeout(() => this.next(), Math.max(0, this.options.duration(step)));
  }
}
