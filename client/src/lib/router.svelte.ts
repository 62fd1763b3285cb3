// Client-side routing with the history API.
export type Route =
  | { page: 'home' }
  | { page: 'table'; id: string }
  | { page: 'replay'; id: string }
  | { page: 'me' }
  | { page: 'reset' }
  | { page: 'ratings'; game: string }
  | { page: 'rules'; game: string }
  | { page: 'workshop'; game: string }
  | { page: 'person'; who: string }
  | { page: 'admin' }
  | { page: 'puzzles' }
  | { page: 'puzzle'; game: string; id: string }
  | { page: 'not-found' };

export function match(path: string): Route {
  const parts = path.split('/').filter(Boolean).map(decode);
  const [first, second, third] = parts;
  if (parts.length === 0) return { page: 'home' };
  if (first === 't' && second && parts.length === 2) return { page: 'table', id: second };
  if (first === 't' && second && third === 'replay' && parts.length === 3) return { page: 'replay', id: second };
  if (first === 'me' && parts.length === 1) return { page: 'me' };
  if (first === 'reset' && parts.length === 1) return { page: 'reset' };
  if (first === 'ratings' && parts.length <= 2) return { page: 'ratings', game: second ?? '' };
  if (first === 'rules' && second && parts.length === 2) return { page: 'rules', game: second };
  if (first === 'workshop' && second && parts.length === 2) return { page: 'workshop', game: second };
  if (first === 'people' && second && parts.length === 2) return { page: 'person', who: second };
  if (first === 'puzzles' && parts.length === 1) return { page: 'puzzles' };
  if (first === 'puzzles' && second && third && parts.length === 3) return { page: 'puzzle', game: second, id: third };
  if (first === 'admin' && parts.length === 1) return { page: 'admin' };
  return { page: 'not-found' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let here = $state.raw<Route>(match(location.pathname));
/** Counts page changes, so that focus moves with navigation but not on the first load. */
let turns = $state(0);

export const route = (): Route => here;
export const pageTurns = (): number => turns;

export function go(address: string, replace = false): void {
  const before = location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  arrive(before);
}

/** Change the query only: the page stays. */
export function setQuery(query: Record<string, string | null>): void {
  const search = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(query))
    if (value === null) search.delete(key);
    else search.set(key, value);
  const text = search.toString();
  history.replaceState(null, '', location.pathname + (text ? `?${text}` : '') + location.hash);
}

function arrive(before: string): void {
  if (location.pathname === before) return;
  here = match(location.pathname);
  turns += 1;
  scrollTo(0, 0);
}

/** Whether to handle a click on a link in the client, without loading a page. */
export function isOurs(link: HTMLAnchorElement, event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return false;
  if (link.pathname === location.pathname && link.hash) return false;
  return match(link.pathname).page !== 'not-found';
}

export function startRouter(): () => void {
  const click = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!(link instanceof HTMLAnchorElement) || !isOurs(link, event)) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  };
  const pop = (): void => {
    here = match(location.pathname);
    turns += 1;
  };
  document.addEventListener('click', click);
  addEventListener('popstate', pop);
  return () => {
    document.removeEventListener('click', click);
    removeEventListener('popstate', pop);
  };
}
