/** From the weakest to the strongest. */
export const LEVELS = ['random', 'greedy', 'novice', 'regular', 'master'] as const;
export type Level = (typeof LEVELS)[number];
