// The admin page has texts of its own, which nobody else needs to load.
import type english from '../../messages/admin/en.json';
import { currentLang, type Lang } from '../lib/i18n.svelte';
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
