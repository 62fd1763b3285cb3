// A person's preferences, kept on this device (and with the person: see progress.ts).
import type { Level } from './levels';
import type { Pace } from './pace';

export type Theme = 'night' | 'paper' | 'system';

/** How far a lesson has come, at which table, and when. */
export interface LessonProgress {
  table: string;
  step: number;
  of: number;
  done: boolean;
  at: number;
}

interface Prefs {
  theme: Theme;
  /** Play at the first tap, without a confirmation. */
  atOnce: boolean;
  /** null: not asked yet, and silent. */
  sound: boolean | null;
  motion: boolean;
  /** How fast others' moves are shown. */
  pace: Pace;
  lang: string | null;
  /** The level of bots that was chosen last, by game. */
  levels: Record<string, Level>;
  /** The games that were begun on this device. */
  played: string[];
  /** What was offered once on this device. */
  offered: string[];
  /** By game. */
  lessons: Record<string, LessonProgress>;
  /** When a preference was last changed; 0: never. */
  changed: number;
  /** Whose lessons and preferences these are. */
  owner: { who: string; account: boolean } | null;
}
const KEY = 'tsukimi.prefs';
const DEFAULTS: Prefs = { theme: 'system', atOnce: false, sound: null, motion: true, pace: 'normal', lang: null, levels: {}, played: [], offered: [], lessons: {}, changed: 0, owner: null };
const SHARED: (keyof Prefs)[] = ['theme', 'atOnce', 'sound', 'motion', 'pace'];

function read(): Prefs {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Prefs>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const prefs = $state<Prefs>(read());

let changed: () => void = () => undefined;
/** Called when the person has learned or set something. */
export const onPref = (listener: () => void): void => void (changed = listener);

export function setPref<K extends keyof Prefs>(key: K, value: Prefs[K]): void {
  keep(key, value);
  if (SHARED.includes(key)) keep('changed', Date.now());
  if (SHARED.includes(key) || key === 'lessons') changed();
}

/** Write it down here, and tell nobody. */
export function keep<K extends keyof Prefs>(key: K, value: Prefs[K]): void {
  prefs[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // A private window may refuse: then the setting lasts as long as the page.
  }
  if (key === 'theme') showTheme();
}

const light = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: light)') : null;
const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;

export function showTheme(): void {
  const theme = prefs.theme === 'system' ? (light?.matches ? 'paper' : 'night') : prefs.theme;
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', theme === 'paper' ? '#f4ecdc' : '#12172b');
}
light?.addEventListener('change', showTheme);

/** Whether things may move: the setting, and the system's preference. */
export function mayMove(): boolean {
  return prefs.motion && !still?.matches;
}
