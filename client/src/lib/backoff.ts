/** How long to wait before the n-th try (from 0): doubling from 0.3 s to 10 s, with jitter so that not all come at once. */
export function backoff(tries: number, random: () => number = Math.random): number {
  const whole = Math.min(10_000, 300 * 2 ** Math.min(tries, 10));
  return Math.max(300, whole * (0.5 + random() / 2));
}
