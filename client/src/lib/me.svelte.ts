// Who is in front of the screen, and which games the server offers; asked for once.
import { api, ApiError, type GameSpec, type Me } from './api';
import { problem } from './i18n.svelte';
import { toast } from './say.svelte';

let me = $state.raw<Me | null>(null);
let specs = $state.raw<GameSpec[]>([]);
let asking: Promise<void> | null = null;

export const myself = (): Me | null => me;
export const setMe = (told: Me): void => void (me = told);
export const gameSpecs = (): GameSpec[] => specs;
export const specOf = (game: string): GameSpec | undefined => specs.find((spec) => spec.name === game);

export function loadMe(anew = false): Promise<void> {
  if (anew) asking = null;
  asking ??= Promise.all([api.me(), api.games()])
    .then(([told, games]) => {
      me = told;
      specs = games;
    })
    .catch((refused: unknown) => {
      asking = null;
      complain(refused);
    });
  return asking;
}

export function complain(refused: unknown): void {
  if (refused instanceof ApiError) toast(problem(refused.code, refused.params, refused.message), 'danger');
  else throw refused;
}
