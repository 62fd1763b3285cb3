// Large windows show everything larger: pages are laid out for about 1280 x 850 and scaled from there (CSS `zoom`).
// A tall window (a tablet held upright) is laid out as a large phone.
const [WIDTH, HEIGHT, UPRIGHT, MOST] = [1280, 850, { width: 600, height: 860 }, 4];

let scale = 1;

/** Screen pixels per layout pixel; at least 1. */
export function scaleFor(width: number, height: number): number {
  const upright = width >= 700 && height > 1.2 * width;
  const fitting = upright ? Math.min(width / UPRIGHT.width, height / UPRIGHT.height) : Math.min(width / WIDTH, height / HEIGHT);
  return Math.min(MOST, Math.max(1, fitting));
}

export function keepScale(): void {
  const update = (): void => {
    scale = scaleFor(innerWidth, innerHeight);
    document.documentElement.style.setProperty('--scale', String(scale));
  };
  update();
  addEventListener('resize', update);
}

/** Where an element is, in layout pixels (browsers report screen pixels). */
export function placeOf(element: Element): DOMRect {
  const { x, y, width, height } = element.getBoundingClientRect();
  return new DOMRect(x / scale, y / scale, width / scale, height / scale);
}

/** The window's size, in layout pixels. */
export const windowSize = (): { width: number; height: number } => ({ width: innerWidth / scale, height: innerHeight / scale });

/** Where a pointer is, in layout pixels. */
export const pointOf = (event: { clientX: number; clientY: number }): { x: number; y: number } => ({ x: event.clientX / scale, y: event.clientY / scale });

/** Reports an element's height, in whole pixels, whenever it changes, and 0 when it is no longer watched. */
export function watchHeight(element: HTMLElement, report: (height: number) => void): () => void {
  const observer = new ResizeObserver(() => report(Math.ceil(placeOf(element).height)));
  observer.observe(element);
  return () => {
    observer.disconnect();
    report(0);
  };
}
