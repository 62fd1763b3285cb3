import { describe, expect, it } from 'vitest';
import { go, isOurs, match, pageTurns, route, setQuery } from '../src/lib/router.svelte';

describe('addresses', () => {
  it.each([
    ['/', { page: 'home' }],
    ['/t/abc', { page: 'table', id: 'abc' }],
    ['/t/abc/', { page: 'table', id: 'abc' }],
    ['/t/abc/replay', { page: 'replay', id: 'abc' }],
    ['/me', { page: 'me' }],
    ['/reset', { page: 'reset' }],
    ['/ratings', { page: 'ratings', game: '' }],
    ['/ratings/dojo', { page: 'ratings', game: 'dojo' }],
    ['/ratings/dojo/other', { page: 'not-found' }],
    ['/rules/china-moon', { page: 'rules', game: 'china-moon' }],
    ['/people/w%C3%A9', { page: 'person', who: 'wé' }],
    ['/people/%E0%A4%A', { page: 'person', who: '%E0%A4%A' }],
    ['/t', { page: 'not-found' }],
    ['/t/abc/other', { page: 'not-found' }],
    ['/p/token', { page: 'not-found' }],
  ])('%s', (path, expected) => {
    expect(match(path)).toEqual(expected);
  });

  it('are opened without loading a page', () => {
    const before = pageTurns();
    go('/t/xyz');
    expect(location.pathname).toBe('/t/xyz');
    expect(route()).toEqual({ page: 'table', id: 'xyz' });
    expect(pageTurns()).toBe(before + 1);
  });

  it('keep the page when only the query changes', () => {
    go('/t/xyz/replay?seat=1');
    const before = pageTurns();
    setQuery({ at: '7', seat: null });
    expect(location.search).toBe('?at=7');
    expect(pageTurns()).toBe(before);
  });
});

describe('links', () => {
  const link = (href: string, more: Record<string, string> = {}): HTMLAnchorElement => {
    const made = document.createElement('a');
    made.href = href;
    for (const [key, value] of Object.entries(more)) made.setAttribute(key, value);
    return made;
  };
  const click = (init: MouseEventInit = {}): MouseEvent => new MouseEvent('click', { button: 0, ...init });

  it('to our pages are ours', () => expect(isOurs(link('/me'), click())).toBe(true));
  it('to the server are not', () => expect(isOurs(link('/api/tables/x/record'), click())).toBe(false));
  it('to download are not', () => expect(isOurs(link('/me', { download: '' }), click())).toBe(false));
  it('with a key held are not', () => expect(isOurs(link('/me'), click({ ctrlKey: true }))).toBe(false));
  it('to elsewhere are not', () => expect(isOurs(link('https://example.org/me'), click())).toBe(false));
});
