/** The delay before the n-th attempt (from 0): doubles from 0.3 s to 10 s, with jitter so that clients do not all reconnect at once. */
export function backoff(attempts: number, random: () => number = Math.random): number {
  const whole = Math.min(10_000, 300 * 2 ** Math.min(attempts, 10));
  return Math.max(300, whole * (0.5 + random() / 2));
}
