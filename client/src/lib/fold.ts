// A log for people: long runs of chance (deals, set-up) fold into one line.
import type { GameEvent } from './board';

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
