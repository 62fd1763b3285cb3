// The WebSocket of one table: reconnects automatically, and sends requests that were not answered
// again with the same id, which the server counts only once.
import { backoff } from './backoff';
import { PROTOCOL, type Advice, type Answer, type Done, type Events, type Hello, type Reason, type Request, type Stakes } from './protocol';
import { closeSocket, type SocketLike } from './socket';

/** `refused`: the server has given a reason, and retrying would not help. */
export type Status = 'connecting' | 'open' | 'lost' | 'refused';
type Identified = Exclude<Request, { type: 'hello' } | { type: 'ping' }>;
type WithoutId<T> = T extends { id: string } ? Omit<T, 'id'> : never;
export type Command = WithoutId<Identified>;
export type Reply = Done | Reason | Stakes | Advice | Events;

export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly params: Record<string, unknown>,
    message: string,
  ) {
    super(message);
  }
}

export interface ConnectionOptions {
  url: string;
  hello: () => Omit<Hello, 'type' | 'v'>;
  receive: (answer: Answer) => void;
  status: (status: Status) => void;
  /** The server does not know who we are (a lost cookie). */
  unidentified?: () => void;
  open?: (url: string) => SocketLike;
  random?: () => number;
}

interface Pending {
  body: Identified;
  sent: boolean;
  resolve: (reply: Reply) => void;
  reject: (problem: Refused) => void;
}

const NOT_ALLOWED = 4003;
const NOT_FOUND = 4004;
const PING_EVERY = 15_000;
const SILENCE = 35_000;
let serial = 0;

export class Connection {
  /** Server time minus our time, in ms. */
  offset = 0;
  private socket: SocketLike | null = null;
  private readonly pending = new Map<string, Pending>();
  private attempts = 0;
  private welcomed = false;
  private closed = false;
  /** Whether this connection has received an error that is not the answer to a request. */
  private errorReceived = false;
  private lastReceived = 0;
  private bestTrip = Infinity;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly pinger: ReturnType<typeof setInterval>;
  private readonly prefix = Math.random().toString(36).slice(2, 10);

  constructor(private readonly options: ConnectionOptions) {
    this.pinger = setInterval(() => this.ping(), PING_EVERY);
    this.connect();
  }

  /** Send a command; settled when the server has answered, however many connections that takes. */
  request(command: Command): Promise<Reply> {
    const id = `${this.prefix}.${(serial += 1)}`;
    const body = { ...command, id } as Identified;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { body, sent: false, resolve, reject });
      this.flush();
    });
  }

  /** Ask for the whole state (after a gap, or for another seat's viewpoint). */
  hello(): void {
    if (this.socket?.readyState === 1) this.post({ type: 'hello', v: PROTOCOL, ...this.options.hello() });
  }

  /** Retry now rather than at the next attempt (the network is back, or the page is visible again). */
  reconnect(): void {
    if (this.closed || this.socket) return;
    clearTimeout(this.retry);
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearInterval(this.pinger);
    this.drop();
  }

  get unanswered(): number {
    return this.pending.size;
  }

  private connect(): void {
    this.options.status(this.attempts === 0 ? 'connecting' : 'lost');
    const socket = (this.options.open ?? ((url): SocketLike => new WebSocket(url)))(this.options.url);
    this.socket = socket;
    this.welcomed = false;
    this.errorReceived = false;
    socket.onopen = () => {
      this.lastReceived = Date.now();
      this.hello();
    };
    socket.onmessage = (event: { data: unknown }) => {
      if (this.socket === socket) this.receive(String(event.data));
    };
    socket.onclose = (event?: { code?: number }) => {
      if (this.socket === socket) this.disconnected(event?.code);
    };
    socket.onerror = () => undefined;
  }

  private disconnected(code = 0): void {
    this.drop();
    if (this.closed) return;
    if (this.errorReceived && (code === NOT_ALLOWED || code === NOT_FOUND)) {
      this.close();
      this.options.status('refused');
      return;
    }
    if (code === NOT_ALLOWED) this.options.unidentified?.();
    for (const one of this.pending.values()) one.sent = false;
    this.options.status('lost');
    this.retry = setTimeout(() => this.connect(), backoff(this.attempts, this.options.random));
    this.attempts += 1;
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    this.welcomed = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    closeSocket(socket);
  }

  private receive(data: string): void {
    this.lastReceived = Date.now();
    const answer = JSON.parse(data) as Answer;
    if (answer.type === 'welcome') {
      this.welcomed = true;
      this.attempts = 0;
      if (this.bestTrip === Infinity) this.offset = answer.now - Date.now();
      this.options.status('open');
      this.options.receive(answer);
      this.flush();
      this.ping();
      return;
    }
    if (answer.type === 'pong') {
      if (answer.t === 0) return;
      // Answered at once: the server measures the round trip and deducts it from the clock.
      this.post({ type: 'ping', t: 0, echo: answer.now });
      return this.measure(answer.t, answer.now);
    }
    if ('id' in answer && answer.id !== null) return this.settle(answer.id, answer);
    this.errorReceived ||= answer.type === 'error';
    this.options.receive(answer);
  }

  private settle(id: string, answer: Reply | Extract<Answer, { type: 'error' }>): void {
    const one = this.pending.get(id);
    if (!one) return;
    this.pending.delete(id);
    if (answer.type === 'error') one.reject(new Refused(answer.code, answer.params, answer.message));
    else one.resolve(answer);
  }

  private flush(): void {
    if (!this.welcomed || this.socket?.readyState !== 1) return;
    for (const one of this.pending.values()) {
      if (one.sent) continue;
      one.sent = true;
      this.post(one.body);
    }
  }

  private ping(): void {
    if (!this.welcomed) return;
    // A connection can die without being closed (a phone that slept): silence counts as a loss.
    if (Date.now() - this.lastReceived > SILENCE) return this.disconnected();
    this.post({ type: 'ping', t: Date.now() });
  }

  private measure(sent: number, theirs: number): void {
    const trip = Date.now() - sent;
    if (trip > this.bestTrip * 1.5) return;
    this.bestTrip = Math.min(trip, this.bestTrip);
    this.offset = theirs + trip / 2 - Date.now();
  }

  private post(body: Request): void {
    this.socket?.send(JSON.stringify(body));
  }
}
