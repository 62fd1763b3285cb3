// What the log shows by pictures, and what happened to a seat's frogs and lilies.
import type { GameEvent, View } from '../../lib/board';
import { parse } from './moves';
import { isMove, isTrade, ownerOf } from './types';

const LILIES = new Set(['lily', 'second_lily', 'prize', 'give', 'take', 'colour']);

export const glyphs = (field: string, value: unknown): string[] | null =>
  (field === 'frog' || LILIES.has(field)) && typeof value === 'string' ? [value] : null;

const SPECIAL = new Set(['prankster', 'spring', 'butterfly']);

/** What the frog has landed on, where that is more than a leaf. */
export function eventFields(event: GameEvent): Record<string, unknown> {
  const kind = isMove(event) ? event.legs.at(-1)?.kind : undefined;
  return kind && SPECIAL.has(kind) ? { special: kind } : {};
}

export function toYou(event: GameEvent, seat: number): Record<string, unknown> | null {
  if (event.seat === seat) return null;
  if (isMove(event)) return event.owner === seat ? eventFields(event) : null;
  return isTrade(event) && event.to === seat ? {} : null;
}

export function since(events: readonly GameEvent[], seat: number | null): { code: string; fields: Record<string, unknown> }[] {
  const lilies = new Map<number, number>();
  for (const event of events)
    if (isMove(event) && event.owner !== seat) {
      const many = event.legs.filter((leg) => leg.lily).length + (event.prize ? 1 : 0);
      if (many) lilies.set(event.owner, (lilies.get(event.owner) ?? 0) + many);
    }
  return [...lilies].map(([who, count]) => ({ code: 'took', fields: { seat: who, count } }));
}

export function asks(view: View, moves: readonly string[]): { code?: string } {
  const seat = view.actors[0];
  const frogs = moves.map(parse).flatMap((move) => (move.kind === 'move' ? [move.frog] : []));
  return view.ask === 'move' && frogs.length > 0 && frogs.every((frog) => ownerOf(frog) !== seat) ? { code: 'move-others' } : {};
}
