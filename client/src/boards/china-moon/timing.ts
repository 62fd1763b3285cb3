// How long things take, in one place: the animation and the table's pause must agree.
import type { GameEvent } from '../../lib/board';
import type { Beat } from '../../lib/timeline';
import { hops } from './layout';
import { eventFields } from './story';
import { isDrop, isMove, isTrade, type MoveEvent } from './types';

export const HOP = 420;
/** A breath on a spring before it throws the frog on. */
export const COIL = 380;
export const FLY = 620;
export const SETTLE = 160;
/** Time to look at it afterwards. */
const STAY = { move: 900, eventful: 1400 };

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

export const beats = (events: GameEvent[]): Beat[] =>
  events.map((event) => {
    if (isMove(event)) {
      const takes = event.legs.some((leg) => leg.lily) || event.prize !== undefined;
      const lands = eventFields(event)['special'] !== undefined; // what it does there comes next
      return { ms: plan(event).total + (takes ? FLY : SETTLE), stay: takes || lands ? STAY.eventful : STAY.move };
    }
    return isTrade(event) || isDrop(event) ? { ms: FLY + SETTLE, stay: STAY.eventful } : { ms: 0, stay: 0 };
  });
