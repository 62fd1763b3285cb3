// Our games' messages as the server sends them (`tools/client_data.py` writes them for the tests).
import { readFileSync } from 'node:fs';
import { Words, type Catalogue } from '../src/lib/words';

export const LANGS = ['en', 'fr', 'es'] as const;
export const NAMES = ['Ana', 'Bruno', 'Chloé', 'Diego', 'Eiko'];

const read = (path: string): Catalogue => JSON.parse(readFileSync(`${import.meta.dirname}/../${path}.json`, 'utf-8')) as Catalogue;
export const common = (lang: string): Catalogue => read(`src/generated/messages/common.${lang}`);

const known = new Map<string, Words>();

export function wordsIn(game: string, lang: string): Words {
  const key = `${game}.${lang}`;
  const words = known.get(key) ?? new Words(lang, read(`fixtures/messages/${key}`), common(lang), NAMES);
  known.set(key, words);
  return words;
}
