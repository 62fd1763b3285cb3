// Bringing what is asked into sight: one rule for hints, the coach and boards, however low the board's window is.
import { placing, type Thing, type Window } from './placing';
import { placeOf } from './scale';

/** What is to be pressed counts more than what is only spoken of; the area of a seat around that, less. */
const [SHOWN, PRESSED, AROUND] = [1, 3, 0.3];
const MARGIN = 8;
/** How much of the area around what is only to be pressed may be out of sight beside the coach. */
export const SLACK = 40;

export const windowOf = (board: HTMLElement): Window => ({ height: board.clientHeight, scroll: board.scrollTop, most: board.scrollHeight - board.clientHeight });

/** What is spoken of, what is to be pressed, the areas around both, and the areas of others, as they lie on the board. */
export function thingsOn(board: HTMLElement, shown: readonly Element[], pressed: readonly Element[], slack = 0): Thing[] {
  const { top } = placeOf(board);
  const thing = (one: Element, weight: number): Thing => {
    const at = placeOf(one);
    return { top: Math.round(at.top - top + board.scrollTop) - MARGIN, bottom: Math.round(at.bottom - top + board.scrollTop) + MARGIN, weight };
  };
  const around = (all: readonly Element[]) => all.map((one) => one.closest('[data-area]')).filter((one) => one !== null);
  const [spoken, areas] = [new Set(around(shown.filter((one) => !pressed.includes(one)))), new Set(around([...shown, ...pressed]))];
  // A seat's place comes before what lies of it elsewhere.
  const others = new Map<string, Element>();
  for (const one of board.querySelectorAll<HTMLElement>('[data-area]'))
    if (one.getClientRects().length > 0 && !others.has(one.dataset['area']!)) others.set(one.dataset['area']!, one);
  for (const one of areas) others.delete((one as HTMLElement).dataset['area']!);
  return [
    ...shown.map((one) => thing(one, SHOWN)),
    ...pressed.map((one) => thing(one, PRESSED)),
    ...[...areas].map((one): Thing => ({ ...thing(one, AROUND), slack: spoken.has(one) ? 0 : slack })),
    ...[...others.values()].map((one): Thing => ({ ...thing(one, 0), whole: true })),
  ];
}

/** Scrolls the board as little as needed for these, and for the areas that they lie in. Without a board around them, nothing. */
export function bringIntoSight(pressed: readonly (Element | null | undefined)[], smooth = false): void {
  const here = pressed.filter((one): one is Element => !!one && one.getClientRects().length > 0);
  const board = here[0]?.closest<HTMLElement>('#board');
  if (!board) return;
  // What is asked stands in that area: it matters as much as what answers it.
  const areas = new Set(here.map((one) => one.closest('[data-area]')).filter((one) => one !== null));
  const { scroll } = placing(thingsOn(board, [], [...here, ...areas]), 0, windowOf(board));
  if (scroll !== board.scrollTop) board.scrollTo({ top: scroll, behavior: smooth ? 'smooth' : 'auto' });
}
