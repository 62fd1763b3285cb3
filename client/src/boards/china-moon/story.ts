// What the log shows by pictures, and what happened to a seat's frogs and lilies.
import type { GameEvent, View } from '../../lib/board';
import type { Words } from '../../lib/words';
import { parse } from './moves';
import { COLOURS, isDrop, isMove, isTrade, ownerOf, type Colour, type MoonView } from './types';

const LILIES = new Set(['lily', 'second_lily', 'prize', 'give', 'take', 'colour']);

export const glyphs = (field: string, value: unknown): string[] | null =>
  (field === 'frog' || LILIES.has(field)) && typeof value === 'string' ? [value] : null;

const SPECIAL = new Set(['prankster', 'spring', 'butterfly']);

/** What the frog has landed on, where that is more than a plain pad. */
export function eventFields(event: GameEvent): Record<string, unknown> {
  const kind = isMove(event) ? event.legs.at(-1)?.kind : undefined;
  return kind && SPECIAL.has(kind) ? { special: kind } : {};
}

export function toYou(event: GameEvent, seat: number): Record<string, unknown> | null {
  if (event.seat === seat) return null;
  if (isMove(event)) return event.owner === seat ? eventFields(event) : null;
  return isTrade(event) && event.to === seat ? {} : null;
}

/** Who moves whose frog, while it is in the air; what it takes is said when it has landed. */
export function meanwhile(event: GameEvent, words: Words): string {
  if (!isMove(event)) return '';
  const others = event.owner === words.reader && event.seat !== words.reader;
  const { seat, owner, frog } = event;
  return words.message('meanwhile', others ? 'yours' : 'move', { seat, owner, frog });
}

/** How many sentences the line before a turn has room for. */
const MOST = 3;

/** How many frogs are home; what the reader lost and why; the lilies that each player has more and fewer than before, the reader's
 * first, and which of the reader's frogs were moved: what concerns the reader most comes first, and the rest is in the log. */
export function since(events: readonly GameEvent[], seat: number | null, words: Words): { code: string; fields: Record<string, unknown> }[] {
  const changes = new Map<number, Map<Colour, number>>();
  const change = (who: number, colour: Colour, by: number): void => {
    const own = changes.get(who) ?? new Map<Colour, number>();
    own.set(colour, (own.get(colour) ?? 0) + by);
    changes.set(who, own);
  };
  let home = 0;
  /** The reader's frogs that were moved, each with who moved it last. */
  const moved = new Map<string, number | undefined>();
  const reasons: { code: string; fields: Record<string, unknown> }[] = [];
  let last: GameEvent | null = null;
  for (const event of events) {
    const before: GameEvent | null = last;
    last = event;
    if (isMove(event)) {
      const frog = words.word(event.frog);
      if (event.owner === seat) moved.set(frog, event.seat);
      for (const { lily } of event.legs)
        if (lily === 'black' && event.owner === seat) {
          reasons.push({ code: 'black', fields: { seat: event.seat, frog } });
          moved.delete(frog);
        } else if (lily) change(event.owner, lily, 1);
      if (event.place !== undefined && event.owner === seat) {
        reasons.push({ code: 'arrived', fields: { seat: event.seat, frog, place: event.place } });
        moved.delete(frog);
      }
      if (event.prize) change(event.owner, event.prize, 1);
      home = event.place ?? home;
    } else if (isTrade(event) && event.to === seat) {
      reasons.push({ code: 'traded', fields: { seat: event.seat, give: event.give, take: event.take } });
    } else if (isTrade(event)) {
      for (const [who, gone, come] of [[event.seat, event.give, event.take], [event.to, event.take, event.give]] as const) {
        change(who, gone, -1);
        change(who, come, 1);
      }
    } else if (isDrop(event) && event.seat === seat && before && isMove(before) && before.seat !== seat) {
      reasons.push({ code: 'butterfly', fields: { seat: before.seat, frog: words.word(before.frog), colour: event.colour } });
      moved.delete(words.word(before.frog));
    } else if (isDrop(event)) change(event.seat, event.colour, -1);
  }
  const lilies = (own: Map<Colour, number>, sign: 1 | -1): string[] =>
    COLOURS.flatMap((colour) => {
      const count = sign * (own.get(colour) ?? 0);
      return count > 0 ? [words.message('since', count > 1 ? 'more' : 'one', { count, colour })] : [];
    });
  const gains = [...changes].flatMap(([who, own]) => {
    const [gained, lost] = [lilies(own, 1), lilies(own, -1)];
    const fields = { seat: who, ...(gained.length && { gained }), ...(lost.length && { lost }) };
    return gained.length || lost.length ? [{ code: who === seat ? 'yours' : 'theirs', fields }] : [];
  });
  const [frogs, movers] = [[...moved.keys()].sort(), new Set(moved.values())];
  return [
    ...(home > 1 || (home === 1 && !reasons.some(({ code }) => code === 'arrived')) ? [{ code: 'home', fields: { place: home } }] : []),
    ...reasons,
    ...gains.filter(({ code }) => code === 'yours'),
    ...(frogs.length ? [{ code: 'moved', fields: { ...(movers.size === 1 && { seat: [...movers][0] }), ...(frogs.length === 1 ? { frog: frogs[0] } : { frogs }) } }] : []),
    ...gains.filter(({ code }) => code === 'theirs'),
  ].slice(0, MOST);
}
/** These lines include what happened to the reader, which is therefore not said a second time. */
export const sinceIncludesReader = true;

/** How many frogs are still to move and whose they may be, or that only the pad of a dropped lily is to choose. */
export function asks(view: View, moves: readonly string[]): { code?: string } {
  const { actors, frogs, moves_left: left } = view as MoonView;
  const seat = actors[0];
  const parsed = moves.map(parse);
  const movable = parsed.flatMap((move) => (move.kind === 'move' ? [move.frog] : []));
  if (view.ask === 'move' && movable.length > 0) {
    if (movable.every((frog) => ownerOf(frog) !== seat)) return { code: 'move-others' };
    const free = frogs.some((own, owner) => owner !== seat && own.some(({ moved }) => moved));
    if (left === 2) return { code: free ? 'move-two' : 'move-two-others' };
    return left === 1 ? { code: 'move-last' } : {};
  }
  const dropped = new Set(parsed.flatMap((move) => (move.kind === 'drop' && move.pad !== null ? [move.colour] : [])));
  return view.ask === 'drop' && moves.length > 1 && dropped.size === 1 ? { code: 'drop-where' } : {};
}
