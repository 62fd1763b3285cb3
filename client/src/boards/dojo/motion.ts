// How the events of one step are shown: when each begins, and what travels from where to where.
import { placeOf } from '../../lib/scale';
import type { GameEvent } from '../../lib/board';
import { pace } from '../../lib/pace';
import type { Beat } from '../../lib/timeline';

const BEATS: Record<string, Beat> = {
  turn: { ms: 520, stay: 400 },
  draw: { ms: 450, stay: 150 },
  deal: { ms: 350, stay: 60 },
  give: { ms: 620, stay: 450 },
  challenge: { ms: 3200, stay: 600 },
  pass: { ms: 600, stay: 300 },
  throw: { ms: 400, stay: 200 },
  swap: { ms: 800, stay: 900 },
  keep: { ms: 500, stay: 600 },
  place: { ms: 650, stay: 550 },
  trophy: { ms: 1100, stay: 800 },
};
/** The count at the end: when it begins after the last card has been laid, the time between its parts, and all of it, in ms. */
export const COUNT = { from: 1200, step: 1300, ms: 6500 };
/** Both throws of a bout are shown together, and it takes time to read them. */
const BOUT: Beat = { ms: 1200, stay: 1000 };

export const beats = (events: readonly GameEvent[]): Beat[] =>
  events.map((event) => (event.type === 'throw' && event['other_hand'] !== undefined ? BOUT : (BEATS[event.type] ?? { ms: 0, stay: 0 })));

export interface Step {
  event: GameEvent;
  at: number;
  ms: number;
}

/** When each event begins, in ms. */
export function plan(events: readonly GameEvent[]): Step[] {
  let at = 0;
  const times = beats(events);
  return events.map((event, i) => {
    const { ms, stay } = times[i]!;
    at += ms + stay;
    return { event, at: at - ms - stay, ms };
  });
}

/** Plays the steps on the drawn board; gives back a function that ends all of it at once. */
export function perform(root: HTMLElement, steps: readonly Step[], own: number | null, shownAlready: string | null): () => void {
  const running: Animation[] = [];
  const find = (attribute: string, value: string) => root.querySelector<HTMLElement>(`[data-${attribute}="${value}"]`);
  const run = (element: HTMLElement | null, frames: Keyframe[], delay: number, duration: number, easing = 'cubic-bezier(.3,.7,.3,1)') => {
    if (!element) return;
    const animation = element.animate(frames, { delay, duration, easing, fill: 'backwards' });
    animation.playbackRate = 1 / pace();
    running.push(animation);
  };
  const travel = (what: HTMLElement | null, from: HTMLElement | null, { event: { type }, at, ms }: Step, turn = 0) => {
    if (!what || !from) return;
    const [to, start] = [placeOf(what), placeOf(from)];
    if (!to.width || !start.width) return;
    const x = start.left + start.width / 2 - to.left - to.width / 2;
    const y = start.top + start.height / 2 - to.top - to.height / 2;
    const scale = Math.min(2.5, Math.max(0.2, start.width / to.width));
    const off: Keyframe = { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 9 };
    // A card that leaves the pile later is not there yet; one that is laid later waits on its cushion.
    const before: Keyframe[] = at > 0 && ['draw', 'deal', 'give'].includes(type) ? [{ ...off, opacity: 0 }, { ...off, offset: 0.05 }] : [off];
    const lifted = `translate(${x / 2}px, ${y / 2 - 14}px) scale(${(1 + scale) / 2 + 0.1}) rotate(${turn}deg)`;
    run(what, [...before, { transform: lifted, zIndex: 9 }, { transform: 'none', zIndex: 9 }], at, ms);
  };
  /** A trophy rises from its place for all to see, then flies home in a bow and settles. */
  const fly = (what: HTMLElement | null, from: HTMLElement | null, { at, ms }: Step) => {
    if (!what || !from) return;
    const [to, start] = [placeOf(what), placeOf(from)];
    if (!to.width || !start.width) return;
    const x = start.left + start.width / 2 - to.left - to.width / 2;
    const y = start.top + start.height / 2 - to.top - to.height / 2;
    const scale = Math.min(4, Math.max(0.2, start.width / to.width));
    const frame = (part: number, up: number, size: number, turn: number, offset: number): Keyframe => ({
      transform: `translate(${x * part}px, ${y * part - up}px) scale(${size}) rotate(${turn}deg)`, zIndex: 9, offset,
    });
    run(what, [frame(1, 0, scale, 0, 0), frame(1, 12, scale * 1.35, -6, 0.25), frame(0.4, 46, Math.max(1.8, scale), 10, 0.65), frame(0, 0, 1.3, 0, 0.88), frame(0, 0, 1, 0, 1)], at, ms, 'ease-in-out');
  };
  const cushion = (seat: unknown) => find('spot', `cushion-${String(seat)}`);
  const inDojo = (seat: number, key: string) => (seat === own ? find('card', `own-${key}`) : find('card', `dojo-${seat}-${key}`));

  for (const step of steps) {
    const { event, at, ms } = step;
    const seat = event.seat ?? -1;
    switch (event.type) {
      case 'turn':
        run(find('card', 'trophy'), [{ transform: 'rotateY(180deg) scale(.6)', opacity: 0 }, { transform: 'none' }], at, ms);
        run(find('words', 'trophy'), [{ opacity: 0 }, {}], at, ms);
        break;
      case 'draw':
        travel(find('card', 'looking'), find('spot', 'pile'), step, -6);
        break;
      case 'deal':
        travel(find('card', `held-${String(event['to'])}`), find('spot', 'pile'), step, 8);
        break;
      case 'give':
        travel(find('card', `held-${String(event['to'])}`), find('spot', 'looking') ?? find('spot', 'pile'), step, 8);
        break;
      case 'pass':
        run(cushion(seat), [{ transform: 'none' }, { transform: 'translateX(-5px) rotate(-3deg)' }, { transform: 'translateX(5px) rotate(3deg)' }, { transform: 'none' }], at, ms);
        break;
      case 'throw': {
        const hands = root.querySelectorAll<HTMLElement>('[data-hand] svg');
        for (const hand of hands) if (hand.closest(`[data-hand$="-${Number(event['bout'] ?? 1) - 1}"]`)) run(hand as unknown as HTMLElement, shake, at, ms);
        run(find('stamp', String(event['winner'])), stamp, at + ms, 350, 'ease-in');
        break;
      }
      case 'swap':
        travel(find('card', `held-${seat}`), cushion(event['loser']), step, -10);
        travel(find('card', `held-${String(event['loser'])}`), cushion(seat), step, 10);
        break;
      case 'keep':
        run(find('card', `held-${seat}`), [{ transform: 'none' }, { transform: 'scale(1.16)' }, { transform: 'none' }], at, ms);
        break;
      case 'place': {
        const what = inDojo(seat, `${String(event['row'])} ${String(event['column'])}`);
        // A card that the player has already seen on its place only settles there.
        if (seat === own && shownAlready === `place ${String(event['row'])} ${String(event['column'])}`)
          run(what, [{ transform: 'scale(1.1)' }, { transform: 'none' }], at, ms);
        else travel(what, cushion(seat), step, 6);
        break;
      }
      case 'trophy': {
        const key = `${String(event['line'])} ${String(event['at'])}`;
        const end = seat === own ? find('end', key)?.querySelector<HTMLElement>('.trophy') : find('end', `${seat} ${key}`);
        fly(end ?? null, find('spot', 'trophy'), step);
        break;
      }
    }
  }
  return () => running.forEach((animation) => animation.cancel());
}

const stamp: Keyframe[] = [
  { opacity: 0, transform: 'scale(3)' },
  { opacity: 1, transform: 'scale(.9)', offset: 0.7 },
  { opacity: 1, transform: 'none' },
];
const shake: Keyframe[] = [
  { transform: 'translateY(0)', opacity: 0.3 },
  { transform: 'translateY(-45%)' },
  { transform: 'translateY(0)' },
  { transform: 'translateY(-45%)' },
  { transform: 'scale(1.5)', opacity: 1 },
  { transform: 'none' },
];
