// Component sets created on this device, and sets in links: none of them is stored on the server.
export type Components = Record<string, unknown>;
export interface OwnSet {
  id: string;
  game: string;
  name: string;
  data: Components;
}
const KEY = 'tsukimi.sets';
const MOST = 40;

function read(): OwnSet[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? (found as OwnSet[]).filter((one) => one?.id && one.game && one.data) : [];
  } catch {
    return [];
  }
}

let sets = $state.raw<OwnSet[]>(read());

export const setsOf = (game: string): OwnSet[] => sets.filter((one) => one.game === game);

/** Newest first; replaces a set of the same game and name. */
export function saveSet(set: Omit<OwnSet, 'id'>): OwnSet {
  const before = sets.find((one) => one.game === set.game && one.name === set.name);
  const saved = { ...set, id: before?.id ?? crypto.randomUUID() };
  write([saved, ...sets.filter((one) => one.id !== saved.id)].slice(0, MOST));
  return saved;
}

export function deleteSet(id: string): void {
  write(sets.filter((one) => one.id !== id));
}

function write(changed: OwnSet[]): void {
  sets = changed;
  try {
    localStorage.setItem(KEY, JSON.stringify(changed));
  } catch {
    // A private window may block storage: the sets then last as long as the page.
  }
}
