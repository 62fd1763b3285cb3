// One timer for all clocks and waiting times, so that they tick together.
let now = $state(performance.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The time of the last tick, in ms as `performance.now()` counts. */
export const lastTick = (): number => now;

/** Keeps the timer running while a component is mounted: call in `$effect`. */
export function keepTicking(): () => void {
  users += 1;
  if (users === 1) timer = setInterval(() => (now = performance.now()), 200);
  return () => {
    users -= 1;
    if (users === 0) clearInterval(timer);
  };
}
