// Taps, hovering, panning and pinching on the pond, by pointer events. One listener for the whole water decides which
// thing a finger meant: the nearest one, and what can be chosen counts as near from further off.
import { holding } from '../../lib/drag';
import { placeOf, pointOf } from '../../lib/scale';
import type { Attachment } from 'svelte/attachments';
import { clamp, type Point } from './layout';

export interface Item extends Point {
  key: string;
  r: number;
  /** Whether it can be chosen now. */
  live: boolean;
}
export interface Zoom {
  k: number;
  x: number;
  y: number;
}
export const WHOLE: Zoom = { k: 1, x: 0, y: 0 };
const MOST = 3;
/** Half of the 44 px that a touch target needs. */
const THUMB = 23;

export function nearest(items: Item[], at: Point, k: number): Item | null {
  let best: Item | null = null;
  let least = Infinity;
  for (const item of items) {
    const off = Math.hypot(item.x - at.x, item.y - at.y) * k;
    const reach = item.live ? Math.max(THUMB, item.r * k) : item.r * k;
    if (off > reach) continue;
    // Within a big thing every point is as good as the centre of a small one.
    const far = item.r * k > THUMB * 1.6 ? Math.max(0, off - item.r * k + THUMB) : off;
    if (far < least) [best, least] = [item, far];
  }
  return best;
}

/** Zoom by a factor around a point of the screen, never beyond the edges. */
export function zoomed(zoom: Zoom, by: number, at: Point, width: number, height: number): Zoom {
  const k = clamp(zoom.k * by, 1, MOST);
  const x = at.x - ((at.x - zoom.x) / zoom.k) * k;
  const y = at.y - ((at.y - zoom.y) / zoom.k) * k;
  return held({ k, x, y }, width, height);
}

export const held = ({ k, x, y }: Zoom, width: number, height: number): Zoom => ({
  k,
  x: clamp(x, width * (1 - k), 0),
  y: clamp(y, height * (1 - k), 0),
});

interface Uses {
  size: () => { width: number; height: number };
  items: () => Item[];
  zoom: () => Zoom;
  setZoom: (zoom: Zoom) => void;
  tap: (key: string | null) => void;
  hover: (key: string | null) => void;
  /** A pointer went down on a thing: says whether it may be dragged. */
  grab: (key: string, event: PointerEvent) => boolean;
}

export function gestures(uses: Uses): Attachment<SVGSVGElement> {
  return (svg) => {
    const down = new Map<number, Point>();
    let moved = false;
    let grabbed = false;
    const local = (event: { clientX: number; clientY: number }): Point => {
      const [box, at] = [placeOf(svg), pointOf(event)];
      return { x: at.x - box.left, y: at.y - box.top };
    };
    const onWater = (at: Point): Point => {
      const { k, x, y } = uses.zoom();
      return { x: (at.x - x) / k, y: (at.y - y) / k };
    };
    const found = (event: MouseEvent): string | null => nearest(uses.items(), onWater(local(event)), uses.zoom().k)?.key ?? null;

    const click = (event: MouseEvent): void => {
      if (moved) return;
      const own = (event.target as Element).closest('[data-key]')?.getAttribute('data-key') ?? null;
      uses.tap(event.detail === 0 ? own : found(event));
    };
    const press = (event: PointerEvent): void => {
      if (down.size === 0) moved = false;
      down.set(event.pointerId, local(event));
      const key = down.size === 1 ? found(event) : null;
      grabbed = key !== null && uses.grab(key, event);
    };
    const drag = (event: PointerEvent): void => {
      const before = down.get(event.pointerId);
      if (!before) {
        if (event.pointerType === 'mouse') uses.hover(found(event));
        return;
      }
      const now = local(event);
      const { width, height } = uses.size();
      const zoom = uses.zoom();
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const was = Math.hypot(before.x - other.x, before.y - other.y) || 1;
        const is = Math.hypot(now.x - other.x, now.y - other.y);
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        uses.setZoom(zoomed(zoom, is / was, middle, width, height));
        moved = true;
      } else if (zoom.k > 1 && !grabbed && (moved || Math.hypot(now.x - before.x, now.y - before.y) > 6)) {
        if (!moved) svg.setPointerCapture(event.pointerId);
        uses.setZoom(held({ k: zoom.k, x: zoom.x + now.x - before.x, y: zoom.y + now.y - before.y }, width, height));
        moved = true;
      } else return;
      down.set(event.pointerId, now);
    };
    const release = (event: PointerEvent): void => void down.delete(event.pointerId);
    const leave = (event: PointerEvent): void => {
      if (event.pointerType === 'mouse') uses.hover(null);
    };
    const wheel = (event: WheelEvent): void => {
      // A trackpad's pinch arrives as a wheel with the control key.
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { width, height } = uses.size();
      uses.setZoom(zoomed(uses.zoom(), Math.exp(-event.deltaY / 120), local(event), width, height));
    };
    const hold = holding(svg);
    svg.addEventListener('click', click);
    svg.addEventListener('pointerdown', press);
    svg.addEventListener('pointermove', drag);
    svg.addEventListener('pointerleave', leave);
    svg.addEventListener('wheel', wheel, { passive: false });
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', release);
    return () => {
      hold();
      svg.removeEventListener('click', click);
      svg.removeEventListener('pointerdown', press);
      svg.removeEventListener('pointermove', drag);
      svg.removeEventListener('pointerleave', leave);
      svg.removeEventListener('wheel', wheel);
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', release);
    };
  };
}
