// The frogs' hops, by the Web Animations API: one animation carries the frog along the ground, one lifts it.
import { pace } from '../../lib/pace';
import { lift, type Point } from './layout';
import { HOP, plan } from './timing';
import type { MoveEvent } from './types';

export function hop(frog: Element, event: MoveEvent, spot: (place: string) => Point, end: Point): Animation[] {
  const { hops, total } = plan(event);
  const last = hops.length - 1;
  if (last < 0) return [];
  const place = (i: number, name: string): Point => (i === last ? end : spot(name));
  const ground: Keyframe[] = [];
  const air: Keyframe[] = [];
  let from = spot(event.origin);
  for (const [i, one] of hops.entries()) {
    const to = place(i, one.to);
    const up = lift(from, to) + 10;
    const [begin, done] = [one.at / total, (one.at + HOP) / total];
    ground.push(
      { transform: `translate(${from.x}px, ${from.y}px)`, offset: begin, easing: 'ease-in-out' },
      { transform: `translate(${to.x}px, ${to.y}px)`, offset: done },
    );
    air.push(
      { transform: 'translateY(0) scale(1, 1)', offset: begin, easing: 'cubic-bezier(.2,.7,.4,1)' },
      { transform: `translateY(${-up}px) scale(1.22, 1.22)`, offset: (begin + done) / 2, easing: 'cubic-bezier(.6,0,.8,.3)' },
      { transform: 'translateY(0) scale(1, 1)', offset: done },
    );
    from = to;
  }
  const how: KeyframeAnimationOptions = { duration: total * pace(), fill: 'backwards' };
  const running = [frog.animate(ground, how)];
  const inner = frog.querySelector('.air');
  if (inner) running.push(inner.animate(air, how));
  return running;
}
