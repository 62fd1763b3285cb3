// Puzzles over HTTP. The server judges; nothing it sends before the attempt gives the answer away.
import { request } from '../lib/api';
import type { GameEvent, View } from '../lib/board';

export interface Standing {
  rating: number;
  tried: number;
  solved: number;
  /** Right answers in a row. */
  streak: number;
  best_streak: number;
}
export interface PuzzleGame {
  game: string;
  number: number;
  done: number;
  themes: { theme: string; name: string; number: number }[];
}
export interface PuzzleId {
  game: string;
  id: string;
}
export interface Overview {
  games: PuzzleGame[];
  day: (PuzzleId & { date: string; done: boolean }) | null;
  standing: Standing;
}
export interface Puzzle extends PuzzleId {
  players: number;
  seat: number;
  names: string[];
  rating: number;
  view: View;
  events: GameEvent[];
  moves: string[];
  done: boolean;
}
export interface Answered {
  right: boolean;
  answer: string;
  moves: [string, number][];
  sentence: string;
  exact: boolean;
  themes: string[];
  /** The change of the rating; null if this puzzle was answered before. */
  change: number | null;
  standing: Standing;
}

const at = encodeURIComponent;
const path = ({ game, id }: PuzzleId): string => `/api/puzzles/${at(game)}/${at(id)}`;

export const overview = (lang: string): Promise<Overview> => request('GET', `/api/puzzles?lang=${lang}`);
export const nextPuzzle = (game: string, theme: string): Promise<PuzzleId> => request('GET', `/api/puzzles/next?game=${at(game)}&theme=${at(theme)}`);
export const puzzle = (which: PuzzleId): Promise<Puzzle> => request('GET', path(which));
export const answer = (which: PuzzleId, move: string, lang: string): Promise<Answered> => request('POST', `${path(which)}?lang=${lang}`, { move });
export const playOn = (which: PuzzleId, level: string): Promise<{ id: string }> => request('POST', `${path(which)}/play-on`, { level });

/** The address of a puzzle's page, with the game and theme wanted for the next one. */
export function address({ game, id }: PuzzleId, wanted: { game: string; theme: string } = { game: '', theme: '' }): string {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value)).toString();
  return `/puzzles/${at(game)}/${at(id)}${query ? `?${query}` : ''}`;
}
