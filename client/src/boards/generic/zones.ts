// Which zones lie where: on the table, or in front of a seat.
import type { View } from '../../lib/board';
import { hasCards, isHidden, type Cards, type Counter, type Zone, type ZonedView } from './types';

export interface Area {
  seat: number | null;
  cards: Cards[];
  counters: Counter[];
}

const area = (seat: number | null, zones: Zone[]): Area => ({
  seat,
  cards: zones.filter(hasCards),
  counters: zones.filter((zone): zone is Counter => !hasCards(zone)),
});

const zonesOf = (view: View): Zone[] => (view as ZonedView).zones ?? [];

export const tableArea = (view: View): Area => area(null, zonesOf(view).filter((zone) => zone.seat === null));

/** The areas of the seats in the order of play, the own one last. `open`: everybody's views, to show every secret. */
export function seatAreas(view: View, seat: number | null, open: View[] | null = null): Area[] {
  const first = seat === null ? 0 : seat + 1;
  return Array.from({ length: view.players }, (_, i) => {
    const one = (first + i) % view.players;
    return area(one, zonesOf(open?.[one] ?? view).filter((zone) => zone.seat === one));
  });
}

/** A pile: nobody sees any of its cards, and there are too many to lay them out. */
export const isPile = ({ cards }: Cards): boolean => cards.length > 3 && cards.every(isHidden);

/** The one legal move that names this card, if there is just one: then the card can be tapped. */
export function moveOf(card: string | null, moves: readonly string[]): string | null {
  if (isHidden(card)) return null;
  const naming = moves.filter((move) => ` ${move} `.includes(` ${card} `));
  return naming.length === 1 ? naming[0]! : null;
}

/** Moves of one kind (their first word) stand together, in the order of the server. */
export function grouped(moves: readonly string[]): string[][] {
  const kinds = new Map<string, string[]>();
  for (const move of moves) {
    const kind = move.split(' ')[0]!;
    kinds.set(kind, [...(kinds.get(kind) ?? []), move]);
  }
  // Kinds with one move each are one group: fold, call, raise.
  const groups: string[][] = [];
  let single: string[] | null = null;
  for (const group of kinds.values()) {
    if (group.length > 1) groups.push(group);
    else if (single) single.push(...group);
    else groups.push((single = [...group]));
  }
  return groups;
}
