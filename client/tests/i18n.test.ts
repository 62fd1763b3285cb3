import { describe, expect, it } from 'vitest';
import adminEn from '../messages/admin/en.json';
import adminEs from '../messages/admin/es.json';
import adminFr from '../messages/admin/fr.json';
import pageEn from '../messages/en.json';
import pageEs from '../messages/es.json';
import pageFr from '../messages/fr.json';
import { fillText, form, type Forms, type Text } from '../src/lib/plural';
import { preferred, setLang, t } from '../src/lib/i18n.svelte';
import { LEVELS } from '../src/lib/levels';

// With those of the admin page, which has files of its own.
const prefixed = (texts: object): object => Object.fromEntries(Object.entries(texts).map(([key, text]) => [`admin.${key}`, text]));
const en = { ...pageEn, ...prefixed(adminEn) };
const fr = { ...pageFr, ...prefixed(adminFr) };
const es = { ...pageEs, ...prefixed(adminEs) };
const all: Record<string, Record<string, Text>> = { en, fr, es };
const forms = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text as unknown as Record<string, string>));
const fields = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();

describe('the texts', () => {
  it.each(['fr', 'es'])('are all there in %s', (lang) => {
    expect(Object.keys(all[lang]!).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(['fr', 'es'])('have the same fields in %s, in every plural form', (lang) => {
    for (const [key, text] of Object.entries(en as Record<string, Text>)) {
      const wanted = fields(forms(text).at(-1)!);
      for (const one of forms(all[lang]![key]!)) expect(fields(one), `${lang} ${key}`).toEqual(wanted);
    }
  });

  it.each(Object.keys(all))('have every plural form that %s needs', (lang) => {
    const needed = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
    for (const [key, text] of Object.entries(all[lang]!)) {
      expect(typeof text === 'string', `${lang} ${key}`).toBe(typeof (en as Record<string, Text>)[key] === 'string');
      if (typeof text !== 'string') expect(Object.keys(text).sort(), `${lang} ${key}`).toEqual([...needed].sort());
    }
  });

  it.each(Object.keys(all))('are never empty in %s, and never shout', (lang) => {
    for (const [key, text] of Object.entries(all[lang]!))
      for (const one of forms(text)) {
        expect(one.trim(), key).not.toBe('');
        expect(one, key).not.toMatch(/[!¡]/);
      }
  });

  it('name every level', () => {
    for (const level of LEVELS) expect(Object.keys(en)).toContain(`level.${level}`);
  });
});

describe('plurals', () => {
  const seats: Forms = { one: '{count} place libre', many: '{count} de places libres', other: '{count} places libres' };

  it('follow the language', () => {
    expect(form(seats, 'fr', 0)).toBe('{count} place libre');
    expect(form(seats, 'en', 0)).toBe('{count} places libres');
    expect(form(seats, 'fr', 1_000_000)).toBe('{count} de places libres');
  });

  it('write numbers as the language does', () => {
    expect(fillText('{count}', 'en', { count: 12_345 })).toBe('12,345');
    expect(fillText('{count}', 'es', { count: 12_345 })).toBe('12.345');
  });

  it('leave an unknown field to be seen', () => {
    expect(fillText('{name} wins', 'en')).toBe('{name} wins');
  });
});

describe('the language', () => {
  it('is the first of the browser’s that we speak', () => {
    expect(preferred(['de-DE', 'es-MX', 'fr'])).toBe('es');
    expect(preferred(['FR-ca'])).toBe('fr');
    expect(preferred(['ja'])).toBe('en');
  });

  it('is switched as a whole', async () => {
    await setLang('fr');
    expect(t('list.free', { count: 2 })).toBe('2 places libres');
    expect(document.documentElement.lang).toBe('fr');
    await setLang('en');
    expect(t('list.free', { count: 1 })).toBe('1 free seat');
  });
});
