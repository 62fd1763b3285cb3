// Lessons and preferences follow a person from device to device: the server keeps what all of them know together.
import { api, type Me, type Progress } from './api';
import { keep, onPref, prefs } from './prefs.svelte';

let sending: Promise<void> | null = null;
let again = false;

/** Somebody is in front of the screen now: another person than before, perhaps. */
export function follow(me: Me): void {
  const before = prefs.owner;
  const account = me.account !== null;
  if (before?.who !== me.who || before.account !== account) keep('owner', { who: me.who, account });
  if (before?.who !== me.who) {
    // An account's lessons stay with the account. A guest who logs in brings along what is learned; the tables where
    // the guest was learning are not the account's.
    const learned = before?.account ? [] : Object.entries(prefs.lessons).filter(([, lesson]) => lesson.done || !before);
    keep('lessons', Object.fromEntries(learned));
    if (before?.account) keep('changed', 0);
    void send();
  } else if (account) void send();
}

/** Tell what this device knows, and take over what is later elsewhere; one request at a time. */
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
    // Unreachable: this device still knows it, and tells the next time.
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
