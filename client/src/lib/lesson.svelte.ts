// A guided first game: which step the coach is at, what it asks for, and how it answers another move.
// The server says how far the game has followed the prepared line; everything else follows from that.
import { api, type LessonStep } from './api';
import { prefs, setPref } from './prefs.svelte';
import type { TableState } from './table.svelte';

export class Lesson {
  private steps = $state.raw<LessonStep[]>([]);
  /** How many texts have been read where the game stands. */
  private read = $state.raw({ at: -1, count: 0 });
  /** How far the game has come already: what was taken back is not explained again. */
  private furthest = -1;
  /** A move that the coach has something to say about before it is played. */
  objected = $state<string | null>(null);
  /** The person wants to play alone from here on. */
  private left = $state(false);

  constructor(private readonly room: TableState) {
    const known = prefs.lessons[room.table!.game];
    const begun = known?.table === room.id ? known : null;
    this.left = begun?.done ?? false;
    void api.lesson(room.table!.game).then(
      ({ steps }) => {
        this.steps = steps;
        const last = begun && steps[begun.step - 1];
        if (last) this.read = { at: last.at, count: steps.filter((step) => step.at === last.at).indexOf(last) };
      },
      () => undefined, // without its steps it is a game like any other
    );
  }

  /** How many events of the line have been shown; null: the game has left it. */
  private readonly at = $derived.by(() => this.room.revealed?.info.lesson ?? null);
  private readonly here = $derived(this.steps.filter((step) => step.at === this.at));
  private readonly ready = $derived.by(() => this.room.current && !this.room.showing && this.room.past === null && !this.room.over);
  readonly over = $derived(this.left || this.steps.length === 0 || (this.at !== null && this.at > this.steps.at(-1)!.at));
  /** The game goes on without the coach, and can come back. */
  readonly astray = $derived.by(() => !this.over && this.ready && this.at === null && this.room.latest?.undo === 'free');
  /** What the coach says now. */
  readonly step = $derived.by(() => {
    if (this.over || !this.ready) return null;
    const count = this.read.at === this.at ? this.read.count : (this.at ?? 0) < this.furthest ? this.here.length - 1 : 0;
    return this.here[Math.min(count, this.here.length - 1)] ?? null;
  });
  readonly number = $derived(this.step ? this.steps.indexOf(this.step) + 1 : 0);
  readonly length = $derived(this.steps.length);
  readonly last = $derived(this.number === this.length);
  /** The move that the step asks for. */
  readonly asked = $derived(this.objected === null ? (this.step?.move ?? null) : null);
  readonly says = $derived.by(() => {
    if (!this.step) return '';
    return this.text(this.objected === null ? this.step.say : (this.step.replies[this.objected] ?? this.step.otherwise));
  });

  private text(code: string): string {
    const players = this.room.names.map((_, seat) => [`p${seat + 1}`, `p${seat + 1}`]);
    return this.room.words.message('lesson', code, Object.fromEntries(players) as Record<string, string>);
  }

  /** On to the next text, or to the end of the lesson. */
  next(): void {
    if (!this.step) return;
    if (this.last) return this.leave();
    this.read = { at: this.at ?? 0, count: this.here.indexOf(this.step) + 1 };
  }

  leave(): void {
    this.left = true;
    this.remember();
  }

  /** Progress is kept on this device, and with the person. */
  remember(): void {
    const { id, table } = this.room;
    const game = table!.game;
    const [step, of, done] = [this.over ? this.length : this.number, this.length, this.over];
    const known = prefs.lessons[game];
    if (step === 0 || (known?.table === id && known.step === step && known.of === of && known.done === done)) return;
    setPref('lessons', { ...prefs.lessons, [game]: { table: id, step, of, done, at: Date.now() } });
  }

  /** Whether a move waits until the person has read why another one is better. */
  objects(move: string): boolean {
    const wanted = this.step && this.here.at(-1)!.move;
    if (!wanted || move === wanted || move === this.objected) {
      this.furthest = Math.max(this.furthest, (this.at ?? -1) + 1);
      this.objected = null;
      return false;
    }
    this.read = { at: this.at ?? 0, count: this.here.length - 1 };
    this.objected = move;
    return true;
  }

  takeBack(): void {
    this.room.choose(null);
  }

  /** Back to the line, however many moves ago it was left. */
  async comeBack(): Promise<void> {
    while (this.room.latest?.lesson === null && this.room.latest.undo === 'free') {
      if (!(await this.room.send({ type: 'undo', ...this.room.asSeat() }))) return;
    }
  }
}
