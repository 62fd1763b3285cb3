// The view and the events of China Moon, as docs/games/china-moon.md describes them.
import type { GameEvent, View } from '../../lib/board';

export type Colour = 'pink' | 'white' | 'yellow' | 'blue' | 'black';
export type Kind = 'blank' | 'lily' | 'prankster' | 'spring' | 'butterfly';
export const COLOURS: readonly Colour[] = ['pink', 'white', 'yellow', 'blue', 'black'];

export interface PadSpot {
  id: string;
  kind: Kind;
  next: string[];
  x: number;
  y: number;
  /** How many pads it is from the goal. */
  to_goal?: number;
}
export interface PondBoard {
  start: { next: string[]; x: number; y: number };
  pads: PadSpot[];
  goal: { x: number; y: number };
}
export interface FrogAt {
  frog: string;
  pad: string;
  moved: boolean;
}
export interface GoalPlace {
  place: number;
  lily: Colour | null;
  frog: string | null;
}
export interface MoonView extends View {
  board: PondBoard;
  lilies: Record<string, Colour>;
  frogs: FrogAt[][];
  held: Record<Colour, number>[];
  points: number[];
  goal: GoalPlace[];
  /** The number of frogs at home, if the game can end in one turn. */
  ending?: number | null;
  turn: number | null;
  moves_left: number;
  frog: string | null;
  routes: Record<string, string[]>;
}

export interface Leg {
  origin: string;
  path: string[];
  jumped: string[];
  landing: string;
  kind?: Kind;
  lily?: Colour;
}
export interface MoveEvent extends GameEvent {
  type: 'move';
  frog: string;
  owner: number;
  origin: string;
  landing: string;
  legs: Leg[];
  place?: number;
  prize?: Colour;
  points: number[];
}
export interface TradeEvent extends GameEvent {
  type: 'trade';
  seat: number;
  give: Colour;
  to: number;
  take: Colour;
}
export interface DropEvent extends GameEvent {
  type: 'drop';
  seat: number;
  colour: Colour;
  pad: string;
}

export const isMove = (event: GameEvent): event is MoveEvent => event.type === 'move';
export const isTrade = (event: GameEvent): event is TradeEvent => event.type === 'trade';
export const isDrop = (event: GameEvent): event is DropEvent => event.type === 'drop';

/** The seat a frog belongs to: "p2c" is of seat 1. */
export const ownerOf = (frog: string): number => Number(frog.slice(1, -1)) - 1;
/** What tells a seat's frogs apart: "C" of "p2c". */
export const letterOf = (frog: string): string => frog.slice(-1).toUpperCase();
