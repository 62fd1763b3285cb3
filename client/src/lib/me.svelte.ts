// Who is in front of the screen; asked for once.
import { api, STRANGER, type Me } from './api';
import { t } from './i18n.svelte';
import { showError, toast } from './notices.svelte';

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
