// Scrolls the board to what a hint, the coach or a board refers to.
import { placeCard, type Extent, type Window } from './placing';
import { placeOf } from './scale';

/** The weights of elements: controls to press count more than what is only mentioned, the seat's area around either counts less. */
const [MENTIONED, CONTROL, AREA] = [1, 3, 0.3];
const MARGIN = 8;
/** How many pixels of the area around a control may be out of sight beside the coach. */
export const SLACK = 40;

export const windowOf = (board: HTMLElement): Window => ({ height: board.clientHeight, scroll: board.scrollTop, most: board.scrollHeight - board.clientHeight });

/** The extents of what is mentioned, of the controls to press, of the areas around both, and of the other areas. */
export function extentsOn(board: HTMLElement, mentioned: readonly Element[], controls: readonly Element[], slack = 0): Extent[] {
  const { top } = placeOf(board);
  const extent = (one: Element, weight: number): Extent => {
    const at = placeOf(one);
    return { top: Math.round(at.top - top + board.scrollTop) - MARGIN, bottom: Math.round(at.bottom - top + board.scrollTop) + MARGIN, weight };
  };
  const areasOf = (all: readonly Element[]) => all.map((one) => one.closest('[data-area]')).filter((one) => one !== null);
  const [mentionedAreas, areas] = [new Set(areasOf(mentioned.filter((one) => !controls.includes(one)))), new Set(areasOf([...mentioned, ...controls]))];
  // A seat's own area comes first in the document; its pieces elsewhere do not count.
  const others = new Map<string, Element>();
  for (const one of board.querySelectorAll<HTMLElement>('[data-area]'))
    if (one.getClientRects().length > 0 && !others.has(one.dataset['area']!)) others.set(one.dataset['area']!, one);
  for (const one of areas) others.delete((one as HTMLElement).dataset['area']!);
  return [
    ...mentioned.map((one) => extent(one, MENTIONED)),
    ...controls.map((one) => extent(one, CONTROL)),
    ...[...areas].map((one): Extent => ({ ...extent(one, AREA), slack: mentionedAreas.has(one) ? 0 : slack })),
    ...[...others.values()].map((one): Extent => ({ ...extent(one, 0), unrelated: true })),
  ];
}

/** Scrolls the board as little as needed to show these elements and the areas around them; does nothing if they are not on a board. */
export function bringIntoSight(elements: readonly (Element | null | undefined)[], smooth = false): void {
  const visible = elements.filter((one): one is Element => !!one && one.getClientRects().length > 0);
  const board = visible[0]?.closest<HTMLElement>('#board');
  if (!board) return;
  // The question is in that area: it matters as much as its answers.
  const areas = new Set(visible.map((one) => one.closest('[data-area]')).filter((one) => one !== null));
  const { scroll } = placeCard(extentsOn(board, [], [...visible, ...areas]), 0, windowOf(board));
  if (scroll !== board.scrollTop) board.scrollTo({ top: scroll, behavior: smooth ? 'smooth' : 'auto' });
}
