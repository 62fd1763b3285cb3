// What the log shows by pictures, and what happened to a seat's frogs and lilies.
import type { GameEvent, View } from '../../lib/board';
import { textOf, type Words } from '../../lib/words';
import { parse } from './moves';
import { COLOURS, isDrop, isMove, isTrade, ownerOf, type Colour } from './types';

const LILIES = new Set(['lily', 'second_lily', 'prize', 'give', 'take', 'colour']);

export const glyphs = (field: string, value: unknown): string[] | null =>
  (field === 'frog' || LILIES.has(field)) && typeof value === 'string' ? [value] : null;

const SPECIAL = new Set(['prankster', 'spring', 'butterfly']);

/** What the frog has landed on, where that is more than a leaf. */
export function eventFields(event: GameEvent): Record<string, unknown> {
  const kind = isMove(event) ? event.legs.at(-1)?.kind : undefined;
  return kind && SPECIAL.has(kind) ? { special: kind } : {};
}

export function toYou(event: GameEvent, seat: number): Record<string, unknown> | null {
  if (event.seat === seat) return null;
  if (isMove(event)) return event.owner === seat ? eventFields(event) : null;
  return isTrade(event) && event.to === seat ? {} : null;
}

/** What is happening, before it is told what came of it. */
export function meanwhile(event: GameEvent, words: Words): string {
  if (!isMove(event) && !isTrade(event) && !isDrop(event)) return '';
  const { seat, owner, frog } = event as GameEvent;
  const section = words.reader !== null && toYou(event, words.reader) ? 'you' : 'story';
  return textOf(words.parts(section, event.type, isMove(event) ? { seat, owner, frog } : event));
}

/** The lilies that each player gained and lost, the reader's first, and which of the reader's frogs were moved. */
export function since(events: readonly GameEvent[], seat: number | null, words: Words): { code: string; fields: Record<string, unknown> }[] {
  const changes = new Map<number, { gained: Colour[]; lost: Colour[] }>();
  const change = (who: number, how: 'gained' | 'lost', colour: Colour): void => {
    const own = changes.get(who) ?? { gained: [], lost: [] };
    own[how].push(colour);
    changes.set(who, own);
  };
  const moved = new Set<string>();
  const movers = new Set<number>();
  for (const event of events)
    if (isMove(event)) {
      if (event.owner === seat) {
        moved.add(words.word(event.frog));
        if (event.seat !== undefined) movers.add(event.seat);
      }
      for (const { lily } of event.legs) if (lily) change(event.owner, 'gained', lily);
      if (event.prize) change(event.owner, 'gained', event.prize);
    } else if (isTrade(event)) {
      for (const [who, gone, come] of [[event.seat, event.give, event.take], [event.to, event.take, event.give]] as const) {
        change(who, 'lost', gone);
        change(who, 'gained', come);
      }
    } else if (isDrop(event)) change(event.seat, 'lost', event.colour);
  const lilies = (colours: Colour[]): string[] =>
    COLOURS.flatMap((colour) => {
      const count = colours.filter((one) => one === colour).length;
      return count ? [words.message('since', count > 1 ? 'more' : 'one', { count, colour })] : [];
    });
  const told = [...changes].map(([who, { gained, lost }]) => ({
    code: who === seat ? 'yours' : 'theirs',
    fields: { seat: who, ...(gained.length && { gained: lilies(gained) }), ...(lost.length && { lost: lilies(lost) }) },
  }));
  const frogs = [...moved].sort();
  return [
    ...told.filter(({ code }) => code === 'yours'),
    ...(frogs.length ? [{ code: 'moved', fields: { ...(movers.size === 1 && { seat: [...movers][0] }), ...(frogs.length === 1 ? { frog: frogs[0] } : { frogs }) } }] : []),
    ...told.filter(({ code }) => code === 'theirs'),
  ];
}
/** These lines tell all of it: what happened to the reader is not said a second time. */
export const sinceTellsAll = true;

export function asks(view: View, moves: readonly string[]): { code?: string } {
  const seat = view.actors[0];
  const frogs = moves.map(parse).flatMap((move) => (move.kind === 'move' ? [move.frog] : []));
  return view.ask === 'move' && frogs.length > 0 && frogs.every((frog) => ownerOf(frog) !== seat) ? { code: 'move-others' } : {};
}
