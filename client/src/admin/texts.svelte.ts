// The admin page's texts, in separate files so that nobody else loads them.
import type english from '../../messages/admin/en.json';
import { currentLang, date, type Lang } from '../lib/i18n.svelte';
import type { BanView } from './api';
import { fillText, type Text, type TextFields } from '../lib/plural';

export type AdminKey = keyof typeof english;
const files = import.meta.glob<{ default: Record<string, Text> }>('../../messages/admin/*.json');
let texts = $state.raw<Record<string, Text>>({});

export async function loadTexts(lang: Lang): Promise<void> {
  texts = (await files[`../../messages/admin/${lang}.json`]!()).default;
}

export const textsLoaded = (): boolean => 'title' in texts;

export function a(key: AdminKey, fields: TextFields = {}): string {
  const text = texts[key];
  return text === undefined ? '' : fillText(text, currentLang(), fields);
}

/** How long a ban lasts, or that it is over. */
export function banTerm(ban: BanView): string {
  if (!ban.active) return a('ban.ended');
  return ban.until ? a('ban.until', { date: date(ban.until) }) : a('ban.forever');
}
