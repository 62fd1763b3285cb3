// One table from this person's viewpoint: the server's state and the commands; `Presentation` holds what is shown of it.
import { untrack } from 'svelte';
import type { GameEvent, Half } from './board';
import { Connection, Refused, type Command, type Reply, type Status } from './connection';
import { settle } from './drag';
import { Lesson } from './lesson.svelte';
import { loadMe } from './me.svelte';
import { announce, toast } from './notices.svelte';
import { currentLang, problem, t, type Lang } from './i18n.svelte';
import { prefs } from './prefs.svelte';
import { Preparation, type Intent } from './preparation.svelte';
import { Presentation, type Step } from './presentation.svelte';
import type { Advice, Answer, ChatLine, Clocks, Game, GameInfo, TableInfo, Welcome, You } from './protocol';
import type { Stake } from './words';

const ADVISED = 3;
/** How often it is said why a move waits to be confirmed. */
const FINALS = 2;

export class TableState extends Presentation {
  status = $state<Status>('connecting');
  /** Why the tapped thing cannot be chosen. */
  notice = $state('');
  chat = $state.raw<ChatLine[]>([]);
  chatSeen = $state(0);
  chosen = $state<string | null>(null);
  /** What the board says about an unfinished choice. */
  half = $state.raw<Half | null>(null);
  advice = $state.raw<Advice | null>(null);
  hinting = $state(false);
  private finals = $state(0);
  /** The language of the hint. */
  private advisedIn: Lang | null = null;
  /** What is at stake in the moves of the newest question. */
  stakesOf = $state.raw<{ decision: number; moves: Record<string, Stake[]>; retractable: string[] } | null>(null);
  clocks = $state.raw<{ clocks: Clocks; receivedAt: number } | null>(null);
  /** When the seats to move were asked. */
  askedAt = $state(0);
  missing = $state<string | null>(null);
  /** Whether the warning is open that a take-back turns the game into a practice game. */
  warning = $state(false);
  busy = $state(false);
  /** The coach, if this is a lesson. */
  lesson = $state.raw<Lesson | null>(null);
  readonly moves = $derived(this.curtain === null && !this.busy ? (this.question?.moves ?? []) : []);
  readonly stakes = $derived(this.question !== null && this.stakesOf?.decision === this.question.decision ? this.stakesOf.moves : {});
  /** The move under the pointer in the hint or in a list of moves: the board highlights it above the others. */
  pointed = $state<string | null>(null);
  /** The moves of the hint that are shown. */
  readonly advised = $derived(this.advice?.moves.slice(0, ADVISED) ?? []);
  readonly hinted = $derived.by(() => (this.advice ? this.advised.map(([move]) => move) : this.lesson?.asked ? [this.lesson.asked] : []));
  /** What the board highlights: the move that is pointed at, then those of the hint. */
  readonly highlighted = $derived.by(() => {
    const pointed = this.pointed !== null && this.moves.includes(this.pointed) ? [this.pointed] : [];
    return [...pointed, ...this.hinted.filter((move) => move !== this.pointed)];
  });
  /** Whether to explain that moves are played at once and the last one of the turn is confirmed: throughout a turn, unless a coach explains it. */
  readonly explainsTaps = $derived.by(() => {
    const coached = this.lesson !== null && !this.lesson.over;
    return !!this.board?.confirmsTurn && !prefs.atOnce && !coached && this.moves.some((move) => !this.board!.confirms?.(move));
  });
  /** Whether the chosen move waits to be confirmed, unlike others of the turn, because the next decision is somebody else's; said the first times only. */
  readonly final = $derived.by(() => {
    const known = this.stakesOf?.decision === this.question?.decision ? this.stakesOf : null;
    return this.finals < FINALS && this.chosen !== null && known !== null && !this.table?.counts && !!this.board?.confirmsTurn && !this.board.confirms?.(this.chosen) && !known.retractable.includes(this.chosen);
  });
  /** Whether there are older events: for a long game the server sends only the last ones. */
  readonly hasOlder = $derived((this.events[0]?.index ?? 0) > 0);

  readonly preparation: Preparation;

  private readonly connection: Connection;
  private wanted: number | null = null;
  private noticeTimer: ReturnType<typeof setTimeout> | undefined;
  /** The whole state was requested: steps that arrive before the answer are part of it. */
  private resyncing = false;
  private refusal = '';
  /** The decision whose stakes have been requested. */
  private stakesAsked: number | null = null;
  /** The decision for which a move has been sent. */
  private sending: number | null = null;
  /** The move of a hint that was chosen only as a preview. */
  private previewed: string | null = null;
  /** Whether that move was made by dropping a piece. */
  private dropped = false;

  constructor(
    readonly id: string,
    intent: Intent = { start: false, sit: null },
  ) {
    super();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.connection = new Connection({
      url: `${scheme}://${location.host}/ws/table/${encodeURIComponent(id)}`,
      hello: () => ({ seen: this.wanted === this.seat || this.wanted === null ? this.received : 0, look: this.wanted ?? this.seat }),
      receive: (answer) => this.receive(answer),
      status: (status) => {
        this.status = status;
        if (status === 'refused') this.missing ??= this.refusal;
      },
      unidentified: () => void loadMe(true),
    });
    this.preparation = new Preparation(this, this.connection, intent);
    addEventListener('online', this.resume);
    document.addEventListener('visibilitychange', this.resume);
  }

  protected override holds(step: Step): boolean {
    return this.lesson?.holds(step) ?? false;
  }

  close(): void {
    removeEventListener('online', this.resume);
    document.removeEventListener('visibilitychange', this.resume);
    this.stop();
    clearTimeout(this.noticeTimer);
    this.connection.close();
  }

  private readonly resume = (): void => {
    if (document.hidden) return this.hide();
    this.connection.reconnect();
    this.unhide();
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
    this.update(message.game);
    this.restore(message.game, sameViewpoint);
  }

  private step(message: Game): void {
    if (message.table) this.arrive(message.table);
    if (this.resyncing) return this.revealTable();
    if (message.game.since !== this.received) return this.resync();
    this.update(message.game);
    this.extend(message.game, this.dropped);
    this.dropped = false;
    this.revealTable();
  }

  private resync(): void {
    this.resyncing = true;
    this.forget();
    this.connection.hello();
  }

  /** Fetch older events, a page at a time. */
  async older(): Promise<void> {
    const first = this.events[0]?.index ?? 0;
    if (first === 0) return;
    const found = await this.send({ type: 'log', before: first });
    if (found?.type === 'events' && this.events[0]?.index === first) this.events = [...(found.events as GameEvent[]), ...this.events];
  }

  private update(info: GameInfo): void {
    const before = this.latest?.asked.join() ?? '';
    if (before !== info.asked.join()) this.askedAt = Date.now();
    this.remember(info);
    // A restored connection repeats the old question before it answers the resent request.
    if (this.sending === null || info.question?.decision !== this.sending) this.busy = false;
    this.notice = '';
    this.clocks = { clocks: info.clocks, receivedAt: performance.now() };
    if (this.chosen !== null && !info.question?.moves.includes(this.chosen)) this.chosen = null;
    this.advice = null;
    if (info.question) void this.askStakes(info.question.decision);
  }

  /** Request what is at stake, once per decision. */
  private async askStakes(decision: number): Promise<void> {
    if (this.stakesOf?.decision === decision || this.stakesAsked === decision) return;
    this.stakesAsked = decision;
    try {
      const answer = await this.connection.request({ type: 'stakes', decision, ...this.asSeat() });
      if (answer.type !== 'stakes') return;
      this.stakesOf = { decision, moves: answer.moves as Record<string, Stake[]>, retractable: answer.retractable };
      // The player may have chosen before the answer arrived.
      if (this.chosen !== null && this.chosen !== this.previewed && this.isStep(this.chosen)) void this.play(this.chosen);
    } catch {
      // The decision is over, or the seat is no longer ours: there is nothing to show.
    } finally {
      if (this.stakesAsked === decision) this.stakesAsked = null;
    }
  }

  private tableChanged(table: TableInfo, you: You): void {
    this.arrive(table);
    this.you = you;
    this.revealTable();
    if (table.lesson && this.mine.length) this.lesson ??= new Lesson(this);
    void this.preparation.prepare();
    void this.loadOnce(table.game);
  }

  /** Without hidden information pass-and-play needs no curtain: the viewpoint follows the turn. */
  readonly follow = $derived(
    this.table?.local && this.board?.openInformation && this.current
      ? (this.asked.find((seat) => this.mine.includes(seat)) ?? null)
      : null,
  );

  /** Switch to the viewpoint of another of our seats. */
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

  /** Send a command; if it is refused, show the reason and return null. */
  async send(command: Command): Promise<Reply | null> {
    try {
      return await this.connection.request(command);
    } catch (refused) {
      if (refused instanceof Refused) toast(problem(refused.code, refused.params, refused.message, this.words), 'danger');
      return null;
    }
  }

  choose(move: string | null): void {
    if (this.lesson) this.lesson.objected = null;
    this.notice = '';
    if (move === null) this.chosen = null;
    else if (move === this.chosen) this.confirm();
    else if (prefs.atOnce || this.isStep(move)) void this.play(move);
    else this.chosen = move;
  }

  /** Part of a move was picked, or given up (null); what answered an earlier tap no longer stands beside a new choice. */
  pick(half: Half | null): void {
    if (half && half.text !== untrack(() => this.half?.text)) this.notice = '';
    this.half = half;
  }

  /** Preview a move of the hint: it is played only when confirmed, whatever a tap on the board does. */
  preview(move: string): void {
    if (move === this.chosen) return this.confirm();
    this.choose(null);
    this.chosen = this.previewed = move;
  }

  /** Play the chosen move. */
  confirm(): void {
    if (this.final) this.finals += 1;
    if (this.chosen !== null) void this.play(this.chosen);
  }

  /** Play a move from a button whose label says what it does, so it needs no confirmation. */
  commit(move: string): void {
    if (this.lesson) this.lesson.objected = null;
    void this.play(move);
  }

  /** Play the move of a dropped piece, unless the turn is confirmed as a whole. */
  drop(move: string): boolean {
    const waits = !!this.board?.confirmsTurn && !prefs.atOnce && !this.isStep(move);
    if (waits) this.chosen = move;
    else void this.play(move, true);
    return !waits;
  }

  /** Whether a move is one of several in a turn, which can be taken back immediately. */
  private isStep(move: string): boolean {
    return !!this.board?.confirmsTurn && !this.board.confirms?.(move) && this.stakesOf?.decision === this.question?.decision && !!this.stakesOf?.retractable.includes(move);
  }

  async play(move: string, dropped = false): Promise<void> {
    const question = this.question;
    if (!question || this.busy) return;
    if (this.lesson?.objects(move)) return settle();
    this.busy = true;
    this.dropped = dropped;
    this.endViewing();
    this.sending = question.decision;
    const done = await this.send({ type: 'play', decision: question.decision, move, ...this.asSeat() });
    this.sending = this.chosen = null;
    if (!done) settle();
    if (!done || this.latest?.question?.decision !== question.decision) this.busy = false;
  }

  /** Take back our last move; if that turns the game into a practice game, only after a warning. */
  async undo(warned = false): Promise<void> {
    this.warned ||= warned;
    this.warning = !warned && !!this.latest?.undo_practice;
    if (!this.warning) await this.send({ type: 'undo', ...this.asSeat() });
  }

  /** The seat to send; only needed by a person with several seats. */
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

  /** Show a response to a tap next to the question, for a while. */
  private say(text: string): void {
    this.notice = text;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => (this.notice = ''), 6000);
  }

  /** A hint that is shown is asked for again in another language. */
  override async load(game: string): Promise<void> {
    await super.load(game);
    if (this.advice && this.advisedIn !== currentLang()) await this.hint();
  }

  async hint(): Promise<void> {
    if (this.hinting) return;
    this.hinting = true;
    const lang = (this.advisedIn = currentLang());
    const advice = await this.send({ type: 'hint', lang, ...this.asSeat() });
    this.hinting = false;
    if (advice?.type !== 'advice') return;
    this.advice = advice;
    const best = advice.moves[0];
    if (best && this.board && this.shown) announce(`${this.board.describe(best[0], this.shown.view, this.words)}. ${advice.sentence}`);
  }
}
