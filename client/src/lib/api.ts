// The server's HTTP API.
import type { Listed, Lobby, SeatInfo, Settings, TableInfo } from './protocol';
import type { GameEvent, View } from './board';
import type { Pace } from './pace';
import type { LessonProgress, Theme } from './prefs.svelte';
import type { Components } from './sets.svelte';
import type { Catalogue } from './words';

export interface GameSpec {
  name: string;
  seats: number[];
  options: Record<string, string[]>;
  /** Names of options (`belt`) and of their values (`belt=white`). */
  option_names: Record<string, string>;
  /** The options suggested for a first game. */
  beginner: Record<string, string>;
  title: string;
  summary: string;
  /** How long a game takes, as text; may be empty. */
  duration: string;
  /** The bundled board of this game; empty for the generic one. */
  board: string;
  has_components: boolean;
  /** Whether there is a guided first game. */
  has_lesson: boolean;
  /** Whether a table may pause after each round. */
  has_rounds: boolean;
  /** Whether chance decides anything besides who starts. */
  has_chance: boolean;
  /** Neural networks to play against, each for one number of players and one set of options. */
  networks: { name: string; players: number; options: Record<string, string> }[];
}
/** What the coach says after that many events of the scripted line; texts are messages of `[lesson]`. */
export interface LessonStep {
  at: number;
  say: string;
  /** What to highlight: keys of explanations, optionally with a seat ("score p1"). */
  show: string[];
  /** The move the coach asks for. */
  move: string | null;
  /** The answer to other moves. */
  otherwise: string;
  replies: Record<string, string>;
}
export interface Rating {
  rating: number;
  games: number;
}
export interface TokenInfo {
  id: string;
  label: string;
  at: number;
}
export interface Ranked extends Rating {
  who: string;
  name: string;
}
export interface Me {
  who: string;
  name: string;
  lang: string | null;
  account: string | null;
  ratings: Record<string, Rating>;
  /** May use the admin page. */
  admin: boolean;
}
/** How a person logs in and recovers the account. */
export interface AccountInfo {
  name: string | null;
  /** Whether this server sends e-mails. */
  mail: boolean;
  email: string | null;
  /** An address awaiting confirmation. */
  waiting: string | null;
  totp: boolean;
  /** The number of unused recovery codes. */
  codes: number;
}
export interface SessionInfo {
  id: string;
  device: string;
  at: number;
  used: number;
  current: boolean;
}
export interface TotpSetup {
  nonce: string;
  secret: string;
  uri: string;
}
export interface Played extends Listed {
  ended: number | null;
  scores: number[] | null;
  winners: number[] | null;
  seat: number | null;
}
export interface Person {
  name: string;
  account: string | null;
  ratings: Record<string, Rating>;
  games: Played[];
}
export interface ReplayStep {
  at: number;
  events: GameEvent[];
  view: View;
  views: View[] | null;
  mover: number | null;
}
export interface ReplayPart {
  total: number;
  game: string;
  names: string[];
  seats: SeatInfo[];
  steps: ReplayStep[];
}
export type Judgement = 'forced' | 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';
export interface ReviewedDecision {
  /** Its index among the events of the replay. */
  event: number;
  seat: number;
  move: string;
  best: string;
  share: number;
  best_share: number;
  loss: number;
  judgement: Judgement;
  moves: [string, number][];
  /** Everyone's chance of winning, given what the deciding seat knows. */
  before: number[];
  after: number[];
  /** The same with all hidden information revealed. */
  open_before: number[];
  open_after: number[];
  luck: number[];
  sentence: string;
  /** What its seat saw, where another move was better. */
  view: View | null;
}
export interface TurningPoint {
  decision: number;
  cause: 'move' | 'luck';
  seat: number;
  change: number;
  /** Of luck: the draws that it was, as the seat that decided next saw them. */
  drawn: GameEvent[];
}
export interface Review {
  game: string;
  players: number;
  over: boolean;
  deal: number[];
  decisions: ReviewedDecision[];
  turning_points: TurningPoint[];
  seats: { result: number; luck: number; own: number; others: number; accuracy: number | null; counts: Partial<Record<Judgement, number>> }[];
}
export interface ReviewStatus {
  state: 'none' | 'waiting' | 'running' | 'done';
  done: number;
  total: number;
  /** The number of reviews ahead of it in the queue. */
  ahead: number;
  review: Review | null;
}
/** A set of components, checked by the rules. */
export interface CheckedComponents {
  /** The numbers of players it can be played with. */
  seats: number[];
  /** Why it cannot be played with some, or any, number of players. */
  problem: { code: string; params: Record<string, unknown>; message: string } | null;
  data: Components | null;
  /** As a TOML file. */
  text: string;
  view: View | null;
  choices: Record<string, string[]>;
}
export interface ComponentReport {
  games: number;
  seats: { win_share: number; win_share_95: [number, number]; mean_score: number }[];
  mean_decisions: number;
  lead_changes: number;
  never: string[];
}
export interface NewTable {
  game: string;
  players: number;
  options: Record<string, string>;
  settings?: Settings;
  bots?: string[];
  names?: string[];
  name?: string;
  components?: Components;
  start?: boolean;
}

/** HTML: the full rules, the short rules, and what strong bots choose first; empty if there is none. */
export interface GuideTexts {
  html: string;
  brief: string;
  openings: string;
}
/** A person's lessons and preferences, across devices. */
export interface Progress {
  lessons: Record<string, LessonProgress>;
  preferences: { theme: Theme; at_once: boolean; sound: boolean | null; motion: boolean; pace: Pace; at: number } | null;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly params: Record<string, unknown>,
    message: string,
  ) {
    super(message);
  }
}

/** The cookie is no longer valid because the session was ended elsewhere; also dispatched as a window event. */
export const STRANGER = 'server-stranger';

export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (method !== 'GET') headers['X-Tsukimi'] = '1';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new ApiError(0, 'offline', {}, '');
  }
  const data: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const refusal = (data ?? {}) as { code?: string; params?: Record<string, unknown>; message?: string };
    if (refusal.code === STRANGER) dispatchEvent(new Event(STRANGER));
    throw new ApiError(response.status, refusal.code ?? `http-${response.status}`, refusal.params ?? {}, refusal.message ?? '');
  }
  return data as T;
}

const at = encodeURIComponent;

export const api = {
  games: (lang: string) => request<GameSpec[]>('GET', `/api/games?lang=${lang}`),
  messages: (game: string, lang: string) => request<Catalogue>('GET', `/api/games/${at(game)}/messages?lang=${lang}`),
  guide: (game: string, lang: string) => request<GuideTexts>('GET', `/api/games/${at(game)}/guide?lang=${lang}`),
  lesson: (game: string) => request<{ players: number; steps: LessonStep[] }>('GET', `/api/games/${at(game)}/lesson`),
  components: (game: string) => request<CheckedComponents>('GET', `/api/games/${at(game)}/components`),
  checkComponents: (game: string, draft: { data?: Components; text?: string }, lang: string) =>
    request<CheckedComponents>('POST', `/api/games/${at(game)}/components?lang=${lang}`, draft),
  balance: (game: string, data: Components, players: number) => request<ComponentReport>('POST', `/api/games/${at(game)}/balance`, { data, players }),
  learn: (game: string) => request<{ id: string }>('POST', '/api/lessons', { game }),
  table: (id: string) => request<TableInfo>('GET', `/api/tables/${at(id)}`),
  me: () => request<Me>('GET', '/api/me'),
  changeMe: (change: { name?: string; lang?: string }) => request<Me>('PATCH', '/api/me', change),
  progress: (mine: Progress) => request<Progress>('POST', '/api/me/progress', mine),
  link: () => request<{ link: string }>('POST', '/api/me/link', {}),
  newToken: (label: string) => request<{ token: string }>('POST', '/api/me/token', { label }),
  tokens: () => request<TokenInfo[]>('GET', '/api/me/token'),
  endToken: (id: string) => request<TokenInfo[]>('DELETE', `/api/me/token/${id}`),
  endTokens: () => request<Me>('DELETE', '/api/me/token'),
  account: () => request<AccountInfo>('GET', '/api/account'),
  register: (name: string, password: string) => request<Me & { codes: string[] }>('POST', '/api/account', { name, password }),
  login: (name: string, password: string, code: string) => request<Me>('POST', '/api/login', { name, password, code }),
  logout: () => request<Me>('POST', '/api/logout', {}),
  sessions: () => request<SessionInfo[]>('GET', '/api/me/sessions'),
  endSession: (id: string) => request<SessionInfo[]>('DELETE', `/api/me/sessions/${id}`),
  endSessions: () => request<Me>('DELETE', '/api/me/sessions'),
  changePassword: (password: string, changed: string) => request<Me>('POST', '/api/account/password', { password, new: changed }),
  newCodes: (password: string) => request<{ codes: string[] }>('POST', '/api/account/codes', { password }),
  beginTotp: (password: string) => request<TotpSetup>('POST', '/api/account/totp', { password }),
  confirmTotp: (nonce: string, code: string) => request<AccountInfo>('PUT', '/api/account/totp', { nonce, code }),
  endTotp: (password: string) => request<AccountInfo>('POST', '/api/account/totp/end', { password }),
  changeEmail: (email: string, password: string) => request<AccountInfo>('POST', '/api/account/email', { email, password }),
  endEmail: () => request<AccountInfo>('DELETE', '/api/account/email'),
  resetByCode: (name: string, code: string, changed: string) => request<object>('POST', '/api/reset/code', { name, code, new: changed }),
  askReset: (name: string) => request<object>('POST', '/api/reset/mail', { name }),
  resetByLink: (token: string, changed: string) => request<object>('POST', '/api/reset/link', { token, new: changed }),
  deleteMe: (password: string) => request<Me>('POST', '/api/me/delete', { password }),
  played: (page: number) => request<{ games: Played[]; more: boolean }>('GET', `/api/me/games?page=${page}`),
  open: (table: NewTable) => request<{ id: string }>('POST', '/api/tables', table),
  match: (game: string, players: number) => request<{ id: string }>('POST', '/api/match', { game, players }),
  report: (table: string, report: { who: string; reason: string; text: string; line: number | null }) =>
    request<{ number: number }>('POST', `/api/tables/${at(table)}/report`, report),
  review: (table: string, lang: string) => request<ReviewStatus>('GET', `/api/tables/${at(table)}/review?lang=${lang}`),
  askReview: (table: string, lang: string) => request<ReviewStatus>('POST', `/api/tables/${at(table)}/review?lang=${lang}`),
  bring: (text: string, lang: string) => request<{ id: string }>('POST', `/api/records?lang=${lang}`, { text }),
  playOn: (table: string, step: number, seat: number, level: string) => request<{ id: string }>('POST', `/api/tables/${at(table)}/play-on`, { step, seat, level }),
  lobby: () => request<Lobby>('GET', '/api/lobby'),
  person: (who: string) => request<Person>('GET', `/api/people/${at(who)}`),
  best: (game: string) => request<Ranked[]>('GET', `/api/ratings/${at(game)}`),
  replay: (id: string, seat: string, from: number, count: number) =>
    request<ReplayPart>('GET', `/api/tables/${at(id)}/replay?seat=${at(seat)}&from=${from}&count=${count}`),
};

export function defaultSettings(change: Partial<Settings> = {}): Settings {
  return {
    public: false,
    clock: { kind: 'none', reserve: 300, extra: 20 },
    spectators: 'open',
    delay: 60,
    hints: true,
    forced: true,
    round_pause: true,
    takeover: true,
    rated: false,
    ...change,
  };
}
