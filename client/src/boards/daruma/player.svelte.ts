// Plays events on what is shown. Whatever happens, the end is the view itself; a new view ends it at once.
import { placeOf } from '../../lib/scale';
import { tick } from 'svelte';
import type { GameEvent } from '../../lib/board';
import { pace, steadyPace } from '../../lib/pace';
import { animations, beats, type Flight } from './animations';
import { bare, settle, type Shown } from './model';
import type { DarumaView } from './types';

export interface Flying extends Flight {
  id: number;
  x: number;
  y: number;
  width: number;
  height: number;
  dx: number;
  dy: number;
  scale: number;
  ms: number;
}

export class Player {
  shown = $state.raw() as Shown;
  flying = $state.raw<Flying[]>([]);
  playing = $state(false);
  private run = 0;
  private last = -1;
  private ids = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private target: DarumaView | null;

  /** The first view; with the events of a game that begins, from the bare table on. */
  constructor(view: DarumaView, events: readonly GameEvent[] = []) {
    const begins = bare(view, events);
    this.target = begins ? null : view;
    this.shown = begins ?? settle(view, null);
  }

  /** A view arrived, with the events that led to it (none after a jump). */
  arrive(view: DarumaView, events: GameEvent[], motion: boolean, root: () => HTMLElement | undefined): void {
    if (view === this.target) {
      if (!motion) this.finish();
      return;
    }
    this.finish();
    this.target = view;
    const index = events[events.length - 1]?.index ?? -1;
    const known = index === this.last;
    this.last = index;
    if (!motion || events.length === 0 || known) this.shown = settle(view, this.shown);
    else void this.play(events, root);
  }

  finish(): void {
    this.run += 1;
    clearTimeout(this.timer);
    this.flying = [];
    if (this.playing && this.target) this.shown = settle(this.target, this.shown);
    this.playing = false;
  }

  private async play(events: GameEvent[], root: () => HTMLElement | undefined): Promise<void> {
    const run = ++this.run;
    const wait = (ms: number, steady = false): Promise<void> => new Promise((done) => (this.timer = setTimeout(done, ms * (steady ? steadyPace() : pace()))));
    const times = beats(events);
    this.playing = true;
    await tick();
    for (const [at, event] of events.entries()) {
      const steps = animations(event);
      for (const step of steps.filter(({ after }) => !after)) {
        const measured = this.measure(step.flights?.(this.shown) ?? [], root(), step.ms * pace());
        if (step.lift) this.shown = step.lift(this.shown);
        this.flying = measured;
        await wait(step.ms, step.steady);
        if (run !== this.run) return;
        this.flying = [];
        if (step.land) this.shown = step.land(this.shown);
        await tick();
      }
      if (at < events.length - 1) await wait(times[at]!.stay);
      if (run !== this.run) return;
      if (at < events.length - 1) this.shown = steps.filter(({ after }) => after).reduce((now, step) => step.land?.(now) ?? now, this.shown);
    }
    this.finish();
  }

  private measure(flights: Flight[], root: HTMLElement | undefined, ms: number): Flying[] {
    if (!root || flights.length === 0) return [];
    const home = placeOf(root);
    const rect = (spot: string): DOMRect | undefined => {
      const found = root.querySelector(`[data-spot="${spot}"]`);
      return found ? placeOf(found) : undefined;
    };
    return flights.flatMap((flight) => {
      const [from, to] = [rect(flight.from), rect(flight.to)];
      if (!from || !to) return [];
      // A shelf is wide: only its start is the goal of a flight.
      const square = (r: DOMRect): DOMRect => new DOMRect(r.x, r.y, Math.min(r.width, r.height * 1.1), r.height);
      const [a, b] = [square(from), square(to)];
      return [
        {
          ...flight,
          id: ++this.ids,
          x: a.x - home.x,
          y: a.y - home.y,
          width: a.width,
          height: a.height,
          dx: b.x + b.width / 2 - (a.x + a.width / 2),
          dy: b.y + b.height / 2 - (a.y + a.height / 2),
          scale: b.width / Math.max(1, a.width),
          ms,
        },
      ];
    });
  }
}
