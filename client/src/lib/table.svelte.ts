// One table from this person's viewpoint: what the server sent, what is on the screen, and what is asked.
import type { BoardModule, GameEvent, View } from './board';
import { Connection, Refused, type Command, type Reply, type Status } from './connection';
import { loadBoard, loadMessages } from './games.svelte';
import { nonce, remember } from './fairness';
import { loadMe } from './me.svelte';
import { announce, showError, toast } from './notices.svelte';
import { currentLang, problem, t, wordsOf } from './i18n.svelte';
import { mayMove, prefs } from './prefs.svelte';
import { play, playFor } from './sound';
import { StepQueue } from './queue';
import { sentence } from './log';
import type { Advice, Answer, ChatLine, Clocks, Game, GameInfo, TableInfo, Welcome, You } from './protocol';
import type { Catalogue, Words } from './words';

export interface Shown {
  info: GameInfo;
  view: View;
  events: GameEvent[];
  /** How many events of the game have happened when this is on the screen. */
  eventCount: number;
  moving: boolean;
}
type Step = Omit<Shown, 'moving'>;
/** What is to be done at an open table as soon as it is known. */
export type Wish = 'start' | 'sit' | null;

export class TableState {
  status = $state<Status>('connecting');
  table = $state.raw<TableInfo | null>(null);
  you = $state.raw<You | null>(null);
  latest = $state.raw<GameInfo | null>(null);
  shown = $state.raw<Shown | null>(null);
  events = $state.raw<GameEvent[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  chatSeen = $state(0);
  board = $state.raw<BoardModule | null>(null);
  own = $state.raw<Catalogue>({});
  chosen = $state<string | null>(null);
  advice = $state.raw<Advice | null>(null);
  hinting = $state(false);
  clocks = $state.raw<{ clocks: Clocks; receivedAt: number } | null>(null);
  /** When the seats that are to move were asked. */
  askedAt = $state(0);
  missing = $state<string | null>(null);
  busy = $state(false);
  /** The last step has been shown to its end. */
  settled = $state(true);
  /** Pass and play: the seat whose player has the device. */
  revealed = $state<number | null>(null);

  private wish = $state<Wish>(null);

  /** The game is about to begin: everybody who is expected sits there. */
  readonly starting = $derived(this.wish === 'start' && (this.you?.host ?? false) && (this.table?.seats.every((seat) => seat.kind !== 'free') ?? false));
  readonly names = $derived(this.table?.seats.map((seat, i) => seat.name || t('seat.free', { seat: i + 1 })) ?? []);
  readonly words = $derived<Words>(wordsOf(this.own, this.names));
  readonly seat = $derived(this.you?.look ?? null);
  readonly current = $derived(this.shown !== null && this.shown.info === this.latest);
  readonly question = $derived(this.current ? (this.latest?.question ?? null) : null);
  /** Pass and play: the seat to hand the device to, or null. */
  readonly curtain = $derived(this.handoverSeat());
  readonly moves = $derived(this.curtain === null && !this.busy ? (this.question?.moves ?? []) : []);
  readonly asked = $derived(this.latest?.asked ?? []);
  /** Who was asked at the step that is on the screen. */
  readonly acting = $derived(this.shown?.info.asked ?? this.asked);
  readonly playing = $derived(this.table !== null && ['playing', 'paused', 'round'].includes(this.table.status));
  readonly over = $derived(this.table?.status === 'over' || this.table?.status === 'aborted');
  readonly mine = $derived(this.you?.seats ?? []);
  readonly hinted = $derived(this.advice?.moves.map(([move]) => move) ?? []);
  readonly log = $derived(this.events.filter((event) => event.index < (this.shown?.eventCount ?? 0)));
  /** Whether there are older events than these: of a long game the server sends the last ones. */
  readonly hasOlder = $derived((this.events[0]?.index ?? 0) > 0);

  private readonly connection: Connection;
  private readonly queue: StepQueue<Step>;
  private wanted: number | null = null;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private game = '';
  /** The whole state was asked for: steps that arrive before the answer are part of it. */
  private resyncing = false;
  private refusal = '';
  private preparing = false;
  /** The decision that a move is on its way for. */
  private sending: number | null = null;

  constructor(
    readonly id: string,
    wish: Wish = null,
  ) {
    this.wish = wish;
    this.queue = new StepQueue<Step>({
      show: (step, moving) => this.show(step, moving),
      duration: (step) => this.board?.duration(step.events) ?? 0,
      still: () => document.hidden || !mayMove(),
      idle: () => (this.settling = setTimeout(() => (this.settled = true), 700)),
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
    this.queue.clear();
    clearTimeout(this.settling);
    this.connection.close();
  }

  private readonly resume = (): void => {
    if (document.hidden) return;
    this.connection.reconnect();
    this.queue.skip();
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
    const known = sameViewpoint && since <= this.seen ? this.events.filter((event) => event.index < since) : [];
    this.events = [...known, ...fresh];
    this.update(message.game);
    this.queue.jump(this.asStep(message.game, fresh));
  }

  private step(message: Game): void {
    if (message.table && this.you) this.tableChanged(message.table, this.you);
    if (this.resyncing) return;
    if (message.game.since !== this.seen) return this.resync();
    const fresh = message.game.events as GameEvent[];
    this.events = [...this.events, ...fresh];
    this.update(message.game);
    clearTimeout(this.settling);
    this.settled = false;
    this.queue.push(this.asStep(message.game, fresh));
  }

  private resync(): void {
    this.resyncing = true;
    this.events = [];
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
    return { info, view: info.view as View, events, eventCount: this.seen };
  }

  private update(info: GameInfo): void {
    const before = this.latest?.asked.join() ?? '';
    if (before !== info.asked.join()) this.askedAt = Date.now();
    this.latest = info;
    // A restored connection repeats the old question before it answers what was sent again.
    if (this.sending === null || info.question?.decision !== this.sending) this.busy = false;
    this.clocks = { clocks: info.clocks, receivedAt: performance.now() };
    if (this.chosen !== null && !info.question?.moves.includes(this.chosen)) this.chosen = null;
    this.advice = null;
  }

  private tableChanged(table: TableInfo, you: You): void {
    const before = this.table;
    this.table = table;
    this.you = you;
    if (before) this.tellWhatChanged(before, table);
    void this.prepare();
    if (table.game !== this.game) {
      this.game = table.game;
      void this.load(table.game);
    }
  }

  private tellWhatChanged(before: TableInfo, { refusal, practice }: TableInfo): void {
    if (refusal && !before.refusal && this.mine.includes(refusal.by)) toast(t('vote.refused', { name: this.names[refusal.seat] ?? '' }));
    if (practice && !before.practice) toast(t('practice.now'));
  }

  /** Before the start: our numbers for the dice, now that the commitment is known; then what the page that led here wants. */
  private async prepare(): Promise<void> {
    if (this.preparing || this.table?.status !== 'open') return;
    this.preparing = true;
    try {
      if (this.wish === 'sit' && this.mine.length === 0 && this.table.seats.some((seat) => seat.kind === 'free')) await this.connection.request({ type: 'sit' });
      for (let seat = this.withoutNonce(); seat !== undefined; seat = this.withoutNonce()) {
        const given = nonce();
        await this.connection.request({ type: 'nonce', nonce: given, seat });
        remember(this.id, this.table.fairness.commitment, seat, given);
      }
      if (this.starting) await this.connection.request({ type: 'start' });
    } catch (refused) {
      // Another device of this person was quicker, or the game has begun meanwhile.
      if (!(refused instanceof Refused)) throw refused;
    } finally {
      this.preparing = false;
      this.wish = null;
    }
  }

  private withoutNonce(): number | undefined {
    return this.table?.status === 'open' ? this.mine.find((seat) => !this.table!.fairness.nonces[seat]) : undefined;
  }

  async load(game: string): Promise<void> {
    try {
      const [board, own] = await Promise.all([loadBoard(game), loadMessages(game, currentLang())]);
      this.board = board;
      this.own = own;
    } catch (error) {
      this.game = ''; // the next message of the server tries again
      showError(error);
    }
  }

  // ---- on the screen -------------------------------------------------------------------------

  private show(step: Step, moving: boolean): void {
    const wasAsked = this.shown?.info.question ?? null;
    this.shown = { ...step, events: moving ? step.events : [], moving: moving && mayMove() };
    if (moving) playFor(step.events, this.board?.sounds);
    if (this.playing || moving) this.announceStep(moving ? step.events : step.events.slice(-3), step.info, wasAsked === null);
  }

  private announceStep(events: GameEvent[], info: GameInfo, wasWaiting: boolean): void {
    const lines = events.map((event) => this.sentence(event));
    const view = info.view as View;
    if (info.question && view.ask && this.curtain === null) {
      lines.push(t('live.your-turn', { ask: this.words.message('ask', view.ask, { ...view, seat: this.seat }) }));
      if (wasWaiting) play('bell');
    }
    announce(lines.filter(Boolean).join(' '));
  }

  sentence(event: GameEvent): string {
    return sentence(event, this.events, this.board, this.words);
  }

  private handoverSeat(): number | null {
    if (!this.table?.local || !this.playing || !this.latest) return null;
    const due = this.asked.filter((seat) => this.mine.includes(seat));
    if (due.length === 0) return null;
    const next = this.seat !== null && due.includes(this.seat) ? this.seat : due[0]!;
    if (this.board?.openInformation) return null;
    if (next === this.revealed && next === this.seat) return null;
    // Whoever has just moved may see the outcome before the curtain falls.
    return this.settled || this.revealed !== this.seat ? next : null;
  }

  /** Games without secrets go round without a curtain: the viewpoint follows the turn. */
  readonly follow = $derived(
    this.table?.local && this.board?.openInformation && this.current
      ? (this.asked.find((seat) => this.mine.includes(seat)) ?? null)
      : null,
  );

  /** Take the viewpoint of another seat of ours. */
  viewAs(seat: number): void {
    this.revealed = seat;
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
    else if (move === this.chosen || prefs.atOnce) void this.play(move);
    else this.chosen = move;
  }

  async play(move: string): Promise<void> {
    const question = this.question;
    if (!question || this.busy) return;
    this.busy = true;
    this.sending = question.decision;
    const done = await this.send({ type: 'play', decision: question.decision, move, ...this.asSeat() });
    this.sending = this.chosen = null;
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
    toast(text);
    announce(text);
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
