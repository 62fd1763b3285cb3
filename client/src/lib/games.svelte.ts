// The games on the server, and how to load what a game needs: its board, messages and rules text.
// The client knows no game by name: the server says which of the bundled boards a game uses.
import type { Component } from 'svelte';
import { api, type GameSpec, type GuideTexts } from './api';
import type { BoardModule } from './board';
import { currentLang, type Lang } from './i18n.svelte';
import { showError } from './notices.svelte';
import type { Catalogue } from './words';

const GENERIC = 'generic';
const boards = import.meta.glob<BoardModule>('../boards/*/index.ts');
/** Emblems are small and needed on the front page; boards are loaded when a table is opened. */
const emblems = import.meta.glob<Component<{ game: string }>>('../boards/*/Emblem.svelte', { eager: true, import: 'default' });

let specs = $state.raw<GameSpec[]>([]);
let failed = $state(false);
let loaded: Lang | null = null;
let loading: Promise<void> | null = null;

export const games = (): GameSpec[] => specs;
export const gamesFailed = (): boolean => failed;
export const specOf = (game: string): GameSpec | undefined => specs.find((spec) => spec.name === game);
export const gameName = (game: string): string => specOf(game)?.title ?? game;

/** The list of games in the current language; fetched again when the language changes or the last attempt failed. */
export function loadGames(): Promise<void> {
  const lang = currentLang();
  if (loading && loaded === lang) return loading;
  loaded = lang;
  failed = false;
  const request = api.games(lang).then(
    (found) => {
      if (loading === request) specs = found;
    },
    (error: unknown) => {
      if (loading === request) loading = null;
      failed = true;
      showError(error);
    },
  );
  loading = request;
  return request;
}

export async function loadBoard(game: string): Promise<BoardModule> {
  await loadGames();
  const load = boards[`../boards/${specOf(game)?.board || GENERIC}/index.ts`] ?? boards[`../boards/${GENERIC}/index.ts`]!;
  return load();
}

export const emblemOf = (game: string): Component<{ game: string }> =>
  emblems[`../boards/${specOf(game)?.board || GENERIC}/Emblem.svelte`] ?? emblems[`../boards/${GENERIC}/Emblem.svelte`]!;

const catalogues = new Map<string, Promise<Catalogue>>();

export function loadMessages(game: string, lang: Lang): Promise<Catalogue> {
  const key = `${game}.${lang}`;
  const found = catalogues.get(key) ?? api.messages(game, lang);
  catalogues.set(key, found);
  found.catch(() => catalogues.delete(key));
  return found;
}

/** The HTML is safe: the server has sanitised it. */
export const loadGuide = (game: string, lang: Lang): Promise<GuideTexts> => api.guide(game, lang);
