import type { GameSpec } from './api';
import { t, tOr } from './i18n.svelte';

/** From the weakest to the strongest. */
export const LEVELS = ['random', 'greedy', 'novice', 'regular', 'master'] as const;
/** What a seat can be given: one of these, or bots that follow how the games end. */
export const CHOICES = [...LEVELS, 'adaptive'] as const;
const NETWORK = 'net:';
export type Network = `${typeof NETWORK}${string}`;
export type Level = (typeof CHOICES)[number] | Network;

/** The neural networks that play with so many players and these options; what is not chosen is the option's first value. */
export function networksFor(spec: GameSpec | undefined, players: number, options: Record<string, string>, own: boolean): Network[] {
  if (!spec || own) return [];
  const fits = (wanted: Record<string, string>): boolean => Object.entries(wanted).every(([name, value]) => (options[name] ?? spec.options[name]?.[0]) === value);
  return spec.networks.filter((one) => one.players === players && fits(one.options)).map((one) => `${NETWORK}${one.name}` as const);
}

/** The level that was chosen last, where there is such a bot. */
export const available = (level: string, networks: Network[] = []): Level => [...CHOICES, ...networks].find((one) => one === level) ?? 'regular';

const isNetwork = (level: string): boolean => level.startsWith(NETWORK);
const nameOf = (network: string): string => network.slice(NETWORK.length);
export const levelName = (level: string): string => (isNetwork(level) ? t('level.network', { name: nameOf(level) }) : tOr(`level.${level}`, level));
export const levelAbout = (level: string): string => (isNetwork(level) ? t('level.network.about', { name: nameOf(level) }) : tOr(`level.${level}.about`, ''));
/** Who plays a bot's seat. */
export const botName = (level: string): string => (isNetwork(level) ? levelName(level) : t('seat.bot', { level: levelName(level) }));
