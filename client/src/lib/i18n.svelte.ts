// The texts of the interface. Only the current language's file is loaded.
import type english from '../../messages/en.json';
import { fillText, type Text, type TextFields } from './plural';
import { Words, type Catalogue } from './words';

export const LANGUAGES = ['en', 'fr', 'es'] as const;
export type Lang = (typeof LANGUAGES)[number];
export type Key = keyof typeof english;

const files = import.meta.glob<{ default: Record<string, Text> }>('../../messages/*.json');
const commons = import.meta.glob<{ default: Catalogue }>('../generated/messages/common.*.json');

let lang = $state<Lang>('en');
let texts = $state.raw<Record<string, Text>>({});
let common = $state.raw<Catalogue>({});

export function isLang(value: unknown): value is Lang {
  return LANGUAGES.includes(value as Lang);
}

/** The first of the browser's languages that we have. */
export function preferred(wanted: readonly string[]): Lang {
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLang) ?? 'en';
}

export async function setLang(wanted: Lang): Promise<void> {
  const [ui, shared] = await Promise.all([files[`../../messages/${wanted}.json`]!(), commons[`../generated/messages/common.${wanted}.json`]!()]);
  texts = ui.default;
  common = shared.default;
  lang = wanted;
  document.documentElement.lang = wanted;
}

export const currentLang = (): Lang => lang;

export function t(key: Key, fields: TextFields = {}): string {
  const text = texts[key];
  return text === undefined ? '' : fillText(text, lang, fields);
}

/** For keys built from data (`level.master`); falls back to `otherwise` if there is no such text. */
export function tOr(key: string, otherwise: string, fields: TextFields = {}): string {
  const text = texts[key];
  return text === undefined ? otherwise : fillText(text, lang, fields);
}

export function wordsOf(own: Catalogue, names: string[], reader: number | null = null): Words {
  return new Words(lang, own, common, names, reader);
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString(lang, { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

export function signed(value: number, digits = 1): string {
  return value.toLocaleString(lang, { maximumFractionDigits: digits, signDisplay: 'exceptZero' }).replace('-', '−');
}

/** A share in per cent; with a sign if it is a change. */
export function percent(share: number, change = false): string {
  return share.toLocaleString(lang, { style: 'percent', maximumFractionDigits: 0, signDisplay: change ? 'exceptZero' : 'auto' }).replace('-', '−');
}

/** "2 d", "5 h": for tight spaces. */
export function shortUnit(value: number, unit: 'day' | 'hour' | 'minute'): string {
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: unit === 'day' ? 'narrow' : 'short' }).format(value);
}

/** "0.2 MB", "0,2 Mo". */
export function megabytes(bytes: number): string {
  return new Intl.NumberFormat(lang, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / 1e6);
}

export function date(ms: number): string {
  return new Date(ms).toLocaleDateString(lang, { day: 'numeric', month: 'short', year: 'numeric' });
}

export function moment(ms: number): string {
  return new Date(ms).toLocaleTimeString(lang, { hour: '2-digit', minute: '2-digit' });
}

/** The name of whoever sits there; deleted people have none. */
export function seatName(name: string | null, kind = 'person', seat = 0): string {
  return name || (kind === 'free' || name === null ? t('seat.free', { seat: seat + 1 }) : t('seat.deleted'));
}

export function list(names: string[]): string {
  return new Intl.ListFormat(lang, { type: 'conjunction' }).format(names);
}

/** The text of a server error: from the game's catalogue, the common one or ours, else the server's own message. */
export function problem(code: string, params: Record<string, unknown>, message: string, own: Words | null = null): string {
  const words = own ?? wordsOf({}, []);
  const bare = code.slice(code.lastIndexOf('.') + 1);
  if (words.has('error', bare)) return words.message('error', bare, params);
  return tOr(`error.${bare}`, message || t('error.unknown'), params as TextFields);
}
