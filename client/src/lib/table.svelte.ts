// One table from this person's viewpoint: what the server sent, what is on the screen, and what is asked.
import { tick } from 'svelte';
import type { BoardModule, GameEvent, View } from './board';
import { Connection, Refused, type Command, type Reply, type Status } from './connection';
import { loadBoard, loadMessages } from './games.svelte';
import { nonce, remember } from './fairness';
import { loadMe } from './me.svelte';
import { announce, showError, toast } from './notices.svelte';
import { currentLang, problem, seatName, t, wordsOf } from './i18n.svelte';
import { FACTORS, setPace } from './pace';
import { mayMove, prefs } from './prefs.svelte';
import { settle } from './drag';
import { play, playFor } from './sound';
import { Timeline, type Beat } from './timeline';
import { parts, prompt, sentence, since, toYou, waiting } from './log';
import type { Advice, Answer, ChatLine, Clocks, Game, GameInfo, TableInfo, Welcome, You } from './protocol';
import type { Catalogue, Part, Stake, Words } from './words';

/** One step of the game as it arrived. */
export interface Step {
  info: GameInfo;
  view: View;
  /** The seats that must decide at its end. */
  asked: number[];
  events: GameEvent[];
  /** How many events of the game have happened at its end. */
  eventCount: number;
  /** The own move that was made by dropping a piece: it lies there already. */
  dropped?: boolean;
}
export interface Shown extends Step {
  moving: boolean;
}
/** What is to be done at an open table as soon as it is known. */
export interface Intent {
  /** Begin as soon as everybody is there. */
  start: boolean;
  /** Take this seat (or another, if it is taken by now). */
  sit: number | null;
}
/** What waits to be told after an absence. */
export interface Recap {
  from: number;
  to: number;
}

export class TableState {
  status = $state<Status>('connecting');
  table = $state.raw<TableInfo | null>(null);
  you = $state.raw<You | null>(null);
  latest = $state.raw<GameInfo | null>(null);
  /** What is on the board, on its way or arrived. */
  shown = $state.raw<Shown | null>(null);
  /** The last step that the board has shown to its end: all that the page tells is of this moment. */
  revealed = $state.raw<Step | null>(null);
  /** How many events have been told. */
  revealedCount = $state(0);
  /** The event that is happening on the board. */
  happening = $state.raw<GameEvent | null>(null);
  /** How long it takes, and how long it is looked at afterwards. */
  beat = $state.raw<Beat | null>(null);
  /** How many steps wait behind the one on the board. */
  waiting = $state(0);
  /** An earlier step that is being looked at. */
  past = $state.raw<Step | null>(null);
  /** Why what was tapped cannot be chosen. */
  notice = $state('');
  recap = $state.raw<Recap | null>(null);
  events = $state.raw<GameEvent[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  chatSeen = $state(0);
  board = $state.raw<BoardModule | null>(null);
  own = $state.raw<Catalogue>({});
  chosen = $state<string | null>(null);
  advice = $state.raw<Advice | null>(null);
  hinting = $state(false);
  /** What is at stake in the moves of the newest question. */
  stakesOf = $state.raw<{ decision: number; moves: Record<string, Stake[]>; retractable: string[] } | null>(null);
  clocks = $state.raw<{ clocks: Clocks; receivedAt: number } | null>(null);
  /** When the seats that are to move were asked. */
  askedAt = $state(0);
  missing = $state<string | null>(null);
  busy = $state(false);
  /** The last step has been shown to its end. */
  settled = $state(true);
  /** Pass and play: the seat whose player has the device. */
  holder = $state<number | null>(null);

  private intent = $state<Intent>({ start: false, sit: null });

  /** The game begins by itself when the others are back. */
  readonly gathering = $derived(this.intent.start && (this.you?.host ?? false));
  /** The game is about to begin: everybody who is expected sits there, and the others have given their numbers for the dice. */
  readonly starting = $derived(
    this.gathering && (this.table?.seats.every((seat, i) => seat.kind === 'bot' || (seat.kind === 'person' && (this.mine.includes(i) || !!this.table?.fairness.nonces[i]))) ?? false),
  );
  readonly names = $derived(this.table?.seats.map((seat, i) => seatName(seat.name, seat.kind, i)) ?? []);
  readonly words = $derived<Words>(wordsOf(this.own, this.names));
  readonly seat = $derived(this.you?.look ?? null);
  /** Whether the newest step has been told. */
  readonly current = $derived(this.revealed !== null && this.revealed.info === this.latest && this.revealed.eventCount === this.seen);
  /** What is asked, as soon as it has been told; a question that stood before stays while others' moves are shown. */
  readonly question = $derived.by(() => {
    const asked = this.latest?.question ?? null;
    return asked !== null && this.past === null && (this.current || this.revealed?.info.question?.decision === asked.decision) ? asked : null;
  });
  /** The step on the board has not been shown to its end. */
  readonly unfolding = $derived(this.happening !== null || (this.shown?.eventCount ?? 0) > (this.revealed?.eventCount ?? 0));
  /** Steps are being shown. */
  readonly showing = $derived(this.unfolding || this.waiting > 0);
  /** Pass and play: the seat to hand the device to, or null. */
  readonly curtain = $derived(this.handoverSeat());
  readonly moves = $derived(this.curtain === null && !this.busy ? (this.question?.moves ?? []) : []);
  readonly stakes = $derived(this.question !== null && this.stakesOf?.decision === this.question.decision ? this.stakesOf.moves : {});
  readonly asked = $derived(this.latest?.asked ?? []);
  /** Who was asked at the step that is on the screen. */
  readonly acting = $derived(this.revealed?.asked ?? this.asked);
  readonly playing = $derived(this.table !== null && ['playing', 'paused', 'round'].includes(this.table.status));
  readonly over = $derived(this.table?.status === 'over' || this.table?.status === 'aborted');
  readonly mine = $derived(this.you?.seats ?? []);
  readonly hinted = $derived(this.advice?.moves.map(([move]) => move) ?? []);
  readonly log = $derived(this.events.filter((event) => event.index < this.revealedCount));
  /** What happened since this person moved last. */
  readonly trail = $derived.by(() => {
    const own = this.log.findLastIndex((event) => event.seat !== undefined && this.mine.includes(event.seat));
    return this.log.slice(this.mine.length ? own + 1 : -6);
  });
  /** Whether there are older events than these: of a long game the server sends the last ones. */
  readonly hasOlder = $derived((this.events[0]?.index ?? 0) > 0);

  private readonly connection: Connection;
  private readonly timeline: Timeline<Step>;
  /** Every step of this viewpoint that was received, so that a moment can be looked at again. */
  private steps: Step[] = [];
  /** Moves that nobody was asked for, by the number of their event. */
  private automatic = new Map<number, 'forced' | 'plan' | 'clock'>();
  /** The table as it is known; `table` is what has been told of it. */
  private arrived: TableInfo | null = null;
  private wanted: number | null = null;
  private saying: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private game = '';
  /** The whole state was asked for: steps that arrive before the answer are part of it. */
  private resyncing = false;
  private refusal = '';
  /** The decision whose stakes are on their way. */
  private stakesAsked: number | null = null;
  private preparing = false;
  /** The decision that a move is on its way for. */
  private sending: number | null = null;
  /** It was made by dropping a piece. */
  private dropped = false;

  constructor(
    readonly id: string,
    intent: Intent = { start: false, sit: null },
  ) {
    this.intent = intent;
    this.timeline = new Timeline<Step>({
      beats: (step) => this.beats(step),
      pace: () => this.pace(),
      show: (step, moving) => this.show(step, moving),
      drawn: tick,
      begin: (step, at, beat) => this.begin(step, at, beat),
      reveal: (step, at, skipped) => this.reveal(step, at, skipped),
      done: (step, skipped) => this.finished(step, skipped),
      idle: () => {
        this.count();
        this.revealTable();
        this.settling = setTimeout(() => (this.settled = true), 700);
      },
    });
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.connection = new Connection({
      url: `${scheme}://${location.host}/ws/table/${encodeURIComponent(id)}`,
      hello: () => ({ seen: this.wanted === this.seat || this.wanted === null ? this.seen : 0, look: this.wanted ?? this.seat }),
      receive: (answer) => this.receive(answer),
      status: (status) => {
        this.status = status;
        if (status === 'refused') this.missing ??= this.refusal;
      },
      unidentified: () => void loadMe(true),
    });
    addEventListener('online', this.resume);
    document.addEventListener('visibilitychange', this.resume);
  }

  close(): void {
    removeEventListener('online', this.resume);
    document.removeEventListener('visibilitychange', this.resume);
    this.timeline.clear();
    clearTimeout(this.settling);
    clearTimeout(this.saying);
    this.connection.close();
  }

  /** Nobody sees a hidden page: what happens meanwhile waits, and is summed up on return. */
  private readonly resume = (): void => {
    if (document.hidden) return this.timeline.stop();
    this.connection.reconnect();
    if (this.past !== null) return;
    if (this.timeline.waiting > 0) {
      this.recap = { from: this.revealedCount, to: this.seen };
      this.timeline.skip();
    }
    this.timeline.resume();
    this.count();
  };

  // ---- from the server -----------------------------------------------------------------------

  private receive(answer: Answer): void {
    if (answer.type === 'welcome') this.welcome(answer);
    else if (answer.type === 'table') this.tableChanged(answer.table, answer.you);
    else if (answer.type === 'game') this.step(answer);
    else if (answer.type === 'chat') this.chat = [...this.chat, answer.line];
    else if (answer.type === 'error') {
      this.refusal = problem(answer.code, answer.params, answer.message, this.words);
      if (this.table) toast(this.refusal, 'danger');
    }
  }

  private welcome(message: Welcome): void {
    const sameViewpoint = this.you !== null && message.you.look === this.seat;
    this.tableChanged(message.table, message.you);
    this.chat = message.chat;
    if (this.chatSeen === 0) this.chatSeen = message.chat.length;
    this.wanted = null;
    this.resyncing = false;
    if (!message.game) return;
    const fresh = message.game.events as GameEvent[];
    const { since } = message.game;
    const resumed = sameViewpoint && this.revealed !== null && since === this.seen;
    const from = this.revealedCount;
    const known = sameViewpoint && since <= this.seen ? this.events.filter((event) => event.index < since) : [];
    this.events = [...known, ...fresh];
    if (known.length === 0) this.steps = [];
    this.update(message.game);
    const step = this.asStep(message.game, fresh);
    this.steps.push(step);
    if (resumed) {
      this.timeline.push(step);
      if (fresh.length && this.past === null) {
        this.recap = { from, to: this.seen };
        this.timeline.skip();
      }
    } else {
      this.past = null;
      this.timeline.jump(step);
      this.revealedCount = this.seen;
    }
    this.count();
  }

  private step(message: Game): void {
    if (message.table) this.arrive(message.table);
    if (this.resyncing) return this.revealTable();
    if (message.game.since !== this.seen) return this.resync();
    const fresh = message.game.events as GameEvent[];
    this.events = [...this.events, ...fresh];
    this.update(message.game);
    clearTimeout(this.settling);
    this.settled = false;
    const steps = this.asSteps(message.game, fresh);
    if (this.dropped && steps[0]?.events.length === 1) steps[0].dropped = true;
    this.dropped = false;
    for (const step of steps) {
      if (step.events.length) this.steps.push(step);
      this.timeline.push(step);
    }
    this.count();
    this.revealTable();
  }

  private resync(): void {
    this.resyncing = true;
    this.events = [];
    this.steps = [];
    this.connection.hello();
  }

  /** How many events of the game have come. */
  private get seen(): number {
    return (this.events.at(-1)?.index ?? -1) + 1;
  }

  /** Older events, a part at a time. */
  async older(): Promise<void> {
    const first = this.events[0]?.index ?? 0;
    if (first === 0) return;
    const found = await this.send({ type: 'log', before: first });
    if (found?.type === 'events' && this.events[0]?.index === first) this.events = [...(found.events as GameEvent[]), ...this.events];
  }

  private asStep(info: GameInfo, events: GameEvent[]): Step {
    return { info, view: info.view as View, asked: info.asked, events, eventCount: this.seen };
  }

  /** Moves that were committed together, one after the other. */
  private asSteps(info: GameInfo, events: GameEvent[]): Step[] {
    const steps: Step[] = [];
    let from = info.since;
    for (const { events: until, view, asked } of info.moments ?? []) {
      const some = events.filter(({ index }) => index >= from && index < until);
      steps.push({ info: { ...info, question: null }, view: view as View, asked, events: some, eventCount: until });
      from = until;
    }
    return [...steps, this.asStep(info, events.filter(({ index }) => index >= from))];
  }

  private update(info: GameInfo): void {
    const before = this.latest?.asked.join() ?? '';
    if (before !== info.asked.join()) this.askedAt = Date.now();
    this.latest = info;
    for (const { event, why } of info.automatic ?? []) this.automatic.set(event, why);
    // A restored connection repeats the old question before it answers what was sent again.
    if (this.sending === null || info.question?.decision !== this.sending) this.busy = false;
    this.notice = '';
    this.clocks = { clocks: info.clocks, receivedAt: performance.now() };
    if (this.chosen !== null && !info.question?.moves.includes(this.chosen)) this.chosen = null;
    this.advice = null;
    if (info.question) void this.askStakes(info.question.decision);
  }

  /** What is at stake is asked for once, when there is something to decide. */
  private async askStakes(decision: number): Promise<void> {
    if (this.stakesOf?.decision === decision || this.stakesAsked === decision) return;
    this.stakesAsked = decision;
    try {
      const answer = await this.connection.request({ type: 'stakes', decision, ...this.asSeat() });
      if (answer.type !== 'stakes') return;
      this.stakesOf = { decision, moves: answer.moves as Record<string, Stake[]>, retractable: answer.retractable };
      // Whoever was quicker than the answer has chosen already.
      if (this.chosen !== null && this.isStep(this.chosen)) void this.play(this.chosen);
    } catch {
      // The decision is over, or the seat is another's by now: there is nothing to show.
    } finally {
      if (this.stakesAsked === decision) this.stakesAsked = null;
    }
  }

  private tableChanged(table: TableInfo, you: You): void {
    this.arrive(table);
    this.you = you;
    this.revealTable();
    void this.prepare();
    if (table.game !== this.game) {
      this.game = table.game;
      void this.load(table.game);
    }
  }

  private arrive(table: TableInfo): void {
    const before = this.arrived;
    this.arrived = table;
    if (before === null) return;
    const { refusal, practice } = table;
    if (refusal && !before.refusal && this.mine.includes(refusal.by)) toast(t('vote.refused', { name: this.names[refusal.seat] ?? '' }));
    if (practice && !before.practice) toast(t('practice.now'));
  }

  /** Before the start: our numbers for the dice, now that the commitment is known; then what the page that led here wants. */
  private async prepare(): Promise<void> {
    if (this.preparing || this.table?.status !== 'open') return;
    this.preparing = true;
    try {
      if (this.intent.sit !== null) await this.sitDown();
      for (let seat = this.withoutNonce(); seat !== undefined; seat = this.withoutNonce()) {
        const given = nonce();
        await this.connection.request({ type: 'nonce', nonce: given, seat });
        remember(this.id, this.table.fairness.commitment, seat, given);
      }
      if (this.starting) {
        await this.connection.request({ type: 'start' });
        this.intent = { ...this.intent, start: false };
      }
    } catch (refused) {
      // Another device of this person was quicker, or the game has begun meanwhile.
      if (!(refused instanceof Refused)) throw refused;
    } finally {
      this.preparing = false;
    }
  }

  private async sitDown(): Promise<void> {
    const { sit } = this.intent;
    this.intent = { ...this.intent, sit: null };
    if (sit === null || this.mine.length > 0) return;
    const isFree = (seat: number): boolean => this.table?.seats[seat]?.kind === 'free';
    if (isFree(sit)) await this.connection.request({ type: 'sit', seat: sit });
    else if (this.table?.seats.some((_, seat) => isFree(seat))) await this.connection.request({ type: 'sit' });
  }

  private withoutNonce(): number | undefined {
    return this.table?.status === 'open' ? this.mine.find((seat) => !this.table!.fairness.nonces[seat]) : undefined;
  }

  /** Who is there is told at once; how the game stands, when the board has shown it. */
  private revealTable(): void {
    const known = this.arrived;
    if (known === null) return;
    const ahead = this.table !== null && this.table.status !== 'open' && !this.timeline.settled && (known.status === 'over' || known.status === 'round' || known.status === 'playing');
    const { status, result, thinking, rematch } = ahead ? this.table! : known;
    this.table = { ...known, status, result, thinking, rematch };
  }

  async load(game: string): Promise<void> {
    try {
      const [board, own] = await Promise.all([loadBoard(game), loadMessages(game, currentLang())]);
      const first = this.board === null;
      this.board = board;
      this.own = own;
      // Nothing can be said before the words are there.
      if (first && this.revealed !== null && this.playing) this.announceQuestion(true);
    } catch (error) {
      this.game = ''; // the next message of the server tries again
      showError(error);
    }
  }

  // ---- on the screen -------------------------------------------------------------------------

  private pace(): number {
    // Whose clock runs must not be kept waiting for long.
    const hurried = this.table?.settings.clock?.kind === 'live' && this.mine.some((seat) => this.latest?.clocks.running.includes(seat));
    const factor = FACTORS[prefs.pace];
    return hurried ? Math.min(factor, FACTORS.quick) : factor;
  }

  private beats(step: Step): Beat[] {
    const beats = this.board?.beats(step.events) ?? step.events.map(() => ({ ms: 0, stay: 0 }));
    // Where nothing moves, an event is there at once, and is looked at for as long.
    if (step.dropped) return beats.map(({ stay }) => ({ ms: 0, stay }));
    return mayMove() ? beats : beats.map(({ ms, stay }) => ({ ms: 0, stay: ms + stay }));
  }

  private show(step: Step, moving: boolean): void {
    setPace(this.pace());
    this.shown = { ...step, events: moving ? step.events : [], moving: moving && !step.dropped && mayMove() };
    settle();
    this.happening = null;
    this.count();
  }

  private begin(step: Step, at: number, beat: Beat): void {
    this.happening = step.events[at]!;
    this.beat = { ms: beat.ms * this.pace(), stay: beat.stay * this.pace() };
    if (beat.ms + beat.stay > 0) playFor([this.happening], this.board?.sounds);
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
    this.revealedCount = step.eventCount;
    this.count();
    if (!skipped && this.timeline.waiting === 0) {
      this.revealTable();
      if (this.board && this.playing) this.announceQuestion(step.info.question !== null && step.info.question.decision !== wasAsked);
    }
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

  /** The step on the board is seen: on to the next. */
  advance(): void {
    this.timeline.advance();
    this.count();
  }

  /** To the newest step. */
  skip(): void {
    this.timeline.skip();
    this.count();
  }

  /** The step in which an event happened, where it is still known. */
  stepOf(event: GameEvent): Step | null {
    return this.steps.find((step) => event.index < step.eventCount && event.index >= step.eventCount - step.events.length) ?? null;
  }

  /** Look at an earlier moment again; null: back to now. */
  lookBack(event: GameEvent | null): void {
    const step = event && this.stepOf(event);
    if (step) {
      this.timeline.stop();
      this.past = step;
    } else {
      this.past = null;
      this.timeline.resume();
    }
    this.count();
  }

  sentence(event: GameEvent): string {
    return sentence(event, this.events, this.board, this.words);
  }

  /** An event in pieces: to the reader where it happens to them. */
  caption(event: GameEvent): { parts: Part[]; yours: boolean } {
    const yours = toYou(event, this.seat, this.board, this.words);
    return { parts: yours ?? parts(event, this.events, this.board, this.words), yours: yours !== null };
  }

  /** That a move of this person played automatically, and why. */
  note(event: GameEvent): string {
    const why = event.seat !== undefined && this.mine.includes(event.seat) ? this.automatic.get(event.index) : undefined;
    return why === undefined ? '' : t(`auto.${why}`);
  }

  /** What is asked of this person, of what is legal. */
  readonly prompt = $derived.by(() => {
    const view = this.revealed?.view;
    return view ? prompt(view, this.question?.moves ?? [], this.board, this.words, { ...view, seat: this.seat ?? view.actors[0] }) : '';
  });
  /** What the others are doing. */
  readonly doing = $derived(this.revealed ? waiting(this.revealed.view, this.acting, this.words) : '');
  /** What happened since this person moved last. */
  readonly since = $derived(this.seat === null ? '' : since(this.trail, this.seat, this.board, this.words));

  /** Watch again what was summed up. */
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
    // Whoever has just moved may see the outcome before the curtain falls.
    return this.settled || this.holder !== this.seat ? next : null;
  }

  /** Games without secrets go round without a curtain: the viewpoint follows the turn. */
  readonly follow = $derived(
    this.table?.local && this.board?.openInformation && this.current
      ? (this.asked.find((seat) => this.mine.includes(seat)) ?? null)
      : null,
  );

  /** Take the viewpoint of another seat of ours. */
  viewAs(seat: number): void {
    this.holder = seat;
    if (seat === this.seat) return;
    this.chosen = null;
    this.wanted = seat;
    this.connection.hello();
  }

  serverNow(): number {
    return Date.now() + this.connection.offset;
  }

  // ---- commands -------------------------------------------------------------------------------

  /** Send a command; a refusal is shown in words and gives null. */
  async send(command: Command): Promise<Reply | null> {
    try {
      return await this.connection.request(command);
    } catch (refused) {
      if (refused instanceof Refused) toast(problem(refused.code, refused.params, refused.message, this.words), 'danger');
      return null;
    }
  }

  choose(move: string | null): void {
    if (move === null) this.chosen = null;
    else if (move === this.chosen || prefs.atOnce || this.isStep(move)) void this.play(move);
    else this.chosen = move;
  }

  /** A piece was dropped: that is the move, unless the turn is confirmed as a whole. */
  drop(move: string): boolean {
    const waits = !!this.board?.confirmsTurn && !prefs.atOnce && !this.isStep(move);
    if (waits) this.chosen = move;
    else void this.play(move, true);
    return !waits;
  }

  /** Whether a move is one of a turn's several, which can be taken back at once. */
  private isStep(move: string): boolean {
    return !!this.board?.confirmsTurn && this.stakesOf?.decision === this.question?.decision && !!this.stakesOf?.retractable.includes(move);
  }

  async play(move: string, dropped = false): Promise<void> {
    const question = this.question;
    if (!question || this.busy) return;
    this.busy = true;
    this.dropped = dropped;
    this.sending = question.decision;
    const done = await this.send({ type: 'play', decision: question.decision, move, ...this.asSeat() });
    this.sending = this.chosen = null;
    if (!done) settle();
    if (!done || this.latest?.question?.decision !== question.decision) this.busy = false;
  }

  /** Only a person with several seats has to name one. */
  asSeat(): { seat?: number } {
    return this.mine.length > 1 && this.seat !== null ? { seat: this.seat } : {};
  }

  async why(move: string): Promise<void> {
    const reason = await this.send({ type: 'why', move, ...this.asSeat() });
    if (reason?.type !== 'reason') return;
    const text = reason.code ? problem(reason.code, reason.params, '', this.words) : t('why.legal');
    this.say(text);
    announce(text);
  }

  /** An answer to what was tapped, beside the question; it stays for a while. */
  private say(text: string): void {
    this.notice = text;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.notice = ''), 6000);
  }

  async hint(): Promise<void> {
    if (this.hinting) return;
    this.hinting = true;
    const advice = await this.send({ type: 'hint', lang: currentLang(), ...this.asSeat() });
    this.hinting = false;
    if (advice?.type !== 'advice') return;
    this.advice = advice;
    const best = advice.moves[0];
    if (best && this.board && this.shown) announce(`${this.board.describe(best[0], this.shown.view, this.words)}. ${advice.sentence}`);
  }
}
