// The clocks a host can choose from.
import type { Clock } from './protocol';

export interface Preset {
  id: string;
  clock: Clock;
}
export const PRESETS: Preset[] = [
  { id: 'none', clock: { kind: 'none', reserve: 300, extra: 20 } },
  { id: 'quick', clock: { kind: 'live', reserve: 180, extra: 10 } },
  { id: 'normal', clock: { kind: 'live', reserve: 600, extra: 20 } },
  { id: 'calm', clock: { kind: 'live', reserve: 1800, extra: 40 } },
  { id: 'day', clock: { kind: 'days', reserve: 0, extra: 86_400 } },
  { id: 'three', clock: { kind: 'days', reserve: 0, extra: 3 * 86_400 } },
  { id: 'week', clock: { kind: 'days', reserve: 0, extra: 7 * 86_400 } },
];

export function presetOf(clock: Clock): string {
  const same = (one: Clock): boolean => one.kind === clock.kind && (clock.kind === 'none' || (one.extra === clock.extra && (clock.kind === 'days' || one.reserve === clock.reserve)));
  return PRESETS.find((preset) => same(preset.clock))?.id ?? 'other';
}
