// How fast things happen: what all times of the boards are multiplied by. The page that shows a game sets it.
export const PACES = ['calm', 'normal', 'quick', 'instant'] as const;
export type Pace = (typeof PACES)[number];
export const FACTORS: Record<Pace, number> = { calm: 1.7, normal: 1, quick: 0.45, instant: 0 };

let factor = 1;

export const pace = (): number => factor;
/** For what has to be read: slower where all is slower, never quicker. */
export const steadyPace = (now = factor): number => Math.max(1, now);

/** Boards that are drawn without waiting still need times of their own for what they do by themselves. */
export function setPace(value: number): void {
  factor = value > 0 ? value : FACTORS.quick;
  // The style sheets of the boards multiply their times by this.
  document.documentElement.style.setProperty('--pace', String(factor));
}
