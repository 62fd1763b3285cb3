// One table as this person sees it: what the server said, what is on the screen, and what is asked.
import type { BoardModule, GameEvent, View } from './board';
import { Connection, Refused, type Status, type Wish, type Reply } from './connection';
import { loadBoard, loadWords, OPEN_GAMES } from './games';
import { loadMe } from './me.svelte';
import { announce, toast } from './say.svelte';
import { currentLang, problem, t, wordsOf } from './i18n.svelte';
import { mayMove, prefs } from './prefs.svelte';
import { play, playFor } from './sound';
import { StepQueue } from './queue';
import { sentence } from './story';
import type { Advice, Answer, ChatLine, Clocks, Game, GameInfo, TableInfo, Welcome, You } from './protocol';
import type { Catalogue, Words } from './words';

export interface Shown {
  info: GameInfo;
  view: View;
  events: GameEvent[];
  /** How many events of the game have been told when this is on the screen. */
  told: number;
  moving: boolean;
}
type Step = Omit<Shown, 'moving'>;

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
  clocks = $state.raw<{ told: Clocks; at: number } | null>(null);
  /** Since when the seats that are asked have been asked. */
  askedAt = $state(0);
  missing = $state<string | null>(null);
  busy = $state(false);
  /** The last step has been seen to its end. */
  calm = $state(true);
  /** Pass and play: the seat that the person in front of the screen said to be. */
  revealed = $state<number | null>(null);

  readonly names = $derived(this.table?.seats.map((seat, i) => seat.name || t('seat.free', { seat: i + 1 })) ?? []);
  readonly words = $derived<Words>(wordsOf(this.own, this.names));
  readonly seat = $derived(this.you?.look ?? null);
  readonly current = $derived(this.shown !== null && this.shown.info === this.latest);
  readonly question = $derived(this.current ? (this.latest?.question ?? null) : null);
  /** Pass and play: the seat to hand the device to, or null. */
  readonly curtain = $derived(this.nextHand());
  readonly moves = $derived(this.curtain === null && !this.busy ? (this.question?.moves ?? []) : []);
  readonly asked = $derived(this.latest?.asked ?? []);
  /** Who was asked at the step that is on the screen. */
  readonly acting = $derived(this.shown?.info.asked ?? this.asked);
  readonly playing = $derived(this.table !== null && ['playing', 'paused', 'round'].includes(this.table.status));
  readonly over = $derived(this.table?.status === 'over' || this.table?.status === 'aborted');
  readonly mine = $derived(this.you?.seats ?? []);
  readonly hinted = $derived(this.advice?.moves.map(([move]) => move) ?? []);
  readonly log = $derived(this.events.slice(0, this.shown?.told ?? 0));

  private readonly connection: Connection;
  private readonly queue: StepQueue<Step>;
  private wanted: number | null = null;
  private calming: ReturnType<typeof setTimeout> | undefined;
  private game = '';
  /** Everything was asked for anew: steps that come before the answer are in it. */
  private renewing = false;
  private refusal = '';
  /** The decision that a move is on its way for. */
  private sending: number | null = null;

  constructor(readonly id: string) {
    this.queue = new StepQueue<Step>({
      show: (step, moving) => this.show(step, moving),
      duration: (step) => this.board?.duration(step.events) ?? 0,
      still: () => document.hidden || !mayMove(),
      idle: () => (this.calming = setTimeout(() => (this.calm = true), 700)),
    });
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.connection = new Connection({
      url: `${scheme}://${location.host}/ws/table/${encodeURIComponent(id)}`,
      hello: () => ({ seen: this.wanted === this.seat || this.wanted === null ? this.events.length : 0, look: this.wanted ?? this.seat }),
      told: (answer) => this.hear(answer),
      status: (status) => {
        this.status = status;
        if (status === 'refused') this.missing ??= this.refusal;
      },
      stranger: () => void loadMe(true),
    });
    addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
  }

  close(): void {
    removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
    this.queue.clear();
    clearTimeout(this.calming);
    this.connection.close();
  }

  private readonly wake = (): void => {
    if (document.hidden) return;
    this.connection.wake();
    this.queue.skip();
  };

  // ---- from the server -----------------------------------------------------------------------

  private hear(answer: Answer): void {
    if (answer.type === 'welcome') this.welcome(answer);
    else if (answer.type === 'table') this.tableChanged(answer.table, answer.you);
    else if (answer.type === 'game') this.step(answer);
    else if (answer.type === 'chat') this.chat = [...this.chat, answer.line];
    else if (answer.type === 'error') {
      this.refusal = problem(answer.code, answer.params, answer.message, this.words);
      if (this.table) toast(this.refusal, 'danger');
    }
  }

  private welcome(told: Welcome): void {
    const sameEyes = this.you !== null && told.you.look === this.seat;
    this.tableChanged(told.table, told.you);
    this.chat = told.chat;
    if (this.chatSeen === 0) this.chatSeen = told.chat.length;
    this.wanted = null;
    this.renewing = false;
    if (!told.game) return;
    const fresh = told.game.events as GameEvent[];
    if (told.game.since > this.events.length) return this.anew();
    this.events = [...(sameEyes || told.game.since > 0 ? this.events.slice(0, told.game.since) : []), ...fresh];
    this.take(told.game);
    this.queue.jump(this.asStep(told.game, fresh));
  }

  private step(message: Game): void {
    if (message.table && this.you) this.tableChanged(message.table, this.you);
    if (this.renewing) return;
    if (message.game.since !== this.events.length) return this.anew();
    const fresh = message.game.events as GameEvent[];
    this.events = [...this.events, ...fresh];
    this.take(message.game);
    clearTimeout(this.calming);
    this.calm = false;
    this.queue.push(this.asStep(message.game, fresh));
  }

  private anew(): void {
    this.renewing = true;
    this.events = [];
    this.connection.hello();
  }

  private asStep(info: GameInfo, events: GameEvent[]): Step {
    return { info, view: info.view as View, events, told: this.events.length };
  }

  private take(info: GameInfo): void {
    const before = this.latest?.asked.join() ?? '';
    if (before !== info.asked.join()) this.askedAt = Date.now();
    this.latest = info;
    // A connection that is back tells the old question once more, before what was sent again is answered.
    if (this.sending === null || info.question?.decision !== this.sending) this.busy = false;
    this.clocks = { told: info.clocks, at: performance.now() };
    if (this.chosen !== null && !info.question?.moves.includes(this.chosen)) this.chosen = null;
    this.advice = null;
  }

  private tableChanged(table: TableInfo, you: You): void {
    this.table = table;
    this.you = you;
    if (table.game !== this.game) {
      this.game = table.game;
      void this.load(table.game);
    }
  }

  async load(game: string): Promise<void> {
    const [board, own] = await Promise.all([loadBoard(game), loadWords(game, currentLang())]);
    this.board = board;
    this.own = own;
  }

  // ---- on the screen -------------------------------------------------------------------------

  private show(step: Step, moving: boolean): void {
    const wasAsked = this.shown?.info.question ?? null;
    this.shown = { ...step, events: moving ? step.events : [], moving: moving && mayMove() };
    if (moving) playFor(step.events);
    if (this.playing || moving) this.tell(moving ? step.events : step.events.slice(-3), step.info, wasAsked === null);
  }

  private tell(events: GameEvent[], info: GameInfo, wasWaiting: boolean): void {
    const lines = events.map((event) => this.sentence(event));
    const view = info.view as View;
    if (info.question && view.ask && this.curtain === null) {
      lines.push(t('live.your-turn', { ask: this.words.say('ask', view.ask, { ...view, seat: this.seat }) }));
      if (wasWaiting) play('bell');
    }
    announce(lines.filter(Boolean).join(' '));
  }

  sentence(event: GameEvent): string {
    return sentence(event, this.events, this.board, this.words);
  }

  private nextHand(): number | null {
    if (!this.table?.local || !this.playing || !this.latest) return null;
    const due = this.asked.filter((seat) => this.mine.includes(seat));
    if (due.length === 0) return null;
    const next = this.seat !== null && due.includes(this.seat) ? this.seat : due[0]!;
    if (OPEN_GAMES.has(this.table.game)) return null;
    if (next === this.revealed && next === this.seat) return null;
    // Who has just moved may see what came of it before the curtain falls.
    return this.calm || this.revealed !== this.seat ? next : null;
  }

  /** Open games go round without a curtain: the next seat simply looks. */
  readonly follow = $derived(
    this.table?.local && OPEN_GAMES.has(this.table.game) && this.current
      ? (this.asked.find((seat) => this.mine.includes(seat)) ?? null)
      : null,
  );

  /** Look with the eyes of another seat of ours. */
  look(seat: number): void {
    this.revealed = seat;
    if (seat === this.seat) return;
    this.chosen = null;
    this.wanted = seat;
    this.connection.hello();
  }

  // ---- wishes --------------------------------------------------------------------------------

  /** Ask the server; what it refuses is said in words. Gives null when refused. */
  async wish(wish: Wish): Promise<Reply | null> {
    try {
      return await this.connection.request(wish);
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
    const done = await this.wish({ type: 'play', decision: question.decision, move, ...this.asSeat() });
    this.sending = this.chosen = null;
    if (!done || this.latest?.question?.decision !== question.decision) this.busy = false;
  }

  /** Only who sits on several seats has to say which. */
  asSeat(): { seat?: number } {
    return this.mine.length > 1 && this.seat !== null ? { seat: this.seat } : {};
  }

  async why(move: string): Promise<void> {
    const reason = await this.wish({ type: 'why', move, ...this.asSeat() });
    if (reason?.type !== 'reason') return;
    const text = reason.code ? problem(reason.code, reason.params, '', this.words) : t('why.legal');
    toast(text);
    announce(text);
  }

  async hint(): Promise<void> {
    if (this.hinting) return;
    this.hinting = true;
    const advice = await this.wish({ type: 'hint', lang: currentLang(), ...this.asSeat() });
    this.hinting = false;
    if (advice?.type !== 'advice') return;
    this.advice = advice;
    const best = advice.moves[0];
    if (best && this.board && this.shown) announce(`${this.board.describe(best[0], this.shown.view, this.words)}. ${advice.sentence}`);
  }
}
