import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GameEvent, Half } from '../src/lib/board';
import { setLang } from '../src/lib/i18n.svelte';
import type { GameInfo, TableInfo, You } from '../src/lib/protocol';
import { prefs } from '../src/lib/prefs.svelte';
import { TableState } from '../src/lib/table.svelte';

vi.mock('../src/lib/games.svelte', () => ({
  loadBoard: (game: string) =>
    Promise.resolve({
      default: () => null, describe: (move: string) => move, summary: () => [], anchors: () => [], seatScores: () => [], scoreSheet: () => [],
      beats: (events: unknown[]) => events.map(() => ({ ms: 100, stay: 50 })),
      openInformation: game === 'open',
      ending: 1000,
    }),
  loadMessages: () => Promise.resolve({ log: { roll: '{seat} rolls.' }, ask: { bid: 'Bid.' } }),
}));

type Sent = { type: string; id?: string; [field: string]: unknown };
let sockets: Socket[] = [];

class Socket {
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  sent: Sent[] = [];
  constructor() {
    sockets.push(this);
  }
  send(data: string): void {
    this.sent.push(JSON.parse(data) as Sent);
  }
  close(): void {
    this.readyState = 3;
  }
  answer(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  of(type: string): Sent[] {
    return this.sent.filter((one) => one.type === type);
  }
}

const seat = (name: string): TableInfo['seats'][number] => ({
  kind: 'person', name, level: null, online: true, away: false, resigned: false, host: false, ready: true, rating: null, who: null, lost_by: '', replaced: false,
});
const table = (more: Partial<TableInfo> = {}): TableInfo =>
  ({ id: 'x', game: 'dojo', players: 2, options: {}, settings: {}, status: 'playing', seats: [seat('Ana'), seat('Bruno')], spectators: 0, proposal: null,
    fairness: { commitment: '', nonces: [], secret: null }, result: null, rematch: null, thinking: [], local: false, ...more }) as TableInfo;
const you = (more: Partial<You> = {}): You => ({ name: 'Ana', who: 'w', seats: [0], host: true, look: 0, muted: false, silenced: [], ...more });
const event = (index: number): GameEvent => ({ index, type: 'roll', seat: 0 });
const game = (since: number, count: number, more: Partial<GameInfo> = {}): GameInfo => ({
  since, events: Array.from({ length: count }, (_, i) => event(since + i)), view: { ask: 'bid', actors: [0], n: since + count }, question: null,
  asked: [], plan: null, plans: [], undo: 'no', clocks: { running: [], left: [null, null], extra: [null, null] },
  moments: [], automatic: [], lesson: null, undo_practice: false, ...more,
});
const asked = { question: { decision: 7, moves: ['bid 1', 'bid 2'] }, asked: [0] };

let state: TableState;
const socket = (): Socket => sockets.at(-1)!;
const welcome = (info: GameInfo, more: { table?: Partial<TableInfo>; you?: Partial<You> } = {}): void =>
  socket().answer({ type: 'welcome', v: 1, now: Date.now(), you: you(more.you), table: table(more.table), game: info, chat: [] });

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', queueMicrotask); // frames take no time here
  vi.stubGlobal('WebSocket', Socket);
  sockets = [];
  await setLang('en');
  state = new TableState('x');
  socket().onopen?.();
  prefs.atOnce = false;
  prefs.pace = 'normal';
});
afterEach(() => {
  state.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a table', () => {
  it('shows steps in order', () => {
    welcome(game(0, 3));
    socket().answer({ type: 'game', game: game(3, 2), table: null });
    expect(state.events.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  });

  it('reveals nothing before the board has shown it', async () => {
    welcome(game(0, 3, { asked: [1] }));
    await vi.advanceTimersByTimeAsync(1); // the board is loaded
    expect(state.log).toHaveLength(3);
    const over: Partial<TableInfo> = { status: 'over', result: { scores: [3, 1], winners: [0], resigned: [], ratings: [null, null], places: [1, 2], sheet: [] } };
    socket().answer({ type: 'game', game: game(3, 2, { asked: [0] }), table: null });
    socket().answer({ type: 'game', game: game(5, 1, asked), table: table(over) });
    expect([state.log.length, state.acting, state.over, state.table!.result]).toEqual([3, [1], false, null]);
    expect((state.shown!.view as unknown as { n: number }).n).toBe(5);
    await vi.advanceTimersByTimeAsync(100);
    expect([state.log.length, state.acting]).toEqual([4, [1]]);
    await vi.advanceTimersByTimeAsync(150);
    expect([state.log.length, state.acting, state.over]).toEqual([5, [0], false]);
    expect(state.question).toBeNull();
    await vi.advanceTimersByTimeAsync(150);
    expect([state.log.length, state.over, state.table!.result]).toEqual([6, false, null]); // the last piece is still looked at
    await vi.advanceTimersByTimeAsync(50);
    expect([state.over, state.table!.result?.winners]).toEqual([true, [0]]);
    expect(state.question?.decision).toBe(7);
  });

  it('marks whose turn it is at the moment that is on the board', async () => {
    welcome(game(0, 1, { asked: [0] }));
    await vi.advanceTimersByTimeAsync(1);
    const events = [{ ...event(1), next_seat: 1 }, { index: 2, type: 'draw' }, { index: 3, type: 'roll', owner: 1 }] as unknown as GameInfo['events'];
    socket().answer({ type: 'game', game: game(1, 3, { events, asked: [1] }), table: null });
    await vi.advanceTimersByTimeAsync(50);
    expect([state.active, state.acting]).toEqual([[0], [0]]);
    await vi.advanceTimersByTimeAsync(60); // it has been shown that the turn passes; its step goes on
    expect([state.active, state.acting]).toEqual([[1], [0]]);
    await vi.advanceTimersByTimeAsync(150);
    expect([state.active, state.acting]).toEqual([[1], [0]]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([state.active, state.acting]).toEqual([[1], [1]]);
  });

  it('waits if the coach has something to say before others move', async () => {
    const steps = [{ at: 3, say: 'wait' }, { at: 3, say: 'look' }, { at: 5, say: 'free' }].map((step) => ({ show: [], move: null, otherwise: '', replies: {}, ...step }));
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ steps }))));
    welcome(game(0, 1, { ...asked, lesson: 1 }), { table: { lesson: true } });
    await vi.advanceTimersByTimeAsync(1);
    const moments = [{ events: 3, view: { ask: 'bid', actors: [1], n: 3 }, asked: [1] }];
    socket().answer({ type: 'game', game: game(1, 4, { ...asked, lesson: 5, moments }), table: null });
    await vi.advanceTimersByTimeAsync(5000);
    expect([state.log.length, state.held, state.question, state.lesson!.number]).toEqual([3, true, null, 1]);
    state.lesson!.next();
    await vi.advanceTimersByTimeAsync(5000);
    expect([state.log.length, state.lesson!.number]).toEqual([3, 2]);
    state.lesson!.next();
    expect([state.held, state.lesson!.step]).toEqual([false, null]);
    await vi.advanceTimersByTimeAsync(5000);
    expect([state.log.length, state.lesson!.number]).toEqual([5, 3]);
  });

  describe('a game that ends', () => {
    const view = (n: number, more = {}): GameInfo['view'] => ({ ask: 'bid', phase: 'bid', actors: [0], winners: [], over: false, n, ...more });
    const ended = { view: view(4, { over: true, winners: [1], phase: 'over', ask: null, actors: [] }) };
    const seen = (): unknown[] => [state.view!.over, state.view!.winners, state.view!.phase, (state.view as unknown as { n: number }).n, (state.shownView as unknown as { n: number }).n, state.ending];
    beforeEach(async () => {
      welcome(game(0, 3, { view: view(3) }));
      await vi.advanceTimersByTimeAsync(1);
      socket().answer({ type: 'game', game: game(3, 1, ended), table: table({ status: 'over' }) });
    });

    it('is shown without its result until the last move has been in view and the points are counted', async () => {
      expect(seen()).toEqual([false, [], 'bid', 4, 3, true]);
      await vi.advanceTimersByTimeAsync(101); // it has happened
      expect([...seen(), state.log.length]).toEqual([false, [], 'bid', 4, 3, true, 4]);
      await vi.advanceTimersByTimeAsync(1040); // the board counts
      expect(seen()).toEqual([false, [], 'bid', 4, 3, true]);
      await vi.advanceTimersByTimeAsync(20);
      expect(seen()).toEqual([true, [1], 'over', 4, 4, false]);
      expect([state.over, state.shown!.events]).toEqual([true, []]); // nothing moves a second time
    });

    it('shows the result at once when skipped', () => {
      state.advance();
      expect(seen()).toEqual([true, [1], 'over', 4, 4, false]);
    });

    it('shows the result at once without animations', () => {
      welcome(game(0, 4, ended), { you: { look: 1 }, table: { status: 'over' } });
      expect(seen()).toEqual([true, [1], 'over', 4, 4, false]);
    });

    it('hides the result again while the end is replayed', async () => {
      state.skip();
      state.recap = { from: 3, to: 4 };
      state.watch();
      expect(seen()).toEqual([false, [], 'bid', 4, 3, true]);
      await vi.advanceTimersByTimeAsync(1200);
      expect(state.view!.winners).toEqual([1]);
    });
  });

  it('shows the person’s own move at once, even while the step before is still in view', async () => {
    welcome(game(0, 1));
    await vi.advanceTimersByTimeAsync(1);
    socket().answer({ type: 'game', game: game(1, 1, asked), table: null });
    await vi.advanceTimersByTimeAsync(110);
    expect([state.showing, state.moves.length]).toEqual([false, 2]);
    void state.play('bid 1');
    socket().answer({ type: 'game', game: game(2, 1), table: null });
    expect([state.shown!.eventCount, state.waiting]).toEqual([3, 0]);
  });

  it('shows a move that was played for the person for longer', async () => {
    welcome(game(0, 1));
    await vi.advanceTimersByTimeAsync(1);
    socket().answer({ type: 'game', game: game(1, 1, { automatic: [{ event: 1, why: 'forced' }] }), table: null });
    socket().answer({ type: 'game', game: game(2, 1), table: null });
    await vi.advanceTimersByTimeAsync(1500); // 100 until it is there, 50 to look at it, and time to read why
    expect(state.shown!.eventCount).toBe(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(state.shown!.eventCount).toBe(3);
  });

  it('keeps an open question while others’ moves are shown', async () => {
    welcome(game(0, 1, asked));
    await vi.advanceTimersByTimeAsync(1);
    socket().answer({ type: 'game', game: game(1, 1, asked), table: null });
    expect(state.showing).toBe(true);
    expect(state.moves).toEqual(['bid 1', 'bid 2']);
  });

  it('sums up what happened while the page was hidden', async () => {
    welcome(game(0, 2));
    await vi.advanceTimersByTimeAsync(1);
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    for (const at of [2, 3, 4]) socket().answer({ type: 'game', game: game(at, 1), table: null });
    await vi.advanceTimersByTimeAsync(5000);
    expect(state.log).toHaveLength(2);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(state.log).toHaveLength(5);
    expect(state.recap).toEqual({ from: 2, to: 5 });
    hidden.mockRestore();
  });

  it('shows an earlier moment again and goes on from where it was', async () => {
    welcome(game(0, 2));
    await vi.advanceTimersByTimeAsync(1);
    socket().answer({ type: 'game', game: game(2, 1), table: null });
    await vi.advanceTimersByTimeAsync(1000);
    state.lookBack(state.events[1]!);
    expect(state.past!.eventCount).toBe(2);
    socket().answer({ type: 'game', game: game(3, 1, asked), table: null });
    await vi.advanceTimersByTimeAsync(1000);
    expect([state.log.length, state.question]).toEqual([3, null]);
    state.lookBack(null);
    await vi.advanceTimersByTimeAsync(1000);
    expect([state.past, state.log.length, state.moves.length]).toEqual([null, 4, 2]);
  });

  it('waits while a dialog covers the board', async () => {
    welcome(game(0, 1));
    await vi.advanceTimersByTimeAsync(1);
    state.cover(true);
    socket().answer({ type: 'game', game: game(1, 1), table: null });
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.log).toHaveLength(1);
    state.lookBack(state.events[0]!);
    state.lookBack(null); // does not uncover it
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.log).toHaveLength(1);
    state.cover(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.log).toHaveLength(2);
  });

  it('reports nothing that was taken back', async () => {
    const events = [{ seat: 0 }, { seat: 1 }, { seat: 0 }, { type: 'draw' }, { seat: 1 }].map((one, index) => ({ type: 'roll', index, ...one })) as GameEvent[];
    const trail = (): number[] => state.trail.map(({ index }) => index);
    welcome(game(0, 5, { events }));
    await vi.advanceTimersByTimeAsync(1);
    expect(trail()).toEqual([3, 4]);
    socket().answer({ type: 'game', game: game(5, 1, { events: [{ index: 5, type: 'undo', moves: 2 }] }), table: null });
    await vi.advanceTimersByTimeAsync(1000);
    expect(trail()).toEqual([1]);
  });

  it('waits for nothing at the instant pace', async () => {
    prefs.pace = 'instant';
    welcome(game(0, 1));
    await vi.advanceTimersByTimeAsync(1);
    for (const at of [1, 2, 3]) socket().answer({ type: 'game', game: game(at, 1, at === 3 ? asked : {}), table: null });
    expect([state.log.length, state.moves.length]).toEqual([4, 2]);
  });

  it('asks for the whole state after a gap, once', () => {
    welcome(game(0, 3));
    socket().answer({ type: 'game', game: game(5, 1), table: null });
    socket().answer({ type: 'game', game: game(6, 1), table: null });
    expect(socket().of('hello')).toHaveLength(2);
    expect(socket().of('hello')[1]).toMatchObject({ seen: 0, look: 0 });
    welcome(game(0, 7));
    expect(state.events).toHaveLength(7);
  });

  it('resumes with what it has when only later events are sent', () => {
    welcome(game(0, 3));
    welcome(game(3, 1));
    expect(state.events.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });

  it('has the last events of a long game, and fetches older ones on demand', async () => {
    welcome(game(500, 3));
    expect(state.log.map(({ index }) => index)).toEqual([500, 501, 502]);
    socket().answer({ type: 'game', game: game(503, 1), table: null });
    expect(socket().of('hello')).toHaveLength(1);
    expect(state.hasOlder).toBe(true);
    const older = state.older();
    const asking = socket().of('log')[0]!;
    expect(asking).toMatchObject({ before: 500 });
    socket().answer({ type: 'events', id: asking.id, since: 0, events: Array.from({ length: 500 }, (_, i) => event(i)) });
    await older;
    expect(state.events.map(({ index }) => index)).toEqual(Array.from({ length: 504 }, (_, i) => i));
    expect(state.hasOlder).toBe(false);
  });

  it('discards events before a gap in a welcome', () => {
    welcome(game(0, 3));
    welcome(game(500, 2));
    expect(state.events.map(({ index }) => index)).toEqual([500, 501]);
  });

  it('marks a choice first and plays it the second time', async () => {
    welcome(game(0, 1, asked));
    state.choose('bid 2');
    expect(state.chosen).toBe('bid 2');
    expect(socket().of('play')).toEqual([]);
    state.choose('bid 2');
    expect(socket().of('play')).toMatchObject([{ decision: 7, move: 'bid 2' }]);
    expect(state.moves).toEqual([]);
    socket().answer({ type: 'done', id: socket().of('play')[0]!.id, table: null });
    socket().answer({ type: 'game', game: game(1, 1), table: null });
    await vi.advanceTimersByTimeAsync(1);
    expect(state.chosen).toBeNull();
    expect(state.busy).toBe(false);
  });

  it('plays at the first tap when the setting says so', () => {
    prefs.atOnce = true;
    welcome(game(0, 1, asked));
    state.choose('bid 1');
    expect(socket().of('play')).toHaveLength(1);
  });

  it('no longer says why a tap was refused once something else is picked', async () => {
    welcome(game(0, 1, asked));
    const half = (text: string): Half => ({ text, back: () => undefined });
    const refuse = async (): Promise<void> => {
      const done = state.why('bid 9');
      socket().answer({ type: 'reason', id: socket().of('why').at(-1)!.id, code: null, params: {} });
      await done;
    };
    await refuse();
    expect(state.notice).not.toBe('');
    state.pick(half('a group'));
    expect(state.notice).toBe('');
    await refuse();
    state.pick(half('a group'));
    expect(state.notice).not.toBe('');
    state.pick(half('another group'));
    expect(state.notice).toBe('');
  });

  it('previews a move of the hint, even when taps play at once', () => {
    prefs.atOnce = true;
    welcome(game(0, 1, asked));
    state.preview('bid 1');
    expect(state.chosen).toBe('bid 1');
    expect(socket().of('play')).toEqual([]);
    state.preview('bid 1');
    expect(socket().of('play')).toHaveLength(1);
  });

  it('lets the person choose again after a refused move', async () => {
    welcome(game(0, 1, asked));
    const played = state.play('bid 1');
    socket().answer({ type: 'error', id: socket().of('play')[0]!.id, code: 'game-over', params: {}, message: '' });
    await played;
    expect(state.moves).toEqual(['bid 1', 'bid 2']);
  });

  it('offers no moves while one is waiting to be resent after a lost connection', async () => {
    prefs.atOnce = true;
    welcome(game(0, 1, asked));
    state.choose('bid 1');
    socket().onclose?.();
    await vi.advanceTimersByTimeAsync(5000);
    socket().onopen?.();
    welcome(game(1, 0, asked));
    expect(state.busy).toBe(true);
    expect(state.moves).toEqual([]);
    const [again] = socket().of('play');
    expect(again).toMatchObject({ decision: 7, move: 'bid 1' });
    socket().answer({ type: 'done', id: again!.id, table: null });
    socket().answer({ type: 'game', game: game(1, 1, { ...asked, question: { decision: 8, moves: ['bid 3'] } }), table: null });
    await vi.advanceTimersByTimeAsync(200);
    expect(state.moves).toEqual(['bid 3']);
  });

  it('offers moves only when the newest position is on the screen', async () => {
    welcome(game(0, 1));
    await vi.advanceTimersByTimeAsync(1);
    socket().answer({ type: 'game', game: game(1, 1), table: null });
    socket().answer({ type: 'game', game: game(2, 1, asked), table: null });
    expect(state.moves).toEqual([]);
    await vi.advanceTimersByTimeAsync(300);
    expect(state.moves).toEqual(['bid 1', 'bid 2']);
  });

  it('asks nothing during a pause', async () => {
    welcome(game(0, 1, asked));
    await vi.runOnlyPendingTimersAsync();
    expect(state.moves).toHaveLength(2);
    socket().answer({ type: 'table', table: table({ status: 'paused' }), you: you() });
    expect(state.moves).toEqual([]);
    socket().answer({ type: 'table', table: table(), you: you() });
    expect(state.moves).toHaveLength(2);
  });

  it('forgets a choice that is no longer legal', () => {
    welcome(game(0, 1, asked));
    state.choose('bid 2');
    socket().answer({ type: 'game', game: game(1, 1, { question: { decision: 8, moves: ['bid 3'] }, asked: [0] }), table: null });
    expect(state.chosen).toBeNull();
  });
});

describe('before the start', () => {
  const open = (nonces: string[], more: Partial<TableInfo> = {}): object => ({
    type: 'welcome', v: 1, now: Date.now(), you: you(), game: null, chat: [],
    table: table({ status: 'open', fairness: { commitment: 'c', nonces, secret: null, chance: 'all' }, ...more }),
  });
  const done = (type: string): void => socket().answer({ type: 'done', id: socket().of(type).at(-1)!.id, table: null });

  it('sends its nonce only after the commitment is known, and only once', async () => {
    expect(socket().of('nonce')).toEqual([]);
    socket().answer(open(['', '']));
    const [given] = socket().of('nonce');
    expect(given).toMatchObject({ seat: 0 });
    expect(given!.nonce).toMatch(/^[0-9a-f]{32}$/);
    socket().answer({ type: 'table', you: you(), table: table({ status: 'open', fairness: { commitment: 'c', nonces: [given!.nonce as string, ''], secret: null, chance: 'all' } }) });
    done('nonce');
    await vi.advanceTimersByTimeAsync(0);
    expect(socket().of('nonce')).toHaveLength(1);
    expect(socket().of('start')).toEqual([]);
  });

  it('starts after the nonce was sent, if the previous page asked for it', async () => {
    state.close();
    state = new TableState('x', { start: true, sit: null });
    socket().onopen?.();
    const seats = [seat('Ana'), { ...seat('Bot'), kind: 'bot' as const }];
    socket().answer(open(['', ''], { seats }));
    expect(state.preparation.starting).toBe(true);
    expect(socket().of('start')).toEqual([]);
    const [given] = socket().of('nonce');
    socket().answer({ type: 'table', you: you(), table: table({ status: 'open', seats, fairness: { commitment: 'c', nonces: [given!.nonce as string, ''], secret: null, chance: 'all' } }) });
    done('nonce');
    await vi.advanceTimersByTimeAsync(0);
    expect(socket().of('start')).toHaveLength(1);
  });

  it('starts a rematch when the others are back and have sent their nonces', async () => {
    state.close();
    state = new TableState('x', { start: true, sit: 0 });
    socket().onopen?.();
    const free = { ...seat(''), kind: 'free' as const };
    const received = (nonces: string[], seats: TableInfo['seats']): void =>
      socket().answer({ type: 'table', you: you(), table: table({ status: 'open', seats, fairness: { commitment: 'c', nonces, secret: null, chance: 'all' } }) });
    socket().answer(open(['a', ''], { seats: [seat('Ana'), free] }));
    await vi.advanceTimersByTimeAsync(0);
    expect([state.preparation.gathering, state.preparation.starting]).toEqual([true, false]);
    received(['a', ''], [seat('Ana'), seat('Bruno')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(socket().of('start')).toEqual([]);
    received(['a', 'b'], [seat('Ana'), seat('Bruno')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(socket().of('start')).toHaveLength(1);
    expect(socket().of('sit')).toEqual([]);
  });

  it('takes the seat that was kept, or a free one', async () => {
    const free = { ...seat(''), kind: 'free' as const };
    for (const [seats, taken] of [
      [[seat('Ana'), free, free], { type: 'sit', seat: 2 }],
      [[free, free, seat('Ana')], { type: 'sit' }],
    ] as const) {
      state.close();
      state = new TableState('x', { start: true, sit: 2 });
      socket().onopen?.();
      socket().answer({ ...open(['', '', ''], { seats: [...seats], players: 3 }), you: you({ seats: [], host: false, look: null }) });
      await vi.advanceTimersByTimeAsync(0);
      expect(socket().of('sit')).toHaveLength(1);
      expect(socket().of('sit')[0]).toMatchObject(taken);
      expect('seat' in socket().of('sit')[0]!).toBe('seat' in taken);
    }
  });
});

describe('one device for several', () => {
  const local = { table: { local: true }, you: { seats: [0, 1] } };

  it('draws a curtain before anyone has said who they are', () => {
    welcome(game(0, 1, asked), local);
    expect(state.curtain).toBe(0);
    expect(state.moves).toEqual([]);
    state.viewAs(0);
    expect(state.curtain).toBeNull();
    expect(state.moves).toHaveLength(2);
  });

  it('lets the mover see the outcome, then waits for the next and takes their viewpoint', async () => {
    welcome(game(0, 1, asked), local);
    state.viewAs(0);
    socket().answer({ type: 'game', game: game(1, 1, { asked: [1] }), table: null });
    expect(state.curtain).toBeNull();
    await vi.advanceTimersByTimeAsync(2000);
    expect(state.curtain).toBe(1);
    state.viewAs(1);
    expect(socket().of('hello').at(-1)).toMatchObject({ look: 1, seen: 0 });
    expect(state.curtain).toBe(1);
    welcome(game(0, 2, { ...asked, asked: [1] }), { ...local, you: { seats: [0, 1], look: 1 } });
    expect(state.curtain).toBeNull();
  });

  it('needs no curtain if nothing is secret', async () => {
    welcome(game(0, 1, { asked: [1] }), { table: { local: true, game: 'open' }, you: { seats: [0, 1] } });
    await vi.advanceTimersByTimeAsync(1); // the board is loaded
    expect(state.curtain).toBeNull();
    expect(state.follow).toBe(1);
  });
});
