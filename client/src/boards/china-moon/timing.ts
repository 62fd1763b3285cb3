// How long things take, in one place: the animation and the table's pause must agree.
import type { GameEvent } from '../../lib/board';
import { hops } from './layout';
import { isDrop, isMove, isTrade, type MoveEvent } from './types';

export const HOP = 280;
/** A breath on a spring before it throws the frog on. */
export const COIL = 160;
export const FLY = 420;
export const SETTLE = 120;

export interface Hop {
  from: string;
  to: string;
  /** When the frog leaves `from`, in ms after the beginning. */
  at: number;
}

/** The hops of a move, leg by leg, and when each landing with a lily comes. */
export function plan(event: MoveEvent): { hops: Hop[]; landed: number[]; total: number } {
  const all: Hop[] = [];
  const landed: number[] = [];
  let at = 0;
  let from = event.origin;
  for (const [i, leg] of event.legs.entries()) {
    if (i > 0) at += COIL;
    for (const to of hops(leg.path, leg.jumped)) {
      all.push({ from, to, at });
      at += HOP;
      from = to;
    }
    landed.push(at);
  }
  return { hops: all, landed, total: at };
}

export function duration(events: GameEvent[]): number {
  let total = 0;
  for (const event of events) {
    if (isMove(event)) {
      const { total: way } = plan(event);
      const takes = event.legs.some((leg) => leg.lily) || event.prize;
      total += way + (takes ? FLY : SETTLE);
    } else if (isTrade(event) || isDrop(event)) total += FLY + SETTLE;
  }
  return total;
}
