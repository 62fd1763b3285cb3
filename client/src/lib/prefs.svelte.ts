// A person's preferences, stored on this device (and on the server: see progress.ts).
import type { Level } from './levels';
import type { Pace } from './pace';

export type Theme = 'night' | 'paper' | 'system';

/** The progress in a lesson, its table, and when it was last updated. */
export interface LessonProgress {
  table: string;
  step: number;
  of: number;
  done: boolean;
  at: number;
}

interface Prefs {
  theme: Theme;
  /** Play on the first tap, without confirmation. */
  atOnce: boolean;
  /** null if not asked yet: silent. */
  sound: boolean | null;
  motion: boolean;
  /** How fast others' moves are shown. */
  pace: Pace;
  lang: string | null;
  /** On a wide screen the log lies open beside the board, until somebody closes it. */
  beside: boolean;
  /** The bot level last chosen or played against, by game. */
  levels: Record<string, Level>;
  /** The games started on this device. */
  played: string[];
  /** One-time offers already shown on this device. */
  offered: string[];
  /** By game. */
  lessons: Record<string, LessonProgress>;
  /** When a preference was last changed; 0: never. */
  changed: number;
  /** Whose lessons and preferences these are. */
  owner: { who: string; account: boolean } | null;
}
const KEY = 'tsukimi.prefs';
const DEFAULTS: Prefs = { theme: 'system', atOnce: false, sound: null, motion: true, pace: 'normal', beside: true, lang: null, levels: {}, played: [], offered: [], lessons: {}, changed: 0, owner: null };
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
/** Sets the listener for changes to lessons and preferences. */
export const onPref = (listener: () => void): void => void (changed = listener);

export function setPref<K extends keyof Prefs>(key: K, value: Prefs[K]): void {
  storePref(key, value);
  if (SHARED.includes(key)) storePref('changed', Date.now());
  if (SHARED.includes(key) || key === 'lessons') changed();
}

/** Store a value on this device without notifying the listener. */
export function storePref<K extends keyof Prefs>(key: K, value: Prefs[K]): void {
  prefs[key] = value;
  try {
    // Another tab may have stored something else meanwhile.
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [key]: value }));
  } catch {
    // A private window may block storage: the setting then lasts as long as the page.
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

/** Whether animations are allowed, by the setting and the system's preference. */
export function mayMove(): boolean {
  return prefs.motion && !still?.matches;
}
