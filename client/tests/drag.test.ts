import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nearest, press, settle, type Piece } from '../src/lib/drag';
import { setPref } from '../src/lib/prefs.svelte';

/** An element that lies at a place of the page. */
function lying(x: number, y: number, width: number, height: number, drop = ''): HTMLElement {
  const element = document.createElement('button');
  if (drop) element.setAttribute('data-drop', drop);
  element.getBoundingClientRect = () => new DOMRect(x, y, width, height);
  element.setPointerCapture = () => undefined;
  document.body.append(element);
  return element;
}
const pointer = (kind: string, x: number, y: number, more: PointerEventInit = {}): PointerEvent =>
  new PointerEvent(kind, { clientX: x, clientY: y, button: 0, isPrimary: true, pointerId: 1, pointerType: 'mouse', bubbles: true, cancelable: true, ...more });
/** Everything that a pointer does after it went down. */
const then = (kind: string, x: number, y: number): boolean => window.dispatchEvent(pointer(kind, x, y));

let card: HTMLElement;
let table: HTMLElement;
let shelf: HTMLElement;
let played: string[];
let refused: string[];
let legal: Map<string, string>;
let commits: boolean;
let piece: Piece;

async function down(more: PointerEventInit = {}): Promise<boolean> {
  const begun = press(pointer('pointerdown', 10, 10, more), card, piece, (move) => {
    played.push(move);
    return commits;
  });
  await Promise.resolve();
  return begun;
}
const lit = (): (string | null)[] => [...document.querySelectorAll('[data-takes]')].map((one) => one.getAttribute('data-drop'));
const ghost = (): HTMLElement | null => document.querySelector('.ghost-piece');

beforeEach(() => {
  document.body.innerHTML = '';
  document.elementsFromPoint = (x, y) =>
    [...document.querySelectorAll('[data-drop]')].filter((one) => {
      const box = one.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
  setPref('motion', false);
  card = lying(0, 0, 40, 60);
  card.id = 'card';
  table = lying(200, 0, 100, 100, 'table');
  shelf = lying(200, 300, 100, 100, 'shelf');
  [played, refused, commits, legal] = [[], [], true, new Map([['table', 'play 7']])];
  piece = { moves: () => legal, refused: (place) => void refused.push(place), lifted: vi.fn() };
});
afterEach(() => {
  then('pointercancel', 0, 0);
  settle();
  Reflect.deleteProperty(HTMLElement.prototype, 'animate');
});

describe('a piece that is dragged', () => {
  it('is picked up once the pointer has clearly moved, and highlights its targets', async () => {
    expect(await down()).toBe(true);
    then('pointermove', 13, 12);
    expect(ghost()).toBeNull();
    then('pointermove', 40, 20);
    expect(lit()).toEqual(['table']);
    expect(piece.lifted).toHaveBeenLastCalledWith(true);
    expect(card.hasAttribute('data-lifted')).toBe(true);
    expect(ghost()!.style.translate).toBe('30px 10px');
    expect(ghost()!.querySelector('#card')).toBeNull();
  });

  it('makes the move of the target it is dropped on, and stays there until the board shows it', async () => {
    await down();
    then('pointermove', 240, 50);
    expect(table.hasAttribute('data-here')).toBe(true);
    then('pointerup', 240, 50);
    expect(played).toEqual(['play 7']);
    expect(lit()).toEqual([]);
    expect(ghost()).not.toBeNull();
    settle();
    expect(ghost()).toBeNull();
    expect(card.hasAttribute('data-lifted')).toBe(false);
  });

  it('returns at once if the move has to be confirmed', async () => {
    commits = false;
    await down();
    then('pointermove', 240, 50);
    then('pointerup', 240, 50);
    expect(played).toEqual(['play 7']);
    expect(ghost()).toBeNull();
  });

  it('returns from anywhere else, and an invalid target is reported', async () => {
    await down();
    then('pointermove', 120, 200);
    then('pointerup', 120, 200);
    expect([played, refused]).toEqual([[], []]);
    await down();
    then('pointermove', 250, 350);
    then('pointerup', 250, 350);
    expect([played, refused]).toEqual([[], ['shelf']]);
    expect(ghost()).toBeNull();
    expect(shelf.hasAttribute('data-takes')).toBe(false);
  });

  it('is released even if it was picked up again on its way back', async () => {
    setPref('motion', true);
    let home = (): void => undefined;
    HTMLElement.prototype.animate = function (): Animation {
      const run = {} as Animation;
      home = () => run.onfinish?.(new Event('finish') as AnimationPlaybackEvent);
      return run;
    };
    for (const again of [false, true]) {
      await down();
      then('pointermove', 150, 200);
      if (again) home();
      expect(card.hasAttribute('data-lifted')).toBe(true);
      then('pointerup', 150, 200);
      expect(piece.lifted).toHaveBeenLastCalledWith(false);
    }
    home();
    expect([ghost(), card.hasAttribute('data-lifted')]).toEqual([null, false]);
  });
  it('ignores the click that ends the drag', async () => {
    const clicked = vi.fn();
    card.addEventListener('click', clicked);
    await down();
    then('pointermove', 120, 200);
    then('pointerup', 120, 200);
    card.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(clicked).not.toHaveBeenCalled();
  });

  it('stays a tap while the pointer hardly moves; a finger may move more than a mouse', async () => {
    const clicked = vi.fn();
    card.addEventListener('click', clicked);
    await down({ pointerType: 'touch' });
    then('pointermove', 17, 14);
    then('pointerup', 17, 14);
    card.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(clicked).toHaveBeenCalledOnce();
    expect(played).toEqual([]);
  });

  it('is not released when pressing it takes the focus from another element', async () => {
    const field = document.createElement('input');
    document.body.append(field);
    field.focus();
    await down();
    field.blur();
    then('pointermove', 240, 50);
    then('pointerup', 240, 50);
    expect(played).toEqual(['play 7']);
  });

  it('is released by Escape, by a second finger and when it is removed from the page', async () => {
    for (const end of [
      () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })),
      () => window.dispatchEvent(pointer('pointerdown', 300, 300, { pointerId: 2, isPrimary: false })),
      () => then('pointercancel', 0, 0),
      () => window.dispatchEvent(new Event('blur')),
    ]) {
      await down();
      then('pointermove', 240, 50);
      end();
      then('pointerup', 240, 50);
      expect([played, ghost(), lit()]).toEqual([[], null, []]);
    }
    await down();
    then('pointermove', 240, 50);
    card.remove();
    then('pointermove', 241, 50);
    expect([ghost(), lit()]).toEqual([null, []]);
  });

  it('cannot be dragged if no legal move starts with it, or with another mouse button', async () => {
    expect(await down({ button: 2 })).toBe(false);
    legal = new Map();
    expect(await down()).toBe(false);
  });

  it('checks the legal moves again on drop, as the question may have changed', async () => {
    await down();
    then('pointermove', 240, 50);
    legal = new Map();
    then('pointerup', 240, 50);
    expect(played).toEqual([]);
  });
});

it('a drop counts for the nearest target within reach, and inside several for the one with the nearest centre', () => {
  const [left, right, far] = [lying(0, 0, 100, 100), lying(80, 0, 100, 100), lying(0, 500, 10, 10)];
  const all = [left, right, far];
  expect(nearest(all, { x: 85, y: 50 })).toBe(left);
  expect(nearest(all, { x: 95, y: 50 })).toBe(right);
  expect(nearest(all, { x: 190, y: 50 })).toBe(right);
  expect(nearest(all, { x: 300, y: 300 })).toBeNull();
});
