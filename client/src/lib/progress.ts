// Synchronises lessons and preferences between a person's devices: the server stores the merged state.
import { api, type Me, type Progress } from './api';
import { onPref, prefs, storePref } from './prefs.svelte';

let sending: Promise<void> | null = null;
let again = false;

/** The current person is known; it may be a different one than before. */
export function follow(me: Me): void {
  const before = prefs.owner;
  const account = me.account !== null;
  if (before?.who !== me.who || before.account !== account) storePref('owner', { who: me.who, account });
  if (before?.who !== me.who) {
    // An account's lessons stay with the account. A guest who logs in brings finished lessons along, but not unfinished
    // ones, whose tables belong to the guest.
    const learned = before?.account ? [] : Object.entries(prefs.lessons).filter(([, lesson]) => lesson.done || !before);
    storePref('lessons', Object.fromEntries(learned));
    if (before?.account) storePref('changed', 0);
    void send();
  } else if (account) void send();
}

/** Send this device's state and take over whatever is newer elsewhere; one request at a time. */
function send(): Promise<void> {
  again = sending !== null;
  sending ??= exchange().finally(() => {
    sending = null;
    if (again) void send();
  });
  return sending;
}

async function exchange(): Promise<void> {
  const who = prefs.owner?.who;
  try {
    const all = await api.progress(known());
    if (prefs.owner?.who === who) take(all);
  } catch {
    // Unreachable: the state is still on this device and is sent next time.
  }
}

function known(): Progress {
  const { theme, atOnce: at_once, sound, motion, pace, changed: at } = prefs;
  return { lessons: prefs.lessons, preferences: at ? { theme, at_once, sound, motion, pace, at } : null };
}

function take({ lessons, preferences }: Progress): void {
  const later = Object.entries(lessons).filter(([game, lesson]) => lesson.at > (prefs.lessons[game]?.at ?? -1));
  if (later.length) storePref('lessons', { ...prefs.lessons, ...Object.fromEntries(later) });
  if (!preferences || preferences.at <= prefs.changed) return;
  storePref('theme', preferences.theme);
  storePref('atOnce', preferences.at_once);
  storePref('sound', preferences.sound);
  storePref('motion', preferences.motion);
  storePref('pace', preferences.pace);
  storePref('changed', preferences.at);
}

onPref(() => {
  if (prefs.owner) void send();
});
