// The speed of animations: the factor by which boards multiply all durations. Set by the page that shows a game.
export const PACES = ['calm', 'normal', 'quick', 'instant'] as const;
export type Pace = (typeof PACES)[number];
export const FACTORS: Record<Pace, number> = { calm: 1.7, normal: 1, quick: 0.45, instant: 0 };

let factor = 1;

export const pace = (): number => factor;
/** For what has to be read: slower where all is slower, never quicker. */
export const steadyPace = (now = factor): number => Math.max(1, now);

/** Even at instant pace the boards need durations for their own animations. */
export function setPace(value: number): void {
  factor = value > 0 ? value : FACTORS.quick;
  // The boards' style sheets multiply their durations by this.
  document.documentElement.style.setProperty('--pace', String(factor));
}
