// Dragging, for all boards: a piece is picked up with mouse, pen or finger, valid targets are highlighted, and a drop on one
// makes the move. The legal moves alone decide what a drop means. A press without movement is a tap, and after a drop elsewhere
// the piece returns. Targets are marked with `data-drop="KEY"`.
import { getContext, setContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { BoardProps } from './board';
import { mayMove } from './prefs.svelte';
import { placeOf, pointOf } from './scale';

/** Called when a drop makes a legal move; false if the move still has to be confirmed. */
export type Drop = (move: string) => boolean;

export interface Piece {
  /** The legal moves by target key; empty if the piece cannot be moved now. */
  moves: () => ReadonlyMap<string, string>;
  /** It was dropped on an invalid target. */
  refused?: (place: string) => void;
  /** It was picked up or released. */
  lifted?: (on: boolean) => void;
}

export const NOWHERE: ReadonlyMap<string, string> = new Map();

type Draggable = (piece: Piece) => Attachment<HTMLElement>;
const KEY = Symbol('drop');

/** Makes the board's own properties handle drops. */
export const provideDrop = (board: () => Pick<BoardProps, 'drop' | 'choose'>): Drop =>
  setContext<Drop>(KEY, (move) => {
    const { drop, choose } = board();
    if (drop) return drop(move);
    choose(move);
    return false;
  });
export const useDrop = (): Drop => getContext<Drop | undefined>(KEY) ?? (() => false);

/** An attachment that makes an element of a board draggable. */
export function useDrag(): Draggable {
  const drop = useDrop();
  return (piece) => (element) => {
    const show = (): void => void element.toggleAttribute('data-drag', piece.moves().size > 0);
    const down = (event: PointerEvent): void => {
      show();
      press(event, element, piece, drop);
    };
    const hold = holding(element);
    element.addEventListener('pointerenter', show);
    element.addEventListener('pointerdown', down);
    return () => {
      hold();
      element.removeEventListener('pointerenter', show);
      element.removeEventListener('pointerdown', down);
    };
  };
}

/** How far a pointer may move during a tap. */
const TAP_SLOP = { mouse: 5, other: 9 };
/** How near to a target a drop still counts. */
const NEAR = 26;
/** How near to the edge a dragged piece scrolls its container, and by how much per frame. */
const EDGE = { width: 44, step: 9 };
/** The maximum width of a dragged piece. */
const MOST = 120;
const BACK = 180;
/** How long a dropped piece stays on its target while waiting for the move to be shown. */
const WAIT = 1500;
/** Attributes that must not be duplicated in the ghost. */
const MARKS = ['id', 'tabindex', 'data-testid', 'data-drop', 'data-drag', 'data-explain', 'data-key', 'data-frog', 'data-fly', 'data-spot', 'data-card', 'data-stop', 'data-place'];

interface Point {
  x: number;
  y: number;
}
let held: Drag | null = null;
/** Removes a dropped piece that is waiting for its move to be shown. */
let resting: (() => void) | null = null;

/** The piece is back, unless it has been picked up again meanwhile. */
function laidDown(element: Element): void {
  if (!held?.lifts(element)) element.removeAttribute('data-lifted');
}

/** The board shows the result of a drop, or the move was refused. */
export function settle(): void {
  resting?.();
}

/** Keep a finger that drags a piece from scrolling the page. Returns a function that undoes it. */
export function holding(element: Element): () => void {
  const still = (event: Event): void => {
    if (held && event.cancelable) event.preventDefault();
  };
  const listeners = ['touchmove', 'dragstart'] as const;
  for (const kind of listeners) element.addEventListener(kind, still, { passive: false });
  return () => {
    for (const kind of listeners) element.removeEventListener(kind, still);
  };
}

/** A pointer went down on a piece, which may start a drag. Returns whether the piece can be dragged. */
export function press(event: PointerEvent, element: Element, piece: Piece, drop: Drop): boolean {
  if (held || event.button !== 0 || !event.isPrimary || piece.moves().size === 0) return false;
  held = new Drag(event, element, piece, drop);
  return true;
}

class Drag {
  private readonly from: Point;
  private readonly origin: Point;
  private at: Point;
  private ghost: HTMLElement | null = null;
  private place: HTMLElement | null = null;
  private scrolling = 0;
  private readonly listeners: [string, (event: never) => void][] = [
    ['pointermove', (event: PointerEvent) => this.move(event)],
    ['pointerup', (event: PointerEvent) => this.up(event)],
    ['pointercancel', (event: PointerEvent) => event.pointerId === this.pointer && this.end(true)],
    ['pointerdown', () => this.end(true)], // a second finger
    ['blur', (event: Event) => !(event.target instanceof Node) && this.end(true)], // only the window's
    ['keydown', (event: KeyboardEvent) => event.key === 'Escape' && this.escape(event)],
  ];
  private readonly pointer: number;
  private readonly tapSlop: number;

  constructor(
    event: PointerEvent,
    private readonly element: Element,
    private readonly piece: Piece,
    private readonly drop: Drop,
  ) {
    this.pointer = event.pointerId;
    this.tapSlop = event.pointerType === 'mouse' ? TAP_SLOP.mouse : TAP_SLOP.other;
    this.from = this.at = pointOf(event);
    const box = placeOf(element);
    this.origin = { x: box.left, y: box.top };
    // The pointerdown that started this is still bubbling.
    queueMicrotask(() => {
      if (held === this) for (const [kind, listener] of this.listeners) window.addEventListener(kind, listener as EventListener, true);
    });
  }

  private move(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    if (!this.element.isConnected) return this.end(false);
    this.at = pointOf(event);
    if (!this.ghost) {
      if (Math.hypot(this.at.x - this.from.x, this.at.y - this.from.y) <= this.tapSlop) return;
      this.lift();
    }
    this.follow();
  }

  lifts(element: Element): boolean {
    return this.ghost !== null && this.element === element;
  }

  private lift(): void {
    try {
      this.element.setPointerCapture(this.pointer);
    } catch {
      // The pointer is already gone; the event that ends the drag will follow.
    }
    this.ghost = ghostOf(this.element, this.origin, this.from);
    this.element.setAttribute('data-lifted', '');
    document.documentElement.setAttribute('data-dragging', '');
    document.dispatchEvent(new Event('lift'));
    this.piece.lifted?.(true);
    this.light();
    this.scroll();
  }

  /** Highlight the valid targets; the board may have drawn new ones since. */
  private light(): void {
    const moves = this.piece.moves();
    for (const one of document.querySelectorAll<HTMLElement>('[data-drop]')) {
      const takes = moves.has(one.getAttribute('data-drop')!);
      if (takes !== one.hasAttribute('data-takes')) one.toggleAttribute('data-takes', takes);
    }
  }

  private follow(): void {
    const [dx, dy] = [this.at.x - this.from.x, this.at.y - this.from.y];
    this.ghost!.style.translate = `${dx}px ${dy}px`;
    this.light();
    const place = nearest([...document.querySelectorAll<HTMLElement>('[data-takes]')], this.at);
    if (place === this.place) return;
    this.place?.removeAttribute('data-here');
    place?.setAttribute('data-here', '');
    this.place = place;
  }

  private scroll(): void {
    const page = this.element.closest('.scroll');
    if (!page || !this.ghost) return;
    const box = placeOf(page);
    const by = this.at.y < box.top + EDGE.width ? -EDGE.step : this.at.y > box.bottom - EDGE.width ? EDGE.step : 0;
    if (by) {
      page.scrollBy(0, by);
      this.follow();
    }
    this.scrolling = requestAnimationFrame(() => this.scroll());
  }

  private up(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    if (!this.ghost) return this.end(false);
    if (event.pointerType === 'mouse') swallowClick();
    this.at = pointOf(event);
    this.follow();
    const key = this.place?.getAttribute('data-drop') ?? null;
    const move = key === null ? undefined : this.piece.moves().get(key);
    if (move === undefined) {
      const below = placeUnder(event);
      this.end(true);
      if (below && below.contains(this.element) === false) this.piece.refused?.(below.getAttribute('data-drop')!);
    } else if (this.drop(move)) this.rest();
    else this.end(false);
  }

  private escape(event: Event): void {
    event.stopPropagation();
    this.end(true);
  }

  /** Leave the piece where it was dropped until the move is on the board. */
  private rest(): void {
    settle();
    const { ghost, element } = this;
    this.end(false, true);
    element.setAttribute('data-lifted', '');
    const timer = setTimeout(settle, WAIT);
    resting = () => {
      resting = null;
      clearTimeout(timer);
      ghost?.remove();
      laidDown(element);
    };
  }

  private end(back: boolean, rests = false): void {
    if (held !== this) return;
    held = null;
    for (const [kind, listener] of this.listeners) window.removeEventListener(kind, listener as EventListener, true);
    cancelAnimationFrame(this.scrolling);
    this.place?.removeAttribute('data-here');
    for (const one of document.querySelectorAll('[data-takes]')) one.removeAttribute('data-takes');
    document.documentElement.removeAttribute('data-dragging');
    if (this.ghost) this.piece.lifted?.(false);
    if (this.ghost && !rests) putBack(this.ghost, this.element, back && mayMove());
    this.ghost = null;
  }
}

/** The element at a point, or else the nearest one within reach. */
export function nearest<T extends Element>(places: T[], at: Point): T | null {
  let best: T | null = null;
  let least = Infinity;
  for (const place of places) {
    const box = placeOf(place);
    const off = Math.hypot(Math.max(box.left - at.x, 0, at.x - box.right), Math.max(box.top - at.y, 0, at.y - box.bottom));
    // Inside several, the one with the nearest centre.
    const far = off > 0 ? 1e5 + off : Math.hypot(box.left + box.width / 2 - at.x, box.top + box.height / 2 - at.y);
    if (off <= NEAR && far < least) [best, least] = [place, far];
  }
  return best;
}

function placeUnder(event: PointerEvent): Element | null {
  const below = document.elementsFromPoint(event.clientX, event.clientY);
  return below.map((one) => one.closest('[data-drop]')).find((one) => one !== null) ?? null;
}

/** With a mouse, a drag ends with an unintended click on the piece. */
function swallowClick(): void {
  const stop = (event: Event): void => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener('click', stop, { capture: true, once: true, signal: AbortSignal.timeout(60) });
}

/** A copy of the piece, above everything else; a sibling of the original, so that the same styles apply. */
function ghostOf(element: Element, origin: Point, grip: Point): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement | SVGElement;
  for (const one of [copy, ...copy.querySelectorAll('*')]) for (const name of MARKS) one.removeAttribute(name);
  const ghost = document.createElement('div');
  ghost.className = 'ghost-piece';
  ghost.setAttribute('aria-hidden', 'true');
  ghost.inert = true;
  Object.assign(ghost.style, { left: `${origin.x}px`, top: `${origin.y}px` });
  const box = placeOf(element);
  const svg = element instanceof SVGGraphicsElement ? element.ownerSVGElement : null;
  if (element instanceof SVGGraphicsElement && svg) {
    const own = element.getBBox();
    const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    drawing.setAttribute('viewBox', `${own.x} ${own.y} ${own.width} ${own.height}`);
    drawing.append(copy);
    copy.style.transform = 'none';
    copy.removeAttribute('transform');
    ghost.append(drawing);
  } else {
    Object.assign(copy.style, { position: 'relative', inset: 'auto', margin: '0', width: '100%', height: '100%', translate: 'none' });
    ghost.append(copy);
  }
  // A large piece is shrunk so that it hides less of the board.
  const scale = Math.min(1.07, MOST / box.width);
  Object.assign(ghost.style, { width: `${box.width}px`, height: `${box.height}px`, scale: String(scale), transformOrigin: `${grip.x - origin.x}px ${grip.y - origin.y}px` });
  (svg?.parentElement ?? element.parentElement ?? document.body).append(ghost);
  if (ghost.showPopover) {
    ghost.popover = 'manual';
    ghost.showPopover();
  }
  return ghost;
}

function putBack(ghost: HTMLElement, element: Element, moving: boolean): void {
  const done = (): void => {
    ghost.remove();
    laidDown(element);
  };
  if (!moving || !ghost.animate) return done();
  const run = ghost.animate([{ translate: ghost.style.translate }, { translate: '0 0' }], { duration: BACK, easing: 'ease-out' });
  run.onfinish = run.oncancel = done;
  ghost.style.translate = '0 0';
}
