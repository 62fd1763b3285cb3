// Whether the mouse really moved onto something: browsers also fire hover events when the page changes under a resting mouse.
const JITTER = 6;

export class Hover {
  private at: { x: number; y: number; time: number } | null = null; // null before the first event
  /** Where the mouse was when something appeared under it, or when it was pressed. */
  private rest: { x: number; y: number } | null = null;

  /** The pointer is here: whether it has moved by more than jitter since it rested. One movement is reported several times. */
  moved(x: number, y: number, time: number): boolean {
    if (this.at?.time === time) return this.rest === null;
    const same = this.at === null || (this.at.x === x && this.at.y === y);
    if (same) this.rest ??= { x, y };
    this.at = { x, y, time };
    if (this.rest && Math.hypot(x - this.rest.x, y - this.rest.y) > JITTER) this.rest = null;
    return !same && this.rest === null;
  }

  /** The button was pressed here: whatever the click brings under the mouse does not count as a movement. */
  pressed(x: number, y: number, time: number): void {
    this.at = { x, y, time };
    this.rest = { x, y };
  }
}

export const mouse = new Hover();

/** Call when the app starts, so that a new page under a resting mouse does not count as a movement. */
export function watchMouse(): void {
  const watch = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') return;
    if (event.type === 'pointerdown') mouse.pressed(event.clientX, event.clientY, event.timeStamp);
    else mouse.moved(event.clientX, event.clientY, event.timeStamp);
  };
  for (const kind of ['pointerdown', 'pointerover', 'pointermove'] as const) addEventListener(kind, watch, true);
}
