// Who is in front of the screen; asked for once.
import { api, ApiError, STRANGER, type Me } from './api';
import { t } from './i18n.svelte';
import { showError, toast } from './notices.svelte';
import { follow } from './progress';

let me = $state.raw<Me | null>(null);
/** Why this person or address may not play here; it stays on the screen. */
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

/** A guest who types a name at a table has it at the next one too. An account has a name already. */
export async function rememberName(name: string): Promise<void> {
  if (!me || me.account || !name || name === me.name) return;
  await api.changeMe({ name }).then(setMe, () => undefined); // refused: then the table has refused it as well
}

// Logged out from another device: whoever is here now is a new guest, and sees nothing of the account.
addEventListener(STRANGER, () => {
  toast(t('account.ended'));
  void loadMe(true);
});
