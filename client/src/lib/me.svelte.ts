// Who is in front of the screen; asked for once.
import { api, ApiError, type Me } from './api';
import { showError } from './notices.svelte';

let me = $state.raw<Me | null>(null);
/** Why this person or address may not play here; it stays on the screen. */
let ban = $state.raw<ApiError | null>(null);
let loading: Promise<void> | null = null;

export const myself = (): Me | null => me;
export const banned = (): ApiError | null => ban;
export const setMe = (changed: Me): void => void (me = changed);

export function loadMe(again = false): Promise<void> {
  if (again) loading = null;
  loading ??= api.me().then(setMe, (error: unknown) => {
    loading = null;
    if (error instanceof ApiError && error.code === 'server-banned') ban = error;
    else showError(error);
  });
  return loading;
}
