// The game log: events as sentences made of parts, grouped by turn.
import type { BoardModule, GameEvent } from './board';
import { isSeat, textOf, type Part, type Words } from './words';

/** An event as the parts of a sentence, in the second person if it happens to the reader; empty if the game has no text for it. */
export function parts(event: GameEvent, events: readonly GameEvent[], board: BoardModule | null, words: Words): Part[] {
  const yours = toYou(event, words.reader, board, words);
  if (yours) return yours;
  const fields = { ...event, ...board?.eventFields?.(event, events) };
  return words.parts(words.has('story', event.type) ? 'story' : 'log', event.type, fields);
}

export const sentence = (event: GameEvent, events: readonly GameEvent[], board: BoardModule | null, words: Words): string =>
  textOf(parts(event, events, board, words));

/** What an event does to this seat, in the second person; null if nothing. */
export function toYou(event: GameEvent, seat: number | null, board: BoardModule | null, words: Words): Part[] | null {
  if (seat === null) return null;
  const fields = board?.toYou?.(event, seat);
  return fields && words.has('you', event.type) ? words.parts('you', event.type, { ...event, ...fields }) : null;
}

/** What has happened since this seat's last move, in one line: first what happened to it, then what the others gained. */
export function since(trail: readonly GameEvent[], seat: number | null, board: BoardModule | null, words: Words): string {
  const mine = (board?.sinceIncludesReader ? [] : trail).flatMap((event) => {
    const pieces = toYou(event, seat, board, words);
    return pieces ? [textOf(pieces)] : [];
  });
  const others = (board?.since?.(trail, seat, words) ?? []).map(({ code, fields }) => words.message('since', code, fields));
  const line = others.join(words.lang === 'fr' ? '\u202f; ' : '; ');
  return [...mine.slice(-3), ...(line ? [`${line.charAt(0).toLocaleUpperCase(words.lang)}${line.slice(1)}.`] : [])].join(' ');
}

/** The question, limited to what the legal moves allow: the kinds of moves on offer, or a single question. */
export function question(view: { ask: string | null }, moves: readonly string[], board: BoardModule | null, words: Words): { offers: string[] } | { code: string; fields: Record<string, unknown> } {
  const offers = [...new Set(moves.map((move) => move.split(' ')[0]!))];
  if (offers.length > 0 && offers.every((kind) => words.own['offer']?.[kind] !== undefined)) return { offers };
  const { code = view.ask ?? '', fields = {} } = board?.asks?.(view as never, moves) ?? {};
  return { code, fields };
}

export function prompt(view: { ask: string | null }, moves: readonly string[], board: BoardModule | null, words: Words, fields: Record<string, unknown>): string {
  if (view.ask === null) return '';
  const asked = question(view, moves, board, words);
  if ('code' in asked) return words.message('ask', asked.code, { ...fields, ...asked.fields });
  const offers = asked.offers.map((kind) => words.message('offer', kind));
  const text = new Intl.ListFormat(words.lang, { type: 'disjunction' }).format(offers);
  return `${text.charAt(0).toLocaleUpperCase(words.lang)}${text.slice(1)}.`;
}

/** What another player is doing; empty if the game has no text for it. The text may name the seats that the view names. */
export function waiting(view: { ask: string | null }, seats: readonly number[], words: Words): string {
  if (view.ask === null || !words.has('wait', view.ask)) return '';
  const named = Object.fromEntries(Object.entries(view).filter(([key]) => isSeat(key)));
  return words.message('wait', view.ask, { ...named, seats, ...(seats.length === 1 ? { sole_seat: seats[0] } : {}) });
}

export interface Block {
  /** Whose turn it is; null if not a single seat's. */
  seat: number | null;
  events: GameEvent[];
  /** A long run of chance events (a deal, the set-up), collapsed by default. */
  setup: boolean;
}

const owner = (event: GameEvent): number | null => event.seat ?? (event['owner'] as number | undefined) ?? null;

/** The least number of consecutive chance events that are collapsed. */
const LONG = 4;

export function blocks(events: readonly GameEvent[], board: BoardModule | null): Block[] {
  const found: Block[] = [];
  let from = 0;
  while (from < events.length) {
    let to = from;
    while (to < events.length && owner(events[to]!) === null) to += 1;
    if (to - from >= LONG) found.push({ seat: null, events: events.slice(from, to), setup: true });
    else to = from;
    const event = events[to];
    from = to + 1;
    if (event === undefined) break;
    const last = found.at(-1);
    const seat = board?.opens ? null : owner(event);
    const fresh = !last || last.setup || (board?.opens ? board.opens(event, last.events) : seat !== null && seat !== last.seat);
    if (fresh) found.push({ seat, events: [event], setup: false });
    else last.events.push(event);
  }
  return found;
}

/** The events without the moves that were taken back, the chance that followed those, and the take-backs. */
export function standing(events: readonly GameEvent[]): GameEvent[] {
  const found: GameEvent[] = [];
  for (const event of events) {
    if (event.type !== 'undo') found.push(event);
    else for (let moves = Number(event['moves']); moves > 0 && found.length > 0; ) if (found.pop()!.seat !== undefined) moves -= 1;
  }
  return found;
}
