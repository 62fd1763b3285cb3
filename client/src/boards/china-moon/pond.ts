// A pond as component data, and what its editor does with it. Whether it can be played is for the rules to say.
import type { Components } from '../../lib/sets.svelte';
import type { Kind, PondBoard } from './types';

export interface PadData {
  id: string;
  kind: Kind;
  next: string[];
  x: number;
  y: number;
}
export interface PondData extends Components {
  start: string[];
  start_xy: [number, number];
  goal_xy: [number, number];
  pad: PadData[];
}

const within = (value: number): number => Math.round(1000 * Math.min(1, Math.max(0, value))) / 1000;
const names = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The data with a place for everything: where a file says none, where the board draws it. */
export function complete(data: Components, drawn: PondBoard | null): PondData {
  const spots = new Map(drawn?.pads.map((pad) => [pad.id, pad]));
  const pads = Array.isArray(data['pad']) ? (data['pad'] as Partial<PadData>[]) : [];
  const spot = (value: unknown, otherwise: { x: number; y: number } | undefined): [number, number] =>
    Array.isArray(value) ? [Number(value[0]), Number(value[1])] : [otherwise?.x ?? 0.5, otherwise?.y ?? 0.5];
  return {
    start: names(data['start']),
    start_xy: spot(data['start_xy'], drawn?.start),
    goal_xy: spot(data['goal_xy'], drawn?.goal),
    pad: pads.map((pad) => ({
      id: String(pad.id),
      kind: pad.kind ?? 'blank',
      next: names(pad.next),
      x: pad.x ?? spots.get(String(pad.id))?.x ?? 0.5,
      y: pad.y ?? spots.get(String(pad.id))?.y ?? 0.5,
    })),
  };
}

export function spotOf(pond: PondData, place: string): { x: number; y: number } {
  if (place === 'start') return { x: pond.start_xy[0], y: pond.start_xy[1] };
  if (place === 'goal') return { x: pond.goal_xy[0], y: pond.goal_xy[1] };
  return pond.pad.find((pad) => pad.id === place) ?? { x: 0.5, y: 0.5 };
}

export const onward = (pond: PondData, place: string): string[] =>
  place === 'start' ? pond.start : (pond.pad.find((pad) => pad.id === place)?.next ?? []);

const withPad = (pond: PondData, id: string, change: Partial<PadData>): PondData => ({
  ...pond,
  pad: pond.pad.map((pad) => (pad.id === id ? { ...pad, ...change } : pad)),
});

export function moved(pond: PondData, place: string, x: number, y: number): PondData {
  const spot: [number, number] = [within(x), within(y)];
  if (place === 'start') return { ...pond, start_xy: spot };
  if (place === 'goal') return { ...pond, goal_xy: spot };
  return withPad(pond, place, { x: spot[0], y: spot[1] });
}

export const ofKind = (pond: PondData, id: string, kind: Kind): PondData => withPad(pond, id, { kind });

/** A way that is there goes, one that is not comes. */
export function withWay(pond: PondData, from: string, to: string): PondData {
  const now = onward(pond, from);
  const next = now.includes(to) ? now.filter((one) => one !== to) : [...now, to];
  return from === 'start' ? { ...pond, start: next } : withPad(pond, from, { next });
}

/** A leaf behind a place, on its way to all that came after it. */
export function added(pond: PondData, after: string): { pond: PondData; id: string } {
  const taken = new Set(pond.pad.map((pad) => pad.id));
  let number = pond.pad.length + 1;
  while (taken.has(`n${number}`)) number++;
  const id = `n${number}`;
  const next = onward(pond, after);
  const here = spotOf(pond, after);
  const there = next[0] ? spotOf(pond, next[0]) : { x: 0.5, y: 0.5 };
  const pad: PadData = { id, kind: 'blank', next, x: within((here.x + there.x) / 2), y: within((here.y + there.y) / 2) };
  const at = pond.pad.findIndex((one) => one.id === after) + 1;
  const linked = after === 'start' ? { ...pond, start: [id] } : withPad(pond, after, { next: [id] });
  return { pond: { ...linked, pad: [...linked.pad.slice(0, at), pad, ...linked.pad.slice(at)] }, id };
}

/** Without a pad: what led to it leads to what came after it. */
export function without(pond: PondData, id: string): PondData {
  const after = onward(pond, id);
  const linked = (next: string[]): string[] => (next.includes(id) ? [...new Set(next.flatMap((one) => (one === id ? after : [one])))] : next);
  return { ...pond, start: linked(pond.start).filter((one) => one !== 'goal'), pad: pond.pad.filter((pad) => pad.id !== id).map((pad) => ({ ...pad, next: linked(pad.next) })) };
}
