// Whether a mouse really moves onto things: browsers also report that it is over something new when the page changes under it.
const JITTER = 6;

export class Hover {
  private at: { x: number; y: number; time: number } | null = null; // null: it has not been seen yet
  /** Where the mouse lay when something came under it, or when it was pressed. */
  private rest: { x: number; y: number } | null = null;

  /** The pointer is here: whether it was moved, and not only by the trembling of a hand since it rested. One movement is reported several times. */
  moved(x: number, y: number, time: number): boolean {
    if (this.at?.time === time) return this.rest === null;
    const same = this.at === null || (this.at.x === x && this.at.y === y);
    if (same) this.rest ??= { x, y };
    this.at = { x, y, time };
    if (this.rest && Math.hypot(x - this.rest.x, y - this.rest.y) > JITTER) this.rest = null;
    return !same && this.rest === null;
  }

  /** The button was pressed here: what the click does to the page is not looked at. */
  pressed(x: number, y: number, time: number): void {
    this.at = { x, y, time };
    this.rest = { x, y };
  }
}

export const mouse = new Hover();

/** From the first page on, so that a page that comes under a resting mouse is not taken for a movement. */
export function watchMouse(): void {
  const watch = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') return;
    if (event.type === 'pointerdown') mouse.pressed(event.clientX, event.clientY, event.timeStamp);
    else mouse.moved(event.clientX, event.clientY, event.timeStamp);
  };
  for (const kind of ['pointerdown', 'pointerover', 'pointermove'] as const) addEventListener(kind, watch, true);
}
