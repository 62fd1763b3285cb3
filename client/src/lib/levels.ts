import type { GameSpec } from './api';
import { t, tOr } from './i18n.svelte';
import { prefs, setPref } from './prefs.svelte';

/** Weakest first. */
export const LEVELS = ['random', 'greedy', 'novice', 'regular', 'master'] as const;
/** What people play against, easiest first, then the bot that adapts to their results. */
export const OPPONENTS = ['novice', 'regular', 'master', 'adaptive'] as const;
/** Baselines to compare others with. */
export const BASELINES = ['random', 'greedy'] as const;
const CHOICES = [...OPPONENTS, ...BASELINES] as const;
const NETWORK = 'net:';
export type Network = `${typeof NETWORK}${string}`;
export type Level = (typeof CHOICES)[number] | Network;

/** The neural networks for this number of players and these options; an option not chosen has its first value. */
export function networksFor(spec: GameSpec | undefined, players: number, options: Record<string, string>, own: boolean): Network[] {
  if (!spec || own) return [];
  const fits = (wanted: Record<string, string>): boolean => Object.entries(wanted).every(([name, value]) => (options[name] ?? spec.options[name]?.[0]) === value);
  return spec.networks.filter((one) => one.players === players && fits(one.options)).map((one) => `${NETWORK}${one.name}` as const);
}

/** The level if there is such a bot, else the default. */
export const available = (level: string, networks: Network[] = []): Level => [...CHOICES, ...networks].find((one) => one === level) ?? 'regular';
/** Whether a level for a game is suggested, as nothing was chosen or played against yet. */
export const isSuggested = (game: string): boolean => prefs.levels[game] === undefined;
/** The level last chosen for a game or played against; for a first game, the easiest one. */
export const levelFor = (game: string, networks: Network[] = []): Level => available(prefs.levels[game] ?? OPPONENTS[0], networks);
export const setLevelFor = (game: string, level: Level): void => setPref('levels', { ...prefs.levels, [game]: level });

const isNetwork = (level: string): boolean => level.startsWith(NETWORK);
const nameOf = (network: string): string => network.slice(NETWORK.length);
export const levelName = (level: string): string => (isNetwork(level) ? t('level.network', { name: nameOf(level) }) : tOr(`level.${level}`, level));
export const levelAbout = (level: string): string => (isNetwork(level) ? t('level.network.about', { name: nameOf(level) }) : tOr(`level.${level}.about`, ''));
/** The name shown for a bot's seat. */
export const botName = (level: string): string => (isNetwork(level) ? levelName(level) : t('seat.bot', { level: levelName(level) }));
