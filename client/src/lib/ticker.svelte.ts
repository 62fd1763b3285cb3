// A shared beat, so that clocks and waiting times tick together.
let now = $state(performance.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

export const beat = (): number => now;

/** Keeps the beat going while a component lives: call in `$effect`. */
export function ticking(): () => void {
  users += 1;
  if (users === 1) timer = setInterval(() => (now = performance.now()), 200);
  return () => {
    users -= 1;
    if (users === 0) clearInterval(timer);
  };
}
