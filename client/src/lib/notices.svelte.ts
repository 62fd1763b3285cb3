// Short notices on the screen, and announcements for screen readers.
import { ApiError, STRANGER } from './api';
import { problem } from './i18n.svelte';

interface Notice {
  id: number;
  text: string;
  tone: 'quiet' | 'danger';
}
let notices = $state.raw<Notice[]>([]);
let announced = $state<{ id: number; text: string }>({ id: 0, text: '' });
let serial = 0;

export const toasts = (): Notice[] => notices;
export const announcement = (): { id: number; text: string } => announced;

export function toast(text: string, tone: Notice['tone'] = 'quiet', ms = 5000): void {
  if (!text) return;
  const notice = { id: (serial += 1), text, tone };
  notices = [...notices.filter((other) => other.text !== text).slice(-2), notice];
  setTimeout(() => dismiss(notice.id), ms);
}

export function dismiss(id: number): void {
  notices = notices.filter((notice) => notice.id !== id);
}

/** What was refused is no news any more once the person tries something else. */
export function dismissRefusals(): void {
  if (notices.some(({ tone }) => tone === 'danger')) notices = notices.filter(({ tone }) => tone !== 'danger');
}

/** Read out by screen readers, politely. */
export function announce(text: string): void {
  if (text) announced = { id: (serial += 1), text };
}

/** Show why the server refused; anything else is a bug and is rethrown. */
export function showError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === STRANGER) return; // the listener of that event shows it
  toast(problem(error.code, error.params, error.message), 'danger');
}
