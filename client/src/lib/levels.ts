export const LEVELS = ['random', 'greedy', 'novice', 'regular', 'master', 'adaptive'] as const;
export type Level = (typeof LEVELS)[number];
