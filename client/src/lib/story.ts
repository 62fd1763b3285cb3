// What happened, in sentences.
import type { BoardModule, GameEvent } from './board';
import type { Words } from './words';

/** An event as a sentence; empty where there is nothing to tell. */
export function sentence(event: GameEvent, events: readonly GameEvent[], board: BoardModule | null, words: Words): string {
  if (!words.has('log', event.type)) return '';
  return words.say('log', event.type, { ...event, ...board?.told?.(event, events) });
}
