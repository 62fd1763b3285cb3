// Who is in front of the screen; asked for once.
import { api, type Me } from './api';
import { showError } from './notices.svelte';

let me = $state.raw<Me | null>(null);
let loading: Promise<void> | null = null;

export const myself = (): Me | null => me;
export const setMe = (changed: Me): void => void (me = changed);

export function loadMe(again = false): Promise<void> {
  if (again) loading = null;
  loading ??= api.me().then(setMe, (error: unknown) => {
    loading = null;
    showError(error);
  });
  return loading;
}
