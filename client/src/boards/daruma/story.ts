// What the log shows by pictures, and what happened to a seat or was gained meanwhile.
import type { GameEvent } from '../../lib/board';
import type { Words } from '../../lib/words';
import { ALL_DICE } from './model';
import { colourOf } from './types';

const DICE = new Set(['dice', 'face', 'become', 'phantom', 'spent', 'again']);
const CARDS = new Set(['card', 'taken', 'unpainted', 'one_card', 'other_card', 'lost', 'gained']);

export function glyphs(field: string, value: unknown): string[] | null {
  if (!DICE.has(field) && !CARDS.has(field)) return null;
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** A gift, or an exchange by somebody else that this seat is a part of. */
export function toYou(event: GameEvent, seat: number): Record<string, unknown> | null {
  if (event.seat === seat) return null;
  if (event.type === 'give') return event['to'] === seat ? {} : null;
  if (event.type !== 'swap') return null;
  const here = event['one_seat'] === seat ? 'one' : event['other_seat'] === seat ? 'other' : null;
  if (here === null) return null;
  const there = here === 'one' ? 'other' : 'one';
  const partner = event[`${there}_seat`];
  return { lost: event[`${here}_card`], gained: event[`${there}_card`], ...(partner === event.seat ? {} : { partner_seat: partner }) };
}

const gained = (event: GameEvent): number =>
  (Array.isArray(event['taken']) ? event['taken'].length : 0) + (event.type === 'draw' && event['to'] !== undefined ? 1 : 0);

/** Whose shelf an event adds to. */
export const gainer = (event: GameEvent): number => Number(event.type === 'draw' ? event['to'] : (event.seat ?? event['owner']));

/** A daruma that went from one player to another, or two that changed places. */
function passed(event: GameEvent): { seats: number[]; code: string; fields: Record<string, unknown> } | null {
  const went = (card: unknown, from: unknown, to: unknown) => ({ seats: [Number(from), Number(to)], code: 'went', fields: { colour: colourOf(String(card)), from_seat: from, to_seat: to } });
  if (event.type === 'give') return went(event['card'], event.seat, event['to']);
  if (event.type !== 'swap') return null;
  const { one_seat, one_card, other_seat, other_card } = event as Record<string, unknown>;
  if (!other_card) return went(one_card, one_seat, other_seat);
  if (!one_card) return went(other_card, other_seat, one_seat);
  return { seats: [Number(one_seat), Number(other_seat)], code: 'exchanged', fields: { one_seat, other_seat, one_colour: colourOf(String(one_card)), other_colour: colourOf(String(other_card)) } };
}

export function since(events: readonly GameEvent[], seat: number | null): { code: string; fields: Record<string, unknown> }[] {
  const found: { code: string; fields: Record<string, unknown> }[] = [];
  const own: typeof found = [];
  const count = new Map<number, number>();
  const unlucky = new Set<number>();
  for (const event of events) {
    const who = gainer(event);
    if (gained(event) > 0) count.set(who, (count.get(who) ?? 0) + gained(event));
    if (event['luck'] === 'bad-luck' && who === seat) own.push({ code: 'lost', fields: {} });
    else if (event['luck'] === 'bad-luck') unlucky.add(who);
    const between = passed(event);
    // What the reader gave or got is said by `toYou`.
    if (between && (seat === null || !between.seats.includes(seat))) found.push({ code: between.code, fields: between.fields });
    // Once the rabbit is home everybody who is still asked plays their last turn.
    if (event['finishing']) own.push({ code: 'last-turn', fields: {} });
  }
  const took = [...count].filter(([who]) => who !== seat).map(([who, many]) => ({ code: 'took', fields: { seat: who, count: many } }));
  return [...own, ...took, ...(unlucky.size ? [{ code: 'bad-luck', fields: { seats: [...unlucky] } }] : []), ...found];
}

/** The darumas that came to each shelf. */
export function fresh(trail: readonly GameEvent[], owner: number): string[] {
  return trail.flatMap((event) => {
    if (event.type === 'give' && event['to'] === owner) return [String(event['card'])];
    const own = gainer(event) === owner;
    const traded =
      event.type !== 'swap' ? [] : event['one_seat'] === owner ? [event['other_card']] : event['other_seat'] === owner ? [event['one_card']] : [];
    return [...traded, ...(own && Array.isArray(event['taken']) ? event['taken'] : []), ...(own && event.type === 'draw' ? [event['card']] : [])].filter(
      (card): card is string => typeof card === 'string',
    );
  });
}

/** Whether the sign of the daruma painted does something to dice or shelves. */
const acts = (event: GameEvent | undefined): event is GameEvent =>
  event?.type === 'paint' && event['effect'] !== 'none' && event['effect'] !== 'fictive-four';

/** Whether the dice are rolled again after good fortune: the turn began before it. */
const rolledAgain = (event: GameEvent, events: readonly GameEvent[]): boolean =>
  events.findLast(({ index, type }) => index < event.index && type !== 'draw')?.['luck'] === 'good-fortune';

/** The event just before or after another one, if it is of that type. */
function neighbour(event: GameEvent, events: readonly GameEvent[], way: 1 | -1, type: string): GameEvent | null {
  const found = events.find(({ index }) => index === event.index + way);
  return found?.type === type ? found : null;
}

/** What was chosen to be rolled again, and the die that the sake bottle took for it. */
function sipped(roll: GameEvent, events: readonly GameEvent[]): Record<string, unknown> {
  const reroll = neighbour(roll, events, -1, 'reroll');
  if (!reroll) return {};
  const sake = neighbour(reroll, events, -1, 'sake');
  return { again: reroll['dice'], ...(sake ? { spent: sake['face'] } : {}) };
}

/** The roll says what was put on the bottle and rolled again for it. */
export function coveredLater(event: GameEvent, events: readonly GameEvent[]): boolean {
  const next = event.type === 'sake' ? neighbour(event, events, 1, 'reroll') : event;
  return next?.type === 'reroll' && neighbour(next, events, 1, 'roll') !== null;
}

/** A turn begins: until the dice lie still, only that is said. */
export const meanwhile = (event: GameEvent, words: Words): string =>
  event.type === 'roll' && Array.isArray(event['dice']) && event['dice'].length === ALL_DICE ? words.message('story', 'rolling', event) : '';

/** The rabbit comes home, or the game ends. */
export const landmark = (event: GameEvent): boolean => event['finishing'] === true || event['scores'] !== undefined;

/** The sign that acts, and what it means that the rabbit is home; the phantom 4 that a turn begins with is mentioned once. */
export function eventFields(event: GameEvent, events: readonly GameEvent[]): Record<string, unknown> {
  const ends = event['scores'] !== undefined || event['turns_left'] === 0;
  if (event.type === 'roll' && event['phantom'] && rolledAgain(event, events)) return { phantom: undefined };
  if (event.type === 'roll') return sipped(event, events);
  if (event.type === 'keep') return neighbour(event, events, -1, 'draw') ? { kept: 'new-row' } : {};
  return { ...(acts(event) ? { acts: event['action'] } : {}), ...(event['finishing'] ? { home: ends ? 'game-end' : 'last-turns' } : {}) };
}

/** The place of the daruma whose sign is acting: what it brings is still chosen, or on its way; 0: none. */
export function acting(history: readonly GameEvent[]): number {
  const last = history.at(-1);
  const paint = last?.type === 'reroll' ? history.at(-2) : last;
  return acts(paint) ? Number(paint['place']) : 0;
}

/** The bad luck that ended a seat's last turn: its own last move may have brought it, or what came after. */
export function ownBadLuck(history: readonly GameEvent[], trail: readonly GameEvent[], seat: number | null): GameEvent | null {
  const from = trail[0]?.index ?? Infinity;
  const last = history.findLast((event) => event.index < from);
  return [...(last ? [last] : []), ...trail].find((event) => event['luck'] === 'bad-luck' && gainer(event) === seat) ?? null;
}
