// Short notes on the screen, and what screen readers are told.
interface Note {
  id: number;
  text: string;
  tone: 'quiet' | 'danger';
}
let notes = $state.raw<Note[]>([]);
let spoken = $state<{ id: number; text: string }>({ id: 0, text: '' });
let serial = 0;

export const toasts = (): Note[] => notes;
export const announcement = (): { id: number; text: string } => spoken;

export function toast(text: string, tone: Note['tone'] = 'quiet', ms = 5000): void {
  if (!text) return;
  const note = { id: (serial += 1), text, tone };
  notes = [...notes.filter((other) => other.text !== text).slice(-2), note];
  setTimeout(() => dismiss(note.id), ms);
}

export function dismiss(id: number): void {
  notes = notes.filter((note) => note.id !== id);
}

/** Told to screen readers, politely. */
export function announce(text: string): void {
  if (text) spoken = { id: (serial += 1), text };
}
