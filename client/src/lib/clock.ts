// Clocks between two messages of the server: what was left, less the time since.
import type { Clocks } from './protocol';

export interface Left {
  /** Milliseconds of the reserve; null: without limit. */
  reserve: number | null;
  /** Milliseconds of this decision that cost no reserve. */
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

/** What is left: 4:05, 1:02:03; under ten seconds with tenths. */
export function clockText(ms: number): string {
  return ms < 10_000 ? (Math.floor(ms / 100) / 10).toFixed(1) : spanText(ms);
}

/** A span of time to the second: 0:07, 4:05. */
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

/** What is left where a move has days: whole days, in the last two days hours, in the last two hours minutes. Who was asked just now has all of it. */
export function unitsLeft(ms: number): { unit: 'day' | 'hour' | 'minute'; count: number } {
  const days = Math.floor((ms + HOUR) / DAY);
  if (days >= 2) return { unit: 'day', count: days };
  const hours = Math.floor((ms + MINUTE) / HOUR);
  return hours >= 2 ? { unit: 'hour', count: hours } : { unit: 'minute', count: Math.ceil(ms / MINUTE) };
}
