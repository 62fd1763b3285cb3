// A finished game, step by step, as one seat or a spectator saw it, or with everything revealed.
import { api, ApiError, type ReplayStep, type ReviewedDecision } from './api';
import type { BoardModule, GameEvent } from './board';
import { currentLang, problem, seatName, wordsOf } from './i18n.svelte';
import { loadBoard, loadMessages } from './games.svelte';
import { setPace } from './pace';
import { mayMove } from './prefs.svelte';
import type { SeatInfo } from './protocol';
import { sentence } from './log';
import type { Catalogue } from './words';

const PART = 100;
export const SPEEDS = [0.5, 1, 2, 4] as const;

export class ReplayState {
  at = $state(0);
  total = $state(0);
  steps = $state.raw<(ReplayStep | undefined)[]>([]);
  seats = $state.raw<SeatInfo[]>([]);
  names = $state.raw<string[]>([]);
  game = $state('');
  problem = $state<string | null>(null);
  board = $state.raw<BoardModule | null>(null);
  own = $state.raw<Catalogue>({});
  playing = $state(false);
  speed = $state<number>(1);
  /** Whether the step on the screen directly follows the previous one. */
  moving = $state(false);

  private picked = $state.raw<{ at: number; one: ReviewedDecision } | null>(null);

  /** The reviewed decision that was chosen, as long as its position is on the board. */
  readonly judged = $derived(this.picked?.at === this.at ? this.picked.one : null);
  readonly step = $derived(this.steps[this.at] ?? null);
  readonly words = $derived(wordsOf(this.own, this.names.map((name) => seatName(name))));
  readonly events = $derived(this.steps.flatMap((step) => step?.events ?? []));
  readonly now = $derived(this.step?.events.at(-1)?.index ?? this.before());
  readonly history = $derived(this.events.filter((event) => event.index <= this.now));
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(
    readonly id: string,
    readonly seat: string,
    at: number,
  ) {
    this.at = Math.max(0, at);
    void this.load();
  }

  private before(): number {
    for (let i = this.at; i >= 0; i -= 1) {
      const last = this.steps[i]?.events.at(-1);
      if (last) return last.index;
    }
    return -1;
  }

  private async load(): Promise<void> {
    try {
      // The requested step first, then the rest.
      await this.part(this.at);
      if (this.at >= this.total) this.at = Math.max(0, this.total - 1);
      for (let from = 0; from < this.total && !this.closed; ) from = this.steps[from] ? from + 1 : from + (await this.part(from));
    } catch (refused) {
      if (!(refused instanceof ApiError)) throw refused;
      this.problem = problem(refused.code, refused.params, refused.message);
    }
  }

  /** Fetch steps from this one on; returns how many: the server sends fewer than PART if they are large. */
  private async part(from: number): Promise<number> {
    const part = await api.replay(this.id, this.seat, from, PART);
    if (this.closed) return part.steps.length;
    this.total = part.total;
    this.names = part.names;
    this.seats = part.seats;
    const steps = this.steps.slice();
    part.steps.forEach((step, i) => (steps[from + i] = step));
    this.steps = steps;
    if (this.game !== part.game) {
      this.game = part.game;
      await this.loadGame();
    }
    return Math.max(1, part.steps.length);
  }

  /** The board, and the messages in the current language. */
  async loadGame(): Promise<void> {
    if (!this.game) return;
    const [board, own] = await Promise.all([loadBoard(this.game), loadMessages(this.game, currentLang())]);
    this.board = board;
    this.own = own;
  }

  sentence(event: GameEvent): string {
    return sentence(event, this.events, this.board, this.words);
  }

  go(to: number): void {
    const next = Math.max(0, Math.min(this.total - 1, Math.round(to)));
    this.moving = next === this.at + 1 && mayMove();
    setPace(1 / this.speed);
    this.at = next;
  }

  /** Go to the step in which this event happened, and stay there. */
  goTo(event: GameEvent): void {
    const found = this.stepOf(event.index);
    this.play(false);
    if (found >= 0) this.go(found);
  }

  /** Show a reviewed decision: the position in which it was made. */
  judge(one: ReviewedDecision): void {
    const at = this.stepBefore(one.event);
    this.play(false);
    if (at < 0) return;
    this.picked = { at, one };
    this.go(at);
    this.moving = false;
  }

  /** The step in which the decision was to be made that led to this event; negative if there is none. */
  stepBefore(index: number): number {
    return this.stepOf(index) - 1;
  }

  private stepOf(index: number): number {
    return this.steps.findIndex((step) => step?.events.some((one) => one.index === index));
  }

  play(on = !this.playing): void {
    clearTimeout(this.timer);
    if (on && this.at >= this.total - 1) this.go(0);
    this.playing = on;
    if (on) this.schedule();
  }

  private schedule(): void {
    const shown = this.board && this.step ? this.board.beats(this.step.events).reduce((sum, { ms, stay }) => sum + ms + stay, 0) : 0;
    this.timer = setTimeout(
      () => {
        if (!this.playing) return;
        if (this.at >= this.total - 1) return void (this.playing = false);
        if (this.steps[this.at + 1]) this.go(this.at + 1);
        this.schedule();
      },
      Math.max(700, shown) / this.speed,
    );
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }
}
