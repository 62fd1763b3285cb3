// The view of a Dojo game as docs/games/dojo.md describes it.
import type { View } from '../../lib/board';

export type Disciple = 'monkey' | 'fox' | 'tigress' | 'crane' | 'bear' | 'raccoon';
export type Line = 'row' | 'column';

export interface Placed {
  row: number;
  column: number;
  card: string;
}
export interface Standing {
  line: Line;
  at: number;
  trophy: string;
}
export interface RowCount {
  row: number;
  trophy: string | null;
  cards: (string | null)[];
  as: (string | null)[];
  points: number;
  /** How many of the points it owes to cards that a trophy has moved here, or away: then they are fewer than none. */
  by_moving: number;
  /** What the whole dojo owes to the trophy. */
  gain: number;
}
export interface ColumnCount {
  column: number;
  trophy: string | null;
  belt: string | null;
  points: number;
  by_moving: number;
  gain: number;
}
export interface Count {
  points: number;
  rows: RowCount[];
  columns: ColumnCount[];
  trophies: number;
  rearranged: boolean;
}
export interface Dojo {
  cards: Placed[];
  trophies: Standing[];
  won: number;
  count: Count;
}
export interface Challenge {
  attacker: number;
  dealer: number;
  cards: [string, string];
  bonus: [number, number];
  throws: [string, string][];
  thrown: number[];
  own_throw: string | null;
  winner: number | null;
  swapped: boolean;
}
export interface DojoView extends View {
  round: number;
  belt: 'classic' | 'white' | 'black';
  dealer: number | null;
  trophy: string | null;
  trophies_left: number | null;
  tatamis_left: number;
  held: (string | null)[];
  looking: string | null;
  challenge: Challenge | null;
  dojos: Dojo[];
  /** What broke a tie for first place. */
  tie: 'challenges' | 'shared' | null;
}
