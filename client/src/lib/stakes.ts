// Passes what is at stake in each move from a board to its buttons and targets.
import { getContext, setContext } from 'svelte';
import { percentage, signedText, type Stake, type Words } from './words';

type Stakes = () => Readonly<Record<string, Stake[]>>;
const KEY = Symbol('stakes');

export const provideStakes = (stakes: Stakes): Stakes => setContext(KEY, stakes);
export const useStakes = (): Stakes => getContext<Stakes | undefined>(KEY) ?? (() => ({}));

export const stakeOf = (stakes: readonly Stake[] | undefined, kind: string): Stake | undefined => stakes?.find((one) => one.kind === kind);

/** The certain change of one's own score as a short label ("+3", "0"); null if unknown. */
export function pointsLabel(stakes: readonly Stake[] | undefined, words: Words): string | null {
  const found = stakeOf(stakes, 'points');
  return found?.points === undefined ? null : signedText(found.points, words.lang);
}

export const chanceLabel = (chance: unknown, words: Words): string => percentage(Number(chance), words.lang);

/** A control's accessible name with what is at stake, for screen readers. */
export function withStakes(label: string, stakes: readonly Stake[] | undefined, words: Words): string {
  const text = words.stakes(stakes ?? []);
  return text ? `${label}. ${text}` : label;
}
