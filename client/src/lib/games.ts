// What the client knows of each game: how to load its board, words and rules text. No rule.
import type { BoardModule } from './board';
import { catalogue, type Lang } from './i18n.svelte';
import type { Catalogue } from './words';

export const GAMES = ['daruma', 'charuma', 'dojo', 'china-moon'] as const;

/** Games without secrets need no curtain when one device goes round. */
export const OPEN_GAMES: ReadonlySet<string> = new Set(['china-moon']);

const boards = import.meta.glob<BoardModule>('../boards/*/index.ts');
const guides = import.meta.glob<{ default: { markdown: string } }>('../generated/guide/*.json');

export async function loadBoard(game: string): Promise<BoardModule> {
  const load = boards[`../boards/${game}/index.ts`];
  if (load) return load();
  const { default: plain } = await import('../parts/plain');
  return plain;
}

export const loadWords = (game: string, lang: Lang): Promise<Catalogue> => catalogue(game, lang);

export async function loadGuide(game: string, lang: Lang): Promise<string | null> {
  const load = guides[`../generated/guide/${game}.${lang}.json`];
  return load ? (await load()).default.markdown : null;
}

const NAMES: Record<string, string> = { daruma: 'Daruma', charuma: 'Charuma', dojo: 'Dojo', 'china-moon': 'China Moon' };
export const gameName = (game: string): string => NAMES[game] ?? game;
