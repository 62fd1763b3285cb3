// A guided first game: the coach's current step, the move it asks for, and its answer to any other move.
// The server says how far the game has followed the scripted line; everything else follows from that.
import { api, type LessonStep } from './api';
import type { Step } from './presentation.svelte';
import { prefs, setPref } from './prefs.svelte';
import type { TableState } from './table.svelte';

export class Lesson {
  private steps = $state.raw<LessonStep[]>([]);
  /** How many of the texts at the current point have been read. */
  private read = $state.raw({ at: -1, count: 0 });
  /** The furthest point reached: after a take-back nothing is explained twice. */
  private furthest = -1;
  /** A move that the coach objects to before it is played. */
  objected = $state<string | null>(null);
  /** Whether the person has chosen to play on without the coach. */
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
      () => undefined, // without its steps it is an ordinary game
    );
  }

  /** How many events of the line have been shown; null once the game has left it. */
  private readonly at = $derived.by(() => this.room.revealed?.lesson ?? null);
  private readonly here = $derived(this.steps.filter((step) => step.at === this.at));
  private readonly ready = $derived.by(() => this.room.current && !this.room.showing && this.room.past === null && !this.room.over);
  readonly over = $derived(this.left || this.steps.length === 0 || (this.at !== null && this.at > this.steps.at(-1)!.at));
  /** The game has left the line but can return to it. */
  readonly astray = $derived.by(() => !this.over && this.ready && this.at === null && this.room.latest?.undo === 'free');
  /** What the coach says now. */
  readonly step = $derived.by(() => {
    if (this.over || !(this.room.held || (this.ready && this.room.question !== null))) return null;
    const count = this.read.at === this.at ? this.read.count : (this.at ?? 0) < this.furthest ? this.here.length - 1 : 0;
    return this.here[count] ?? null;
  });
  readonly number = $derived(this.step ? this.steps.indexOf(this.step) + 1 : 0);
  readonly length = $derived(this.steps.length);
  readonly last = $derived(this.number === this.length);
  readonly asked = $derived(this.objected === null ? (this.step?.move ?? null) : null);
  /** Nothing is to be done on the board but to read on. */
  readonly reading = $derived(this.step !== null && this.asked === null && this.objected === null && !this.last);
  readonly says = $derived.by(() => {
    if (!this.step) return '';
    return this.text(this.objected === null ? this.step.say : (this.step.replies[this.objected] ?? this.step.otherwise));
  });

  private text(code: string): string {
    const players = this.room.names.map((_, seat) => [`p${seat + 1}`, `p${seat + 1}`]);
    return this.room.words.message('lesson', code, Object.fromEntries(players) as Record<string, string>);
  }

  /** Continue to the next text, or end the lesson. */
  next(): void {
    if (!this.step) return;
    if (this.last) return this.leave();
    const count = this.here.indexOf(this.step) + 1;
    const all = count === this.here.length;
    this.read = { at: this.at ?? 0, count };
    if (all) this.room.release();
  }

  /** Whether somebody else is to decide after this step, and the coach has something to say before they do. */
  holds({ lesson: at, asked, info }: Step): boolean {
    const here = this.steps.filter((step) => step.at === at);
    if (this.left || at === null || here.length === 0 || (info.lesson ?? 0) > this.steps.at(-1)!.at) return false;
    return at >= this.furthest && !asked.some((seat) => this.room.mine.includes(seat)) && !(this.read.at === at && this.read.count === here.length);
  }

  leave(): void {
    this.left = true;
    this.room.release();
    this.remember();
  }

  /** Store the progress on this device and on the server. */
  remember(): void {
    const { id, table } = this.room;
    const game = table!.game;
    const [step, of, done] = [this.over ? this.length : this.number, this.length, this.over];
    const known = prefs.lessons[game];
    if (step === 0 || (known?.table === id && known.step === step && known.of === of && known.done === done)) return;
    setPref('lessons', { ...prefs.lessons, [game]: { table: id, step, of, done, at: Date.now() } });
  }

  /** Whether the coach objects to a move, which then waits until the person has read why another is better. */
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

  /** Return to the line, however many moves ago the game left it. */
  async comeBack(): Promise<void> {
    while (this.room.latest?.lesson === null && this.room.latest.undo === 'free') {
      if (!(await this.room.send({ type: 'undo', ...this.room.asSeat() }))) return;
    }
  }
}
