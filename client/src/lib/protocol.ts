// Generated from the server's messages by tools/protocol.py; do not edit.

export const PROTOCOL = 1;

/** Propose ending the game without a result. */
export interface Abort {
  type: "abort";
  id: string;
}

export interface Advice {
  type: "advice";
  id: string;
  moves: ([string, number, number | null])[];
  sentence: string;
}

/** Asks what each legal move of a decision gains, risks or costs, as far as the seat may know; answered by `stakes`. */
export interface AskStakes {
  type: "stakes";
  id: string;
  decision: number;
  seat?: number | null;
}

/** An automatic move: the only legal one, one planned before, or one made when time ran out. */
export interface Automatic {
  event: number;
  why: "clock" | "forced" | "plan";
}

/** Host: put a bot in a free seat (null: any), or change the level of one. */
export interface Bot {
  type: "bot";
  id: string;
  level: string;
  seat?: number | null;
}

/** Host, before the start: change settings, players or options. */
export interface Change {
  type: "change";
  id: string;
  settings?: Settings | null;
  players?: number | null;
  options?: Record<string, string> | null;
}

export interface Chat {
  type: "chat";
  line: ChatLine;
}

export interface ChatLine {
  number: number;
  at: number;
  who: string;
  name: string;
  seat: number | null;
  text: string;
}

/** Time to think. `none`: unlimited; `live`: a reserve and an extra per decision; `days`: a limit per decision. */
export interface Clock {
  kind: "days" | "live" | "none";
  reserve: number;
  extra: number;
}

export interface Clocks {
  running: number[];
  left: (number | null)[];
  extra: (number | null)[];
}

export interface Done {
  type: "done";
  id: string;
  table: string | null;
}

/** `code` and `params` belong to the message catalogue; `message` is the English sentence. */
export interface Error {
  type: "error";
  id: string | null;
  code: string;
  params: Record<string, unknown>;
  message: string;
}

/** Older events of the game, from number `since` on; there are none before 0. */
export interface Events {
  type: "events";
  id: string;
  since: number;
  events: unknown[];
}

export interface Fairness {
  commitment: string;
  nonces: string[];
  secret: string | null;
  chance: "all" | "first" | "none";
}

/** A step of the game. If `game.since` is larger than the number of events you have, send `hello` again. */
export interface Game {
  type: "game";
  game: GameInfo;
  table: TableInfo | null;
}

/** The game as seen from its viewpoint. `events` are those from number `since` on; in a welcome, only the last ones. */
export interface GameInfo {
  since: number;
  events: unknown[];
  view: unknown;
  question: Question | null;
  asked: number[];
  plan: string | null;
  plans: string[];
  undo: "ask" | "free" | "no";
  clocks: Clocks;
  moments: Moment[];
  automatic: Automatic[];
  lesson: number | null;
  undo_practice: boolean;
}

/** The client's own random hex for its seat: it goes into the dice. Once, before the start. */
export interface GiveNonce {
  type: "nonce";
  id: string;
  nonce: string;
  seat?: number | null;
}

/** The first message on a connection, and again whenever the client wants the whole state. */
export interface Hello {
  type: "hello";
  v: number;
  seen?: number;
  look?: number | null;
}

/** Asks for a hint; answered by `advice`. */
export interface Hint {
  type: "hint";
  id: string;
  lang?: "en" | "es" | "fr";
  seat?: number | null;
}

/** Host: free a seat before the start; during the game a bot takes over the seat for good. */
export interface Kick {
  type: "kick";
  id: string;
  seat: number;
}

export interface Listed {
  id: string;
  game: string;
  players: number;
  options: Record<string, string>;
  status: string;
  names: (string | null)[];
  clock: string;
  created: number;
  yours: boolean;
  asked: boolean;
  spectators: boolean;
  rated: boolean;
  practice: boolean;
}

export interface Lobby {
  type: "lobby";
  open: Listed[];
  running: Listed[];
  yours: Listed[];
  online: number;
}

/** Asks for game events older than those in the welcome; answered by `events`. */
export interface Log {
  type: "log";
  id: string;
  before: number;
}

/** An intermediate position of a step: the game after its first events, up to number `events`. */
export interface Moment {
  events: number;
  view: unknown;
  asked: number[];
}

/** Host: stop a person (by the chat line's `who`) from chatting, or allow it again. */
export interface Mute {
  type: "mute";
  id: string;
  who: string;
  on?: boolean;
}

/** Host: stop or start the clocks. In a rated game, anyone: propose a pause, or end it. */
export interface Pause {
  type: "pause";
  id: string;
  on: boolean;
}

/** At least every minute. Sent again immediately with the pong's `now` as `echo`, it lets the server measure the lag. */
export interface Ping {
  type: "ping";
  t: number;
  echo?: number | null;
}

/** A move decided in advance, played as soon as the seat has to decide and the move is legal; null cancels it. */
export interface Plan {
  type: "plan";
  id: string;
  move: string | null;
  seat?: number | null;
}

/** A move for a decision. `decision` is the number that came with the question. */
export interface Play {
  type: "play";
  id: string;
  decision: number;
  move: string;
  seat?: number | null;
}

export interface Pong {
  type: "pong";
  t: number;
  now: number;
}

export interface Proposal {
  what: "abort" | "pause" | "undo";
  by: number;
  moves: number;
  votes: (boolean | null)[];
}

/** What the viewpoint's seat has to decide. */
export interface Question {
  decision: number;
  moves: string[];
}

/** Ends the intermission after a round for this seat; the game continues when everyone is ready. Also answers
    the ready check of a quick match. */
export interface Ready {
  type: "ready";
  id: string;
  seat?: number | null;
}

export interface Reason {
  type: "reason";
  id: string;
  legal: boolean;
  code: string | null;
  params: Record<string, unknown>;
}

/** The last proposal was refused. */
export interface Refusal {
  what: "abort" | "pause" | "undo";
  by: number;
  seat: number;
}

/** After the end: a new table with the same people; answered by `done` with the table's id. */
export interface Rematch {
  type: "rematch";
  id: string;
}

export interface Resign {
  type: "resign";
  id: string;
}

export interface Result {
  scores: number[];
  winners: number[];
  resigned: number[];
  ratings: (number | null)[];
  places: number[];
  sheet: SheetRow[];
}

/** Chat. */
export interface Say {
  type: "say";
  id: string;
  text: string;
}

export interface SeatInfo {
  kind: "bot" | "free" | "person";
  name: string;
  level: string | null;
  online: boolean;
  away: boolean;
  resigned: boolean;
  host: boolean;
  ready: boolean;
  rating: number | null;
  who: string | null;
  lost_by: "" | "left" | "time";
  replaced: boolean;
}

/** Also in logs: a setting unknown to this version is never dropped silently. */
export interface Settings {
  public: boolean;
  clock: Clock;
  spectators: "closed" | "delayed" | "open";
  delay: number;
  hints: boolean;
  forced: boolean;
  round_pause: boolean;
  takeover: boolean;
  rated: boolean;
}

/** A row of the score sheet, with its text in the `[sheet]` table of the game's messages. */
export interface SheetRow {
  row: string;
  values: (number | (number | string)[])[];
  counts: boolean;
  part: number | null;
  number: number | null;
  group: string | null;
  pieces: number[] | null;
  marks: (string | null)[] | null;
  gains: number[] | null;
  breaks_ties: "fewest" | "most" | null;
}

/** Take a free seat (null: any), or your own again under another name. `nonce`: as in the request `nonce`. */
export interface Sit {
  type: "sit";
  id: string;
  seat?: number | null;
  name?: string | null;
  nonce?: string;
}

/** What is at stake in each legal move of a decision, by move: each `{kind, ..}`, with a text in the game's `[stake]`. */
export interface Stakes {
  type: "stakes";
  id: string;
  decision: number;
  moves: Record<string, Record<string, unknown>[]>;
  retractable: string[];
}

/** Leave the seat: before the start it becomes free, during the game a bot takes over; a rated game is lost. */
export interface Stand {
  type: "stand";
  id: string;
}

/** Host: start. All seats must be taken. */
export interface Start {
  type: "start";
  id: string;
}

/** Something about the table changed: seats, settings, proposals, status. `you` too. */
export interface Table {
  type: "table";
  you: You;
  table: TableInfo;
}

export interface TableInfo {
  id: string;
  game: string;
  players: number;
  options: Record<string, string>;
  settings: Settings;
  status: "aborted" | "open" | "over" | "paused" | "playing" | "round";
  seats: SeatInfo[];
  spectators: number;
  proposal: Proposal | null;
  fairness: Fairness;
  result: Result | null;
  rematch: string | null;
  thinking: number[];
  local: boolean;
  match: boolean;
  ready_by: number | null;
  practice: boolean;
  counts: boolean;
  refusal: Refusal | null;
  lesson: boolean;
  own_components: boolean;
}

/** Give another seat extra time (15 s live, a day otherwise). */
export interface Time {
  type: "time";
  id: string;
  seat: number;
}

/** Take back your own last move: immediately if nothing was revealed since, else if everyone agrees. */
export interface Undo {
  type: "undo";
  id: string;
  seat?: number | null;
}

/** The answer to an open proposal (`table.proposal`). */
export interface Vote {
  type: "vote";
  id: string;
  yes: boolean;
}

export interface Welcome {
  type: "welcome";
  v: number;
  now: number;
  you: You;
  table: TableInfo;
  game: GameInfo | null;
  chat: ChatLine[];
}

/** Asks why a move cannot be made now; answered by `reason`. */
export interface Why {
  type: "why";
  id: string;
  move: string;
  seat?: number | null;
}

export interface You {
  name: string;
  who: string;
  seats: number[];
  host: boolean;
  look: number | null;
  muted: boolean;
  silenced: string[];
}

export type Request = Hello | Play | Plan | Why | AskStakes | Hint | Log | Undo | Vote | Abort | Resign | Sit | GiveNonce | Stand | Bot | Kick | Change | Start | Pause | Ready | Time | Say | Mute | Rematch | Ping;

export type Answer = Welcome | Table | Game | Chat | Done | Error | Reason | Stakes | Advice | Events | Pong;

export type LobbyUpdate = Lobby | Error;
