// The board of every game without one of its own: zones with cards and counters, and the legal moves as buttons.
import type { GameEvent, View } from '../../lib/board';

export { default } from './Board.svelte';
export { describe, scoreSheet, summary } from './describe';

export const anchors = (view: View): string[] => [view.phase, ...(view.ask ? [view.ask] : [])];
export const seatScores = (view: View): (number | null)[] => Array.from({ length: view.players }, (_, seat) => view.scores?.[seat] ?? null);
export const duration = (events: GameEvent[]): number => Math.min(1500, 450 * events.length);
