import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backoff } from '../src/lib/backoff';
import { Connection, Refused, type Status } from '../src/lib/connection';
import type { Answer } from '../src/lib/protocol';
import type { SocketLike } from '../src/lib/socket';

type Sent = { type: string; id?: string; [field: string]: unknown };

class FakeSocket implements SocketLike {
  readyState = 0;
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  sent: Sent[] = [];
  send(data: string): void {
    this.sent.push(JSON.parse(data) as Sent);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    (this.onopen as (() => void) | null)?.();
  }
  answer(message: object): void {
    (this.onmessage as ((event: object) => void) | null)?.({ data: JSON.stringify(message) });
  }
  die(code = 1006): void {
    this.readyState = 3;
    (this.onclose as ((event: object) => void) | null)?.({ code });
  }
  asked(): Sent[] {
    return this.sent.filter(({ type }) => type !== 'hello' && type !== 'ping');
  }
}

const WELCOME = { type: 'welcome', v: 1, now: 1_000_000, you: {}, table: {}, game: null, chat: [] };
let sockets: FakeSocket[];
let statuses: Status[];
let received: Answer[];
let seen: number;
let connection: Connection;
const last = (): FakeSocket => sockets.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  statuses = [];
  received = [];
  seen = 0;
  connection = new Connection({
    url: 'ws://here/ws/table/x',
    hello: () => ({ seen }),
    receive: (answer) => received.push(answer),
    status: (status) => statuses.push(status),
    open: () => {
      sockets.push(new FakeSocket());
      return last();
    },
    random: () => 0.5,
  });
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

function arrive(): void {
  last().open();
  last().answer(WELCOME);
}

describe('the connection', () => {
  it('is not closed before it has opened', () => {
    connection.close();
    expect(last().readyState).toBe(0);
    last().open();
    expect(last().readyState).toBe(3);
    expect(last().sent).toEqual([]);
  });

  it('says hello first and is open when welcomed', () => {
    last().open();
    expect(last().sent[0]).toEqual({ type: 'hello', v: 1, seen: 0 });
    expect(statuses).toEqual(['connecting']);
    last().answer(WELCOME);
    expect(statuses.at(-1)).toBe('open');
  });

  it('keeps requests until it is welcomed', () => {
    void connection.request({ type: 'start' });
    last().open();
    expect(last().asked()).toEqual([]);
    last().answer(WELCOME);
    expect(last().asked()).toMatchObject([{ type: 'start' }]);
  });

  it('reconnects automatically and says how many events it has', async () => {
    arrive();
    seen = 42;
    last().die();
    expect(statuses.at(-1)).toBe('lost');
    await vi.advanceTimersByTimeAsync(400);
    expect(sockets).toHaveLength(2);
    last().open();
    expect(last().sent[0]).toMatchObject({ type: 'hello', seen: 42 });
  });

  it('resends unanswered requests with the same id, but not answered ones', async () => {
    arrive();
    const first = connection.request({ type: 'play', decision: 3, move: 'bid 2 A' });
    const second = connection.request({ type: 'say', text: 'hello' });
    const [play, say] = last().asked();
    last().answer({ type: 'done', id: say!.id, table: null });
    await second;
    last().die();
    await vi.advanceTimersByTimeAsync(400);
    arrive();
    expect(last().asked()).toEqual([play]);
    last().answer({ type: 'done', id: play!.id, table: null });
    await expect(first).resolves.toMatchObject({ type: 'done' });
    expect(connection.unanswered).toBe(0);
  });

  it('does not send twice on one connection when the whole state is asked for', () => {
    arrive();
    void connection.request({ type: 'start' });
    connection.hello();
    last().answer(WELCOME);
    expect(last().asked()).toHaveLength(1);
  });

  it('reports a refusal with its code', async () => {
    arrive();
    const command = connection.request({ type: 'start' });
    last().answer({ type: 'error', id: last().asked()[0]!.id, code: 'seats-free', params: { free: 1 }, message: 'no' });
    await expect(command).rejects.toBeInstanceOf(Refused);
    await expect(command).rejects.toMatchObject({ code: 'seats-free', params: { free: 1 } });
  });

  it('waits longer after each failure, up to ten seconds, never less than 0.3', () => {
    expect(backoff(0, () => 0)).toBe(300);
    expect(backoff(2, () => 1)).toBe(1200);
    expect(backoff(20, () => 1)).toBe(10_000);
    expect(backoff(20, () => 0)).toBe(5000);
  });

  it('reconnects at once when asked to', () => {
    arrive();
    last().die();
    connection.reconnect();
    expect(sockets).toHaveLength(2);
  });

  it('treats a long silence as a lost connection', async () => {
    arrive();
    await vi.advanceTimersByTimeAsync(46_000);
    expect(statuses).toContain('lost');
  });

  it('measures the difference of the clocks', () => {
    vi.setSystemTime(50_000);
    arrive();
    const ping = last().sent.find(({ type }) => type === 'ping')!;
    vi.setSystemTime(50_200);
    last().answer({ type: 'pong', t: ping['t'], now: 60_100 });
    expect(connection.offset).toBe(10_000);
  });

  it('does not reconnect after a refusal with a reason', async () => {
    last().open();
    last().answer({ type: 'error', id: null, code: 'table-unknown', params: {}, message: '' });
    last().die(4004);
    expect(received).toMatchObject([{ code: 'table-unknown' }]);
    expect(statuses.at(-1)).toBe('refused');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sockets).toHaveLength(1);
  });

  it('reconnects when the server only did not know who it was', async () => {
    last().die(4003);
    await vi.advanceTimersByTimeAsync(400);
    expect(sockets).toHaveLength(2);
  });

  it('stays closed when closed', async () => {
    arrive();
    connection.close();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sockets).toHaveLength(1);
  });
});
