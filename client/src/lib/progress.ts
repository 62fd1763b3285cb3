// Synchronises lessons and preferences between a person's devices: the server stores the merged state.
import { api, type Me, type Progress } from './api';
import { keep, onPref, prefs } from './prefs.svelte';

let sending: Promise<void> | null = null;
let again = false;

/** The current person is known; it may be a different one than before. */
export function follow(me: Me): void {
  const before = prefs.owner;
  const account = me.account !== null;
  if (before?.who !== me.who || before.account !== account) keep('owner', { who: me.who, account });
  if (before?.who !== me.who) {
    // An account's lessons stay with the account. A guest who logs in brings finished lessons along, but not unfinished
    // ones, whose tables belong to the guest.
    const learned = before?.account ? [] : Object.entries(prefs.lessons).filter(([, lesson]) => lesson.done || !before);
    keep('lessons', Object.fromEntries(learned));
    if (before?.account) keep('changed', 0);
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
  if (later.length) keep('lessons', { ...prefs.lessons, ...Object.fromEntries(later) });
  if (!preferences || preferences.at <= prefs.changed) return;
  keep('theme', preferences.theme);
  keep('atOnce', preferences.at_once);
  keep('sound', preferences.sound);
  keep('motion', preferences.motion);
  keep('pace', preferences.pace);
  keep('changed', preferences.at);
}

onPref(() => {
  if (prefs.owner) void send();
});
