// Clocks between two server messages: the time that was left, less the time since.
import type { Clocks } from './protocol';

export interface Left {
  /** Milliseconds of reserve; null if unlimited. */
  reserve: number | null;
  /** Milliseconds of this decision that do not use up the reserve. */
  extra: number;
  running: boolean;
}

export function timeLeft(clocks: Clocks, seat: number, since: number): Left {
  const running = clocks.running.includes(seat);
  const passed = running ? Math.max(0, since) : 0;
  const extra = clocks.extra[seat] ?? 0;
  const reserve = clocks.left[seat] ?? null;
  return {
    reserve: reserve === null ? null : Math.max(0, reserve - Math.max(0, passed - extra)),
    extra: Math.max(0, extra - passed),
    running,
  };
}

/** The time left: 4:05, 1:02:03; with tenths under ten seconds. */
export function clockText(ms: number): string {
  return ms < 10_000 ? (Math.floor(ms / 100) / 10).toFixed(1) : spanText(ms);
}

/** A duration in seconds: 0:07, 4:05. */
export function spanText(ms: number): string {
  const all = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor((all % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(all % 60)}` : `${minutes}:${two(all % 60)}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time left when a move may take days: in whole days, in hours during the last two days, in minutes during the last two hours. Rounded so that a fresh question shows the full time. */
export function unitsLeft(ms: number): { unit: 'day' | 'hour' | 'minute'; count: number } {
  const days = Math.floor((ms + HOUR) / DAY);
  if (days >= 2) return { unit: 'day', count: days };
  const hours = Math.floor((ms + MINUTE) / HOUR);
  return hours >= 2 ? { unit: 'hour', count: hours } : { unit: 'minute', count: Math.ceil(ms / MINUTE) };
}
