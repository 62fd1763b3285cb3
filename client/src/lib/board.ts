// What the table hands to a board, and what a board hands back. Boards hold no rule: they show a view,
// offer the legal moves they are given, and report what was chosen.
import type { Components } from './sets.svelte';
import type { Sound } from './sound';
import type { Beat } from './timeline';
import type { Stake, Words } from './words';

/** What a seat may know, as the server sends it (docs/games/GAME.md describes each game's shape). */
export interface View {
  game: string;
  players: number;
  seat: number | null;
  options: Record<string, string>;
  over: boolean;
  actors: number[];
  winners: number[];
  scores?: number[];
  phase: string;
  ask: string | null;
}

/** One event of the game as this seat saw it. */
export interface GameEvent {
  index: number;
  type: string;
  seat?: number;
  [field: string]: unknown;
}

/** A move of which only a part is chosen, in words, and how that is taken back. */
export interface Half {
  text: string;
  /** What is chosen so far is a move as well: it can be played as it is. */
  move?: string | null;
  back: () => void;
}

export interface BoardProps<V extends View = View> {
  view: V;
  /** What has been shown to its end: the view before `events` until they have been shown, then `view`. Figures at the seats follow it. */
  revealed: V;
  /** Whose viewpoint this is; null: a spectator's. */
  seat: number | null;
  names: string[];
  /** The legal moves of that seat; empty when nothing is asked of it. */
  moves: string[];
  /** What each legal move brings, risks or costs; empty until the server has answered. */
  stakes: Readonly<Record<string, Stake[]>>;
  /** The move that is chosen but not confirmed yet. */
  chosen: string | null;
  /** Moves that a hint recommends, best first. */
  hinted: string[];
  /** The events that led from the view before to this one, to be animated; empty after a jump. */
  events: GameEvent[];
  /** All events up to this view. */
  history: readonly GameEvent[];
  /** In an open replay: the views of all seats, so that every secret can be shown. */
  open: View[] | null;
  words: Words;
  /** Whether things may move (false: reduced motion, or catching up). When it becomes false, what still moves arrives at once. */
  motion: boolean;
  /** Whether `events` are still being shown: their outcome is not shown yet. */
  playing: boolean;
  /** The round is over and the table waits until everybody has seen it. */
  intermission: boolean;
  /** The last move of the game has been made; the winner is not shown yet, and is not in `view`. */
  ending: boolean;
  /** Whose turn it is at the moment that is shown, the same one as in the table's other parts. */
  active?: readonly number[];
  /** What happened since this seat moved last: it leaves a trail on the board. */
  trail: readonly GameEvent[];
  /** A legal move was chosen (the table confirms and plays it). null: the choice is taken back. */
  choose: (move: string | null) => void;
  /** A button that says what it does was pressed: that is the move, nothing is asked again. Without this, it is chosen. */
  commit?: (move: string) => void;
  /** A legal move was made by dropping a piece. False: it waits to be confirmed. Without this, a drop chooses the move. */
  drop?: (move: string) => boolean;
  /** A move is half chosen: what is still to choose stands in the bar, where it can be taken back. null: nothing is. */
  half?: (choice: Half | null) => void;
  /** A thing was tapped that cannot be chosen: `move` is the text the tap would have meant; the table asks why. */
  why: (move: string) => void;
}

const NOTHING: never[] = [];
const ignore = (): void => undefined;

/** A board that shows this and at which nothing can be done. */
export function still(view: View, words: Words): BoardProps {
  return {
    view,
    revealed: view,
    seat: view.seat,
    names: words.names.slice(0, view.players),
    moves: NOTHING,
    stakes: {},
    chosen: null,
    hinted: NOTHING,
    events: NOTHING,
    history: NOTHING,
    open: null,
    words,
    motion: false,
    playing: false,
    intermission: false,
    ending: false,
    trail: NOTHING,
    choose: ignore,
    why: ignore,
  };
}

/** What an editor of a game's components gets, and hands back. */
export interface EditorProps {
  data: Components;
  /** The known values of fields (`pad.kind`). */
  choices: Record<string, string[]>;
  /** A game that begins with it, if it can be played. */
  view: View | null;
  words: Words;
  change: (data: Components) => void;
}

/** What a board's module (`boards/GAME/index.ts`) exports beside its component. */
export interface BoardModule {
  default: import('svelte').Component<BoardProps>;
  /** A legal move in words, for buttons, confirmation and screen readers ("Paint an eye of the red daruma"). */
  describe: (move: string, view: View, words: Words) => string;
  /** The same for somebody who sees the board, where the place is marked: without names of places that are not drawn. */
  brief?: (move: string, view: View, words: Words) => string;
  /** The position in sentences for screen readers. */
  summary: (view: View, words: Words) => string[];
  /** Fields of an event as people see them on the board, where notation would say them otherwise. */
  eventFields?: (event: GameEvent, events: readonly GameEvent[]) => Record<string, unknown>;
  /** A small picture of a thing, for the log: what it stands for is said beside it. */
  Glyph?: import('svelte').Component<{ thing: string; words: Words }>;
  /** Names in the score sheet that `Glyph` can draw. */
  pictured?: readonly string[];
  /** The things that a field of an event names, if they have pictures. */
  glyphs?: (field: string, value: unknown, event: GameEvent) => string[] | null;
  /** Whether the log leaves an event out: a later one says all of it. */
  toldLater?: (event: GameEvent, events: readonly GameEvent[]) => boolean;
  /** Whether an event begins a new block of the log (otherwise a turn is a block). */
  opens?: (event: GameEvent, block: readonly GameEvent[]) => boolean;
  /** What stands above such a block. */
  heading?: (block: readonly GameEvent[], words: Words) => string;
  /** Blocks of a game in progress that only their heading is kept of. */
  closed?: (block: readonly GameEvent[], after: readonly GameEvent[]) => boolean;
  /** Whether an event happened to this seat through somebody else: the fields of the sentence that says so, else null. */
  toYou?: (event: GameEvent, seat: number) => Record<string, unknown> | null;
  /** What the others did meanwhile, as messages of the game's section `since`. */
  since?: (events: readonly GameEvent[], seat: number | null, words: Words) => { code: string; fields: Record<string, unknown> }[];
  /** What is said of an event while it is happening, where that takes long. */
  meanwhile?: (event: GameEvent, words: Words) => string;
  /** `since` also reports what happened to the reader. */
  sinceTellsAll?: boolean;
  /** The question as the legal moves narrow it: another code, or fields. */
  asks?: (view: View, moves: readonly string[]) => { code?: string; fields?: Record<string, unknown> };
  /** The anchors of the rules text that fit this moment, the best first. */
  anchors: (view: View) => string[];
  /** A public score per seat to show at the seats, or null where the rules keep it secret. */
  seatScores: (view: View) => (number | null)[];
  /** The board shows the scores itself, beside what they are counted from: they do not stand at the seats a second time. */
  showsScores?: boolean;
  /** After the end, for games without a score sheet: rows of what can be counted. */
  scoreSheet?: (view: View, words: Words) => ScoreRow[];
  /** The drawing of a component, by its key in the game's `[explain]`; used where it is explained, and in the rules. */
  picture?: import('svelte').Component<{ of: string }>;
  /** Sounds of events by their type; the others sound like paper. */
  sounds?: Record<string, Sound>;
  /** Nothing is secret in this game: one device can go round without a curtain. */
  openInformation?: boolean;
  /** A turn is several moves: those that can be taken back at once are played at once, and what ends the turn is confirmed, dropped or not. */
  confirmsTurn?: boolean;
  /** Moves of such a turn that are confirmed even where they could be taken back. */
  confirms?: (move: string) => boolean;
  /** The components under one's hands, in the workshop; without it they are edited as tables. */
  editor?: () => Promise<{ default: import('svelte').Component<EditorProps> }>;
  /** How long each event of a step wants to be seen at normal pace. */
  beats: (events: GameEvent[]) => Beat[];
  /** How long it counts (in ms, at normal pace) between the last move of a game and its result. */
  ending?: number;
}

export interface ScoreRow {
  label: string;
  cells: (number | string)[];
  total?: boolean;
}

/** Colours of the seats (a pattern and a letter distinguish them too). */
export const SEAT_COLOURS = ['var(--seat-1)', 'var(--seat-2)', 'var(--seat-3)', 'var(--seat-4)', 'var(--seat-5)'];

/** The letter of a seat, which no one takes for a place; namesakes get their number as well. */
export function seatMark(names: readonly string[], seat: number): string {
  const first = (name: string | undefined): string => ([...(name ?? '')][0] ?? '').toUpperCase();
  const letter = first(names[seat]) || String(seat + 1);
  return names.some((name, other) => other !== seat && first(name) === letter) ? `${letter}${seat + 1}` : letter;
}
