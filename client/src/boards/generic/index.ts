// The board of every game without one of its own: zones with cards and counters, and the legal moves as buttons.
import type { GameEvent, View } from '../../lib/board';
import type { Beat } from '../../lib/timeline';

export { default } from './Board.svelte';
export { describe, scoreSheet, summary } from './describe';

export const anchors = (view: View): string[] => [view.phase, ...(view.ask ? [view.ask] : [])];
export const seatScores = (view: View): (number | null)[] => Array.from({ length: view.players }, (_, seat) => view.scores?.[seat] ?? null);
/** Long runs of chance (a deal) go by together; what somebody did is looked at. */
export const beats = (events: GameEvent[]): Beat[] =>
  events.map((event) => (event.seat === undefined ? { ms: Math.min(450, 900 / events.length), stay: 0 } : { ms: 450, stay: 700 }));
