// The log: events as sentences, and long runs of chance (deals, set-up) folded into one line.
import type { BoardModule, GameEvent } from './board';
import type { Words } from './words';

/** An event as a sentence; empty where the game has no words for it. */
export function sentence(event: GameEvent, events: readonly GameEvent[], board: BoardModule | null, words: Words): string {
  if (!words.has('log', event.type)) return '';
  return words.message('log', event.type, { ...event, ...board?.eventFields?.(event, events) });
}

export interface LogGroup {
  events: GameEvent[];
  folded: boolean;
}

/** What nobody decided: an event without a seat that acts. */
const byChance = (event: GameEvent): boolean => event.seat === undefined;

export function fold(events: GameEvent[], atLeast = 4): LogGroup[] {
  const groups: LogGroup[] = [];
  let from = 0;
  while (from < events.length) {
    let to = from;
    while (to < events.length && byChance(events[to]!)) to += 1;
    if (to - from >= atLeast) groups.push({ events: events.slice(from, to), folded: true });
    else {
      to = Math.max(to, from + 1);
      for (const event of events.slice(from, to)) groups.push({ events: [event], folded: false });
    }
    from = to;
  }
  return groups;
}
