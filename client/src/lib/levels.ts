/** From the weakest to the strongest. */
export const LEVELS = ['random', 'greedy', 'novice', 'regular', 'master'] as const;
/** What a seat can be given: one of these, or bots that follow how the games end. */
export const CHOICES = [...LEVELS, 'adaptive'] as const;
export type Level = (typeof CHOICES)[number];
