// What of a table is on the screen: its steps are shown one after the other, and the page reveals no more than has been shown.
import { tick } from 'svelte';
import type { BoardModule, GameEvent, View } from './board';
import { loadBoard, loadMessages } from './games.svelte';
import { announce, showError, toast } from './notices.svelte';
import { currentLang, seatName, t, wordsOf } from './i18n.svelte';
import { FACTORS, setPace, steadyPace } from './pace';
import { mayMove, prefs } from './prefs.svelte';
import { settle } from './drag';
import { play, playFor } from './sound';
import { Timeline, type Beat } from './timeline';
import { parts, prompt, sentence, since, standing, toYou, waiting } from './log';
import type { GameInfo, TableInfo, You } from './protocol';
import type { Catalogue, Part, Words } from './words';

/** One step of the game as it arrived. */
export interface Step {
  info: GameInfo;
  view: View;
  /** The seats that must decide at its end. */
  asked: number[];
  events: GameEvent[];
  /** How many events of the game have happened at its end. */
  eventCount: number;
  /** How many events of a lesson's line have happened at its end; null if the game is not on it. */
  lesson: number | null;
  /** A move of our own made by dropping a piece, which is already in place. */
  dropped?: boolean;
}
export interface Shown extends Step {
  moving: boolean;
}
/** The events that happened during an absence, to be summed up. */
export interface Recap {
  from: number;
  to: number;
}

/** How much longer (in ms) a move stays in view if it was played for the reader. */
const NOTE_STAY = 1400;

/** Resolves when the next frame has painted the change. */
const painted = async (): Promise<void> => {
  await tick();
  await new Promise(requestAnimationFrame);
};

/** The final view without the result: only the pieces are where they ended up. */
const withoutResult = (view: View, before: View): View => ({ ...view, over: false, winners: [], actors: [], ask: null, phase: before.phase });

export class Presentation {
  table = $state.raw<TableInfo | null>(null);
  you = $state.raw<You | null>(null);
  latest = $state.raw<GameInfo | null>(null);
  /** The step on the board, whether or not its animation has finished. */
  shown = $state.raw<Shown | null>(null);
  /** The last step that the board has shown to its end: the rest of the page shows this moment. */
  revealed = $state.raw<Step | null>(null);
  /** How many events have been shown. */
  revealedCount = $state(0);
  /** The event that is happening on the board. */
  happening = $state.raw<GameEvent | null>(null);
  /** The same event once its sentence may be read, if that is before its animation is over. */
  captioned = $state.raw<GameEvent | null>(null);
  /** How long its animation takes, and how long it stays in view afterwards. */
  beat = $state.raw<Beat | null>(null);
  /** How many steps wait behind the one on the board. */
  waiting = $state(0);
  /** The earlier step being reviewed. */
  past = $state.raw<Step | null>(null);
  recap = $state.raw<Recap | null>(null);
  events = $state.raw<GameEvent[]>([]);
  board = $state.raw<BoardModule | null>(null);
  own = $state.raw<Catalogue>({});
  /** The last step has been shown to its end. */
  settled = $state(true);
  /** Playback waits until something has been read. */
  held = $state(false);
  /** Playback waits while something covers the board. */
  private covered = false;
  /** Pass and play: the seat whose player has the device. */
  holder = $state<number | null>(null);
  /** The step on the board has stayed in view after its animation. */
  private viewed = $state(true);
  /** The last step shown that did not end the game. */
  private beforeEnd = $state.raw<Step | null>(null);

  readonly names = $derived(this.table?.seats.map((seat, i) => seatName(seat.name, seat.kind, i)) ?? []);
  /** The seat addressed as "you"; people who share a device are all named. */
  private readonly reader = $derived(this.you?.seats.length === 1 ? this.you.seats[0]! : null);
  readonly words = $derived<Words>(wordsOf(this.own, this.names, this.reader));
  readonly seat = $derived(this.you?.look ?? null);
  /** The last move of the game is on the board, but its result is not shown yet. */
  readonly ending = $derived((this.shown?.view.over ?? false) && !this.viewed);
  /** What the board draws: the earlier step being reviewed, or the current one, without the result until that is shown. */
  readonly view = $derived(this.past?.view ?? (this.ending ? withoutResult(this.shown!.view, this.beforeEnd?.view ?? this.shown!.view) : (this.shown?.view ?? null)));
  /** The view of the last step shown to its end; while the first step is being shown, that step's own view. */
  readonly shownView = $derived(this.past?.view ?? (this.ending ? this.beforeEnd : this.revealed)?.view ?? this.view);
  /** Whether the newest step has been shown. */
  readonly current = $derived(this.revealed !== null && this.revealed.info === this.latest && this.revealed.eventCount === this.received);
  /** What is asked, once it has been shown; one that was open already stays while others' moves are shown. Nothing during a pause. */
  readonly question = $derived.by(() => {
    const asked = this.table?.status === 'paused' ? null : (this.latest?.question ?? null);
    return asked !== null && this.past === null && (this.current || this.revealed?.info.question?.decision === asked.decision) ? asked : null;
  });
  /** The step on the board is still being animated. */
  readonly unfolding = $derived(this.happening !== null || (this.shown?.eventCount ?? 0) > (this.revealed?.eventCount ?? 0));
  /** What may not be skipped is about to be shown. */
  readonly atLandmark = $derived(this.shown?.events.some((event) => event.index >= this.revealedCount && this.board?.landmark?.(event)) ?? false);
  /** Steps are being shown. */
  readonly showing = $derived(this.unfolding || this.waiting > 0);
  /** Pass and play: the seat to hand the device to, or null. */
  readonly curtain = $derived(this.handoverSeat());
  readonly asked = $derived(this.latest?.asked ?? []);
  /** The seats to move at the step on the screen. */
  readonly acting = $derived((this.revealed ?? this.shown)?.asked ?? this.asked);
  /** Whose turn it is on the board: the seat of the current event, then those who are to move next. */
  readonly active = $derived.by(() => {
    if (this.past !== null) return this.past.asked;
    if (this.table?.status === 'round') return this.table.seats.flatMap(({ ready }, seat) => (ready ? [] : [seat]));
    const now = this.happening?.index ?? -1;
    for (const event of this.shown?.events.filter(({ index }) => index <= now).reverse() ?? []) {
      const seat = (event.index < this.revealedCount ? event['next_seat'] : undefined) ?? event.seat ?? event['owner'];
      if (typeof seat === 'number' && this.acting.length < 2) return [seat];
    }
    return this.acting;
  });
  readonly playing = $derived(this.table !== null && ['playing', 'paused', 'round'].includes(this.table.status));
  readonly over = $derived(this.table?.status === 'over' || this.table?.status === 'aborted');
  readonly mine = $derived(this.you?.seats ?? []);
  readonly log = $derived(this.events.filter((event) => event.index < this.revealedCount));
  /** Everything since this person's last own move; moves played for them are included. */
  readonly trail = $derived.by(() => {
    const events = standing(this.log);
    const own = events.findLastIndex((event) => event.seat !== undefined && this.mine.includes(event.seat) && !this.automatic.has(event.index));
    return events.slice(this.mine.length ? own + 1 : -6);
  });

  private readonly timeline: Timeline<Step>;
  /** Every step received for this viewpoint, so that earlier ones can be reviewed. */
  private steps: Step[] = [];
  /** Moves that were played automatically, and why, by event index. */
  private automatic = new Map<number, 'forced' | 'plan' | 'clock'>();
  /** The newest state of the table; `table` is what has been shown of it. */
  private arrived: TableInfo | null = null;
  /** The person has already been warned that the game becomes practice. */
  protected warned = false;
  private captionTimer: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;
  /** The game whose board and messages are loaded or being loaded. */
  private game = '';

  constructor() {
    this.timeline = new Timeline<Step>({
      beats: (step) => this.beats(step),
      pace: () => this.pace(),
      show: (step, moving) => this.show(step, moving),
      drawn: painted,
      begin: (step, at, beat) => this.begin(step, at, beat),
      landmark: (step) => step.events.some((event) => this.board?.landmark?.(event)),
      reveal: (step, at, skipped) => this.reveal(step, at, skipped),
      done: (step, skipped) => this.finished(step, skipped),
      idle: () => {
        this.showResult();
        this.count();
        this.revealTable();
        this.settling = setTimeout(() => (this.settled = true), 700);
      },
    });
  }

  protected stop(): void {
    this.timeline.clear();
    clearTimeout(this.settling);
    clearTimeout(this.captionTimer);
  }

  /** A hidden page shows nothing: events wait, and are summed up on return. */
  protected hide(): void {
    this.timeline.stop();
  }

  protected unhide(): void {
    if (this.past !== null || this.held || this.covered) return;
    if (this.timeline.waiting > 0) this.sumUp(this.revealedCount);
    this.goOn();
  }

  /** Continue playback, unless something else still holds it. */
  private goOn(): void {
    if (this.past === null && !this.held && !this.covered && !document.hidden) this.timeline.resume();
    this.count();
  }

  /** A dialog covers the board, or no longer does: nothing is shown behind it. */
  cover(on: boolean): void {
    if (on === this.covered) return;
    this.covered = on;
    if (on) this.timeline.stop();
    else this.goOn();
  }

  private sumUp(from: number): void {
    this.recap = { from, to: this.received };
    this.timeline.skip(true);
  }

  /** How many events of the game have been received. */
  protected get received(): number {
    return (this.events.at(-1)?.index ?? -1) + 1;
  }

  private asStep(info: GameInfo, events: GameEvent[]): Step {
    return { info, view: info.view as View, asked: info.asked, events, eventCount: this.received, lesson: info.lesson };
  }

  /** Moves that were committed together, as one step each. */
  private asSteps(info: GameInfo, events: GameEvent[]): Step[] {
    const steps: Step[] = [];
    let from = info.since;
    for (const { events: until, view, asked } of info.moments ?? []) {
      const some = events.filter(({ index }) => index >= from && index < until);
      steps.push({ info: { ...info, question: null }, view: view as View, asked, events: some, eventCount: until, lesson: info.lesson === null ? null : info.lesson - (this.received - until) });
      from = until;
    }
    return [...steps, this.asStep(info, events.filter(({ index }) => index >= from))];
  }

  /** The whole state arrived: events during an absence are summed up; another viewpoint or game starts afresh. */
  protected restore(info: GameInfo, sameViewpoint: boolean): void {
    const fresh = info.events as GameEvent[];
    const resumed = sameViewpoint && this.revealed !== null && info.since === this.received;
    const from = this.revealedCount;
    const known = sameViewpoint && info.since <= this.received ? this.events.filter((event) => event.index < info.since) : [];
    this.events = [...known, ...fresh];
    if (known.length === 0) this.steps = [];
    const step = this.asStep(info, fresh);
    this.steps.push(step);
    if (resumed) {
      this.timeline.push(step);
      if (fresh.length && this.past === null) this.sumUp(from);
    } else {
      this.past = null;
      this.timeline.jump(step);
      this.revealedCount = this.received;
    }
    this.count();
  }

  /** New events arrived. */
  protected extend(info: GameInfo, dropped = false): void {
    const fresh = info.events as GameEvent[];
    this.events = [...this.events, ...fresh];
    clearTimeout(this.settling);
    this.settled = false;
    const steps = this.asSteps(info, fresh);
    if (dropped && steps[0]?.events.length === 1) steps[0].dropped = true;
    for (const step of steps) {
      if (step.events.length) this.steps.push(step);
      this.timeline.push(step);
    }
    this.count();
  }

  /** Everything will be sent again. */
  protected forget(): void {
    this.events = [];
    this.steps = [];
  }

  /** Remember the newest state of the game. */
  protected remember(info: GameInfo): void {
    this.latest = info;
    for (const { event, why } of info.automatic ?? []) this.automatic.set(event, why);
  }

  protected arrive(table: TableInfo): void {
    const before = this.arrived;
    this.arrived = table;
    if (before === null) return;
    const { refusal, practice } = table;
    if (refusal && !before.refusal && this.mine.includes(refusal.by)) toast(t('vote.refused', { name: this.names[refusal.seat] ?? '' }));
    if (practice && !before.practice && !this.warned) toast(t('practice.now'));
  }

  /** Who is present is shown at once; status and result only once the board has shown what led to them. */
  protected revealTable(): void {
    const known = this.arrived;
    if (known === null) return;
    // The last piece arrives and stays in sight for a moment before the end is announced.
    const shown = known.status === 'playing' ? this.timeline.settled : this.timeline.idle;
    const ahead = this.table !== null && this.table.status !== 'open' && !shown && (known.status === 'over' || known.status === 'round' || known.status === 'playing');
    const { status, result, thinking, rematch } = ahead ? this.table! : known;
    this.table = { ...known, status, result, thinking, rematch };
  }

  /** Load a game's board and messages, once. */
  protected async loadOnce(game: string): Promise<void> {
    if (game === this.game) return;
    this.game = game;
    await this.load(game);
  }

  async load(game: string): Promise<void> {
    try {
      const [board, own] = await Promise.all([loadBoard(game), loadMessages(game, currentLang())]);
      const first = this.board === null;
      this.board = board;
      this.own = own;
      // Nothing can be announced before the messages are loaded.
      if (first && this.revealed !== null && this.playing) this.announceQuestion(true);
    } catch (error) {
      this.game = ''; // the next message of the server tries again
      showError(error);
    }
  }

  private pace(): number {
    // Nobody should wait long for animations while their own clock is running.
    const hurried = this.table?.settings.clock?.kind === 'live' && this.mine.some((seat) => this.latest?.clocks.running.includes(seat));
    const factor = FACTORS[prefs.pace];
    return hurried ? Math.min(factor, FACTORS.quick) : factor;
  }

  private beats(step: Step): Beat[] {
    const own = this.board?.beats(step.events) ?? step.events.map(() => ({ ms: 0, stay: 0 }));
    // A move that was played for somebody comes with a note, which needs time to be read.
    const beats: Beat[] = own.map(({ stay, ...beat }, at) => ({ ...beat, stay: stay + (this.note(step.events[at]!) ? NOTE_STAY : 0) }));
    // Some boards count points before the winner is announced.
    const last = beats.at(-1);
    if (last && step.view.over) last.stay += this.board?.ending ?? 0;
    // Without animation the event appears at once, and stays in view for the same time.
    if (step.dropped) return beats.map(({ stay, steady = 0 }) => ({ ms: 0, stay: stay + steady }));
    return mayMove() ? beats : beats.map(({ ms, stay, steady = 0 }) => ({ ms: 0, stay: ms + stay + steady }));
  }

  private show(step: Step, moving: boolean): void {
    setPace(this.pace());
    this.shown = { ...step, events: moving ? step.events : [], moving: moving && !step.dropped && mayMove() };
    this.viewed = !moving;
    settle();
    this.happening = null;
    this.count();
  }

  /** The step on the board has been in view long enough: if it ended the game, the result is shown now. */
  private showResult(): void {
    if (this.ending) this.shown = { ...this.shown!, events: [] };
    this.viewed = true;
  }

  private begin(step: Step, at: number, beat: Beat): void {
    const event = step.events[at]!;
    this.happening = event;
    clearTimeout(this.captionTimer);
    this.captioned = null;
    if (beat.captioned === 0) this.captioned = event;
    else if (beat.captioned !== undefined) this.captionTimer = setTimeout(() => (this.captioned = event), beat.captioned * this.pace());
    this.beat = { ms: beat.ms * this.pace() + (beat.steady ?? 0) * steadyPace(this.pace()), stay: beat.stay * this.pace() };
    if (beat.ms + beat.stay > 0) playFor([event], this.board?.sounds);
  }

  private reveal(step: Step, at: number, skipped: boolean): void {
    const event = step.events[at]!;
    this.revealedCount = step.eventCount - step.events.length + at + 1;
    if (!skipped && this.board) announce([this.sentence(event), this.note(event)].filter(Boolean).join(' '));
  }

  private finished(step: Step, skipped: boolean): void {
    const wasAsked = this.revealed?.info.question?.decision ?? null;
    this.happening = null;
    this.revealed = step;
    if (!step.view.over) this.beforeEnd = step;
    this.revealedCount = step.eventCount;
    this.count();
    if (!skipped && this.timeline.waiting === 0) {
      this.revealTable();
      if (this.board && this.playing) this.announceQuestion(step.info.question !== null && step.info.question.decision !== wasAsked);
    }
    if (skipped || !this.holds(step)) return;
    this.held = true;
    this.timeline.stop();
  }

  /** Whether playback waits after this step, because there is something to read. */
  protected holds(_step: Step): boolean {
    return false;
  }

  /** It has been read: continue playback. */
  release(): void {
    if (!this.held) return;
    this.held = false;
    this.goOn();
  }

  private announceQuestion(fresh: boolean): void {
    const { question, view } = this.revealed!.info as { question: unknown; view: View };
    if (!question || !view.ask || this.curtain !== null || !fresh) return;
    announce([this.since, t('live.your-turn', { ask: this.prompt })].filter(Boolean).join(' '));
    play('bell');
  }

  private count(): void {
    this.waiting = this.timeline.waiting;
  }

  /** Go on to the next step. */
  advance(): void {
    this.timeline.advance();
    this.count();
  }

  /** Whoever moves has seen the step before: their own move is shown without further delay. */
  protected endViewing(): void {
    if (this.timeline.settled && !this.timeline.idle) this.advance();
  }

  /** Skip to the newest step. */
  skip(): void {
    if (this.atLandmark) return;
    this.release();
    this.timeline.skip();
    this.count();
  }

  /** The step in which an event happened, if it was received. */
  stepOf(event: GameEvent): Step | null {
    return this.steps.find((step) => event.index < step.eventCount && event.index >= step.eventCount - step.events.length) ?? null;
  }

  /** Review an earlier step; null: back to the newest. */
  lookBack(event: GameEvent | null): void {
    const step = event && this.stepOf(event);
    if (step) {
      this.timeline.stop();
      this.past = step;
      this.count();
    } else {
      this.past = null;
      this.goOn();
    }
  }

  sentence(event: GameEvent): string {
    return sentence(event, this.events, this.board, this.words);
  }

  /** An event as parts of a sentence, in the second person if it happens to the reader. */
  caption(event: GameEvent): { parts: Part[]; yours: boolean } {
    const yours = toYou(event, this.seat, this.board, this.words);
    return { parts: yours ?? parts(event, this.events, this.board, this.words), yours: yours !== null };
  }

  /** Why this move of the person was played automatically; empty if it was not. */
  note(event: GameEvent): string {
    const why = event.seat !== undefined && this.mine.includes(event.seat) ? this.automatic.get(event.index) : undefined;
    return why === undefined ? '' : t(`auto.${why}`);
  }

  /** A move in words. */
  describe(move: string): string {
    const view = this.revealed?.view;
    return view && this.board ? this.board.describe(move, view, this.words) : move;
  }

  /** A shorter text, for a move that is marked on the board. */
  brief(move: string): string {
    const view = this.revealed?.view;
    return view && this.board ? (this.board.brief ?? this.board.describe)(move, view, this.words) : move;
  }

  /** The question to this person, limited to what is legal. */
  readonly prompt = $derived.by(() => {
    const view = this.revealed?.view;
    return view ? prompt(view, this.question?.moves ?? [], this.board, this.words, { ...view, seat: this.seat ?? view.actors[0] }) : '';
  });
  /** What the others are doing. */
  readonly doing = $derived(this.revealed ? waiting(this.revealed.view, this.acting, this.words) : '');
  /** The same trail in one line of text. */
  readonly since = $derived(this.seat === null ? '' : since(this.trail, this.seat, this.board, this.words));

  /** Replay what was summed up. */
  watch(): void {
    const from = this.recap?.from ?? this.revealedCount;
    this.recap = null;
    const missed = this.steps.filter((step) => step.eventCount > from);
    if (missed.length === 0) return;
    this.revealedCount = from;
    for (const step of missed) this.timeline.push(step);
    this.count();
  }

  private handoverSeat(): number | null {
    if (!this.table?.local || !this.playing || !this.latest) return null;
    const due = (this.settled ? this.asked : this.acting).filter((seat) => this.mine.includes(seat));
    if (due.length === 0) return null;
    const next = this.seat !== null && due.includes(this.seat) ? this.seat : due[0]!;
    if (this.board?.openInformation) return null;
    if (next === this.holder && next === this.seat) return null;
    // Whoever has just moved may see the outcome before the curtain appears.
    return this.settled || this.holder !== this.seat ? next : null;
  }
}
