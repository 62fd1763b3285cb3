// How one position becomes the next: where things lay before is remembered, and they travel from there.
import { placeOf } from '../../lib/scale';
import type { GameEvent } from '../../lib/board';
import { pace } from '../../lib/pace';
import { beats, TIMES } from './describe';
import { endsAuction, isBid, isPlay, isRoundEnd } from './types';

const EASE = 'cubic-bezier(.2,.8,.25,1)';

export class Stage {
  private before = new Map<string, DOMRect>();
  private clones = new Map<string, HTMLElement>();
  private running: Animation[] = [];
  private given = new Set<HTMLElement>();

  constructor(
    private readonly root: HTMLElement,
    /** Where things that are no longer on the board may fly. */
    private readonly layer: HTMLElement,
  ) {}

  /** Remember where everything lies; called before the page changes. */
  remember(): void {
    this.stop();
    this.before.clear();
    this.clones.clear();
    for (const node of this.root.querySelectorAll<HTMLElement>('[data-fly]')) {
      const key = node.dataset['fly']!;
      this.before.set(key, placeOf(node));
      if (key.startsWith('bid')) this.clones.set(key, node.cloneNode(true) as HTMLElement);
    }
  }

  stop(): void {
    for (const one of this.running) one.cancel();
    this.running = [];
    this.layer.replaceChildren();
  }

  /** Show how the new view came about. */
  show(events: GameEvent[]): void {
    this.given.clear();
    const times = beats(events);
    let delay = 0;
    for (const [at, event] of events.entries()) {
      if (isPlay(event)) {
        this.play(event.seat, event.cards, delay);
        const landed = delay + TIMES.play;
        if (event.winner !== undefined && !isRoundEnd(event)) this.rise(event.winner, `+${(event.points ?? 0) + (event.aces ?? 0)}`, landed);
        // Between rounds a sheet lies over the table and shows the gains; at the end they rise beside the points.
        if (isRoundEnd(event) && event.champion_seat !== undefined) {
          event.gains.forEach((gain, seat) => gain > 0 && this.rise(seat, `+${gain}`, landed));
          this.moonrise();
        }
      } else if (isBid(event)) {
        if (event.outbid_seat !== undefined) this.ghost(`bid${event.group}`, event.outbid_seat, delay);
        if (event.groups) {
          for (const [seat, name] of event.groups.entries()) this.take(seat, name);
          event.groups.forEach((name, seat) => event.spent?.[seat] && this.ghost(`bid${name}`, null, 60));
        } else {
          this.travel(`bid${event.group}`, this.before.get(`seat${event.seat}`), delay, TIMES.bid);
          this.tie(`bid${event.group}`, delay + TIMES.bid);
        }
      } else if (event.type === 'deal' && typeof event['group'] === 'string') {
        this.deal(`g${event['group']}:${String(event['card'])}:`, delay);
      } else if (event.type === 'deal' && typeof event['to'] === 'number') {
        this.deal(`h${event['to']}:`, delay);
      } else if (event.type === 'group' && typeof event['to'] === 'number') {
        for (const node of this.all(`h${event['to']}:`)) if (!this.given.has(node)) this.fromMiddle(node, delay);
      }
      delay += times[at]!.ms + times[at]!.stay;
    }
    if (events.some((event) => event.type === 'deal' || event.type === 'group' || endsAuction(event)))
      for (const place of ['group', 'hand']) this.tie(place, delay);
  }

  // ---- single movements ------------------------------------------------------------------------

  private node(key: string): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`[data-fly="${CSS.escape(key)}"]`);
  }
  private all(prefix: string): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>(`[data-fly^="${CSS.escape(prefix)}"]`)];
  }
  private run(node: HTMLElement, frames: Keyframe[], options: KeyframeAnimationOptions): Animation {
    const animation = node.animate(frames, { easing: EASE, fill: 'backwards', ...options });
    animation.playbackRate = 1 / pace();
    this.running.push(animation);
    return animation;
  }

  /** From where the thing lay before to where it lies now. */
  private travel(key: string, from: DOMRect | undefined, delay: number, duration: number): void {
    const node = this.node(key);
    if (!node || !from) return;
    const to = placeOf(node);
    const x = from.left + from.width / 2 - to.left - to.width / 2;
    const y = from.top + from.height / 2 - to.top - to.height / 2;
    const size = Math.max(0.3, Math.min(1.6, to.width ? from.width / to.width : 1));
    this.run(
      node,
      [
        { transform: `translate(${x}px,${y}px) scale(${size})`, zIndex: 30 },
        { transform: `translate(${x * 0.4}px,${y * 0.4 - 14}px) scale(${(size + 1) / 2 + 0.04})`, offset: 0.55, zIndex: 30 },
        { transform: 'none', zIndex: 30 },
      ],
      { duration, delay },
    );
  }

  private play(seat: number, cards: string[], delay: number): void {
    const used = new Set<string>();
    cards.forEach((text, at) => {
      const keys = [...this.before.keys()].filter((key) => !used.has(key));
      const from =
        keys.findLast((key) => key.startsWith(`h${seat}:${text}:`) && !this.node(key)) ??
        keys.find((key) => text.endsWith('*') && key.startsWith(`h${seat}:?:`) && !this.node(key)) ??
        `seat${seat}`;
      if (from !== `seat${seat}`) used.add(from);
      this.travel(`t${seat}:${at}`, this.before.get(from), delay + at * 50, TIMES.play);
    });
    this.tie(String(seat), delay + TIMES.play);
  }

  /** Cards are tied, and what they or a bid mean is written, when they lie there. */
  private tie(place: string, delay: number): void {
    for (const tie of this.root.querySelectorAll<HTMLElement>(`[data-tie="${place}"]`)) this.run(tie, [{ opacity: 0 }, { opacity: 1 }], { duration: 150, delay });
  }

  /** The cards of a group go to the hand that won it. */
  private take(seat: number, name: string): void {
    let at = 0;
    for (const node of this.all(`h${seat}:`)) {
      const key = node.dataset['fly']!;
      const from = this.before.get(`g${name}:${key.slice(key.indexOf(':') + 1)}`);
      if (from) this.travel(key, from, at++ * 35, TIMES.take);
    }
  }

  private deal(prefix: string, delay: number): void {
    const node = this.all(prefix).find((one) => !this.given.has(one));
    if (node) this.fromMiddle(node, delay);
  }
  private fromMiddle(node: HTMLElement, delay: number): void {
    this.given.add(node);
    const to = placeOf(node);
    const all = placeOf(this.root);
    const x = all.left + all.width / 2 - to.left - to.width / 2;
    const y = all.top + all.height / 3 - to.top - to.height / 2;
    this.run(node, [{ transform: `translate(${x}px,${y}px) rotate(-20deg)`, opacity: 0 }, { opacity: 1, offset: 0.4 }, { transform: 'none' }], {
      duration: TIMES.dealt,
      delay,
    });
  }

  /** The cards of the trick that is still lying go to its winner. */
  gather(winner: number): void {
    const goal = this.node(`points${winner}`);
    for (const tie of this.root.querySelectorAll<HTMLElement>('.middle [data-tie]')) this.run(tie, [{ opacity: 0 }, { opacity: 0 }], { duration: TIMES.gather, fill: 'both' });
    for (const node of this.root.querySelectorAll<HTMLElement>('[data-fly^="t"]')) {
      const [from, to] = [placeOf(node), goal && placeOf(goal)];
      const x = to ? to.left + to.width / 2 - from.left - from.width / 2 : 0;
      const y = to ? to.top + to.height / 2 - from.top - from.height / 2 : -30;
      this.run(node, [{ transform: 'none', opacity: 1 }, { transform: `translate(${x}px,${y}px) scale(.3)`, opacity: 0 }], { duration: TIMES.gather, easing: 'ease-in', fill: 'both' });
    }
  }

  /** A thing that is gone flies to a seat, or rises and fades. */
  private ghost(key: string, seat: number | null, delay: number): void {
    const clone = this.clones.get(key);
    const from = this.before.get(key);
    const to = seat === null ? null : this.before.get(`points${seat}`);
    if (!clone || !from || !from.width) return;
    const base = placeOf(this.layer);
    clone.removeAttribute('data-fly');
    Object.assign(clone.style, {
      position: 'absolute', margin: '0', left: `${from.left - base.left}px`, top: `${from.top - base.top}px`, width: `${from.width}px`,
    });
    this.layer.append(clone);
    const x = to ? to.left + to.width / 2 - from.left - from.width / 2 : 0;
    const y = to ? to.top + to.height / 2 - from.top - from.height / 2 : -30;
    const animation = this.run(
      clone,
      [{ transform: 'none', opacity: 1 }, { transform: `translate(${x}px,${y}px) scale(.3)`, opacity: 0.1 }],
      { duration: TIMES.gather, delay, easing: 'ease-in' },
    );
    animation.onfinish = () => clone.remove();
  }

  private moonrise(): void {
    const moon = this.node('moon');
    if (moon) this.run(moon, [{ transform: 'translateY(70px)', opacity: 0.2 }, { transform: 'none', opacity: 1 }], { duration: 1400 });
  }

  /** Points rise where they are earned. */
  private rise(seat: number, text: string, delay: number): void {
    const earned = this.node(`points${seat}`);
    if (!earned) return;
    const place = placeOf(earned);
    const base = placeOf(this.layer);
    const note = document.createElement('span');
    note.className = 'rise';
    note.textContent = text;
    Object.assign(note.style, { left: `${place.left - base.left + place.width / 2}px`, top: `${place.top - base.top}px` });
    this.layer.append(note);
    const animation = this.run(
      note,
      [
        { transform: 'translate(-50%,6px) scale(.6)', opacity: 0 },
        { transform: 'translate(-50%,-6px) scale(1.15)', opacity: 1, offset: 0.25 },
        { transform: 'translate(-50%,-16px) scale(1)', opacity: 1, offset: 0.75 },
        { transform: 'translate(-50%,-26px) scale(1)', opacity: 0 },
      ],
      { duration: 1300, delay },
    );
    animation.onfinish = () => note.remove();
  }
}
