// The interface between the table and a board. Boards contain no rules: they show a view, offer the legal moves
// they are given, and report what was chosen.
import type { Components } from './sets.svelte';
import type { Sound } from './sound';
import type { Beat } from './timeline';
import type { Part, Stake, Words } from './words';

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

/** A partly chosen move: its text, and how to undo the choice. */
export interface Half {
  text: string;
  /** The legal move that what is chosen so far already makes, if any. */
  move?: string | null;
  back: () => void;
}

export interface BoardProps<V extends View = View> {
  view: V;
  /** The last view shown to its end: the one before `events` while they are being shown, then `view`. Numbers at the seats are taken from it. */
  revealed: V;
  /** Whose viewpoint this is; null: a spectator's. */
  seat: number | null;
  names: string[];
  /** The legal moves of that seat; empty when nothing is asked of it. */
  moves: string[];
  /** What each legal move gains, risks or costs; empty until the server has answered. */
  stakes: Readonly<Record<string, Stake[]>>;
  /** The move that is chosen but not confirmed yet. */
  chosen: string | null;
  /** Moves that a hint recommends, best first; before them the one that is pointed at in a list. */
  hinted: string[];
  /** The move that is pointed at outside the board. */
  pointed?: string | null;
  /** The events between the previous view and this one, to be animated; empty after a jump. */
  events: GameEvent[];
  /** All events up to this view. */
  history: readonly GameEvent[];
  /** In an open replay: the views of all seats, so that every secret can be shown. */
  open: View[] | null;
  words: Words;
  /** Whether to animate (false: reduced motion, or catching up). When it becomes false, running animations end at once. */
  motion: boolean;
  /** Whether `events` are still being shown, so that their outcome must not be visible yet. */
  playing: boolean;
  /** The round is over and the table waits until everybody has seen it. */
  intermission: boolean;
  /** The last move of the game has been made; the winner is not shown yet, and is not in `view`. */
  ending: boolean;
  /** The seats to move at the moment shown, as marked elsewhere on the page. */
  active?: readonly number[];
  /** The events since this seat's last move, which the board marks. */
  trail: readonly GameEvent[];
  /** A legal move was chosen (the table confirms and plays it). null: the choice was cancelled. */
  choose: (move: string | null) => void;
  /** A button labelled with its move was pressed: the move is played without confirmation. If missing, the move is chosen. */
  commit?: (move: string) => void;
  /** A legal move was made by dropping a piece. Returns false if it has to be confirmed. If missing, the move is chosen. */
  drop?: (move: string) => boolean;
  /** A move is partly chosen: the bar shows what is missing, and can undo the choice. null: nothing is chosen. */
  half?: (choice: Half | null) => void;
  /** Something was tapped that cannot be chosen: `move` is what the tap would have meant; the table asks the server why not. */
  why: (move: string) => void;
}

const NOTHING: never[] = [];
const ignore = (): void => undefined;

/** The properties of a read-only board. */
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

/** The properties of an editor of a game's components. */
export interface EditorProps {
  data: Components;
  /** The known values of fields (`pad.kind`). */
  choices: Record<string, string[]>;
  /** The start of a game with these components, if it can be played. */
  view: View | null;
  words: Words;
  change: (data: Components) => void;
}

/** What a board's module (`boards/GAME/index.ts`) exports beside its component. */
export interface BoardModule {
  default: import('svelte').Component<BoardProps>;
  /** A legal move in words, for buttons, confirmation and screen readers ("Paint an eye of the red daruma"). */
  describe: (move: string, view: View, words: Words) => string;
  /** A shorter text, for a move that is marked on the board: without names of places that the board does not show. */
  brief?: (move: string, view: View, words: Words) => string;
  /** The position in sentences for screen readers. */
  summary: (view: View, words: Words) => string[];
  /** Fields of an event as the board shows them, where the notation differs. */
  eventFields?: (event: GameEvent, events: readonly GameEvent[]) => Record<string, unknown>;
  /** A small picture of a thing, for the log; its text is beside it. */
  Glyph?: import('svelte').Component<{ thing: string; words: Words }>;
  /** Names in the score sheet that `Glyph` can draw. */
  pictured?: readonly string[];
  /** What explains a thing that is marked in the score sheet: a key of `[explain]`. */
  explains?: (thing: string) => string;
  /** The things that a field of an event names, if they have pictures. */
  glyphs?: (field: string, value: unknown, event: GameEvent) => string[] | null;
  /** Whether the log leaves an event out: a later one says all of it. */
  coveredLater?: (event: GameEvent, events: readonly GameEvent[]) => boolean;
  /** Whether an event begins a new block of the log (otherwise a turn is a block). */
  opens?: (event: GameEvent, block: readonly GameEvent[]) => boolean;
  /** The heading of such a block. */
  heading?: (block: readonly GameEvent[], words: Words) => string | Part[];
  /** Whether a block of a game in progress is folded: only its heading is shown until it is unfolded. */
  closed?: (block: readonly GameEvent[], after: readonly GameEvent[]) => boolean;
  /** If somebody else's event affects this seat: the fields of the sentence addressed to it; else null. */
  toYou?: (event: GameEvent, seat: number) => Record<string, unknown> | null;
  /** What the others did meanwhile, as messages of the game's section `since`. */
  since?: (events: readonly GameEvent[], seat: number | null, words: Words) => { code: string; fields: Record<string, unknown> }[];
  /** The text shown during the animation of an event, if that takes long. */
  meanwhile?: (event: GameEvent, words: Words) => string;
  /** Whether an event is shown even if the steps around it are skipped: the end of the game comes near. */
  landmark?: (event: GameEvent) => boolean;
  /** `since` also reports what happened to the reader. */
  sinceIncludesReader?: boolean;
  /** The question as narrowed down by the legal moves: another code, or fields. */
  asks?: (view: View, moves: readonly string[]) => { code?: string; fields?: Record<string, unknown> };
  /** The anchors of the rules that apply at this moment, best first. */
  anchors: (view: View) => string[];
  /** The score to show at each seat, or null if the rules keep it secret. */
  seatScores: (view: View) => (number | null)[];
  /** The board shows the scores itself, so they are not repeated at the seats. */
  showsScores?: boolean;
  /** After the end, for games without a score sheet: rows of what can be counted. */
  scoreSheet?: (view: View, words: Words) => ScoreRow[];
  /** The drawing of a component, by its key in the game's `[explain]`; used where it is explained, and in the rules. */
  picture?: import('svelte').Component<{ of: string }>;
  /** Sounds by type of event; the default is the sound of paper. */
  sounds?: Record<string, Sound>;
  /** Nothing is secret in this game: people who share a device need no curtain. */
  openInformation?: boolean;
  /** A turn has several moves: those that can be taken back freely are played at once, and the one that ends the turn is confirmed, even if it was dropped. */
  confirmsTurn?: boolean;
  /** Moves of such a turn that are confirmed even if they could be taken back. */
  confirms?: (move: string) => boolean;
  /** The editor of the components in the workshop; without it they are edited as tables. */
  editor?: () => Promise<{ default: import('svelte').Component<EditorProps> }>;
  /** How long to show each event of a step, at normal pace. */
  beats: (events: GameEvent[]) => Beat[];
  /** How long the board counts the points between the last move and the result (in ms, at normal pace). */
  ending?: number;
}

export interface ScoreRow {
  label: string;
  cells: (number | string)[];
  total?: boolean;
}

/** Colours of the seats (a pattern and a letter distinguish them too). */
export const SEAT_COLOURS = ['var(--seat-1)', 'var(--seat-2)', 'var(--seat-3)', 'var(--seat-4)', 'var(--seat-5)'];

/** The letter of a seat; seats with the same letter get their number as well. */
export function seatMark(names: readonly string[], seat: number): string {
  const first = (name: string | undefined): string => ([...(name ?? '')][0] ?? '').toUpperCase();
  const letter = first(names[seat]) || String(seat + 1);
  return names.some((name, other) => other !== seat && first(name) === letter) ? `${letter}${seat + 1}` : letter;
}
