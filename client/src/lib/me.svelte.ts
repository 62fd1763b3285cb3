// The current person; fetched once.
import { api, ApiError, STRANGER, type Me } from './api';
import { t } from './i18n.svelte';
import { showError, toast } from './notices.svelte';
import { follow } from './progress';

let me = $state.raw<Me | null>(null);
/** Why this person or address is banned; stays on the screen. */
let ban = $state.raw<ApiError | null>(null);
let loading: Promise<void> | null = null;

export const myself = (): Me | null => me;
export const banned = (): ApiError | null => ban;

export function setMe(changed: Me): void {
  me = changed;
  follow(changed);
}

export function loadMe(again = false): Promise<void> {
  if (again) loading = null;
  loading ??= api.me().then(setMe, (error: unknown) => {
    loading = null;
    if (error instanceof ApiError && error.code === 'server-banned') ban = error;
    else showError(error);
  });
  return loading;
}

/** A name that a guest enters at a table is used at the next one too. Accounts already have a name. */
export async function rememberName(name: string): Promise<void> {
  if (!me || me.account || !name || name === me.name) return;
  await api.changeMe({ name }).then(setMe, () => undefined); // the table has already reported the refusal
}

// Logged out from another device: from now on this is a new guest, who sees nothing of the account.
addEventListener(STRANGER, () => {
  toast(t('account.ended'));
  void loadMe(true);
});
