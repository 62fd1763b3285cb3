// Everything that is said about a position or a move.
import type { GameEvent, View } from '../../lib/board';
import type { Beat } from '../../lib/timeline';
import type { Words } from '../../lib/words';
import { card, cardsOf, laid, mayLeadPair } from './cards';
import { bidOf } from './compose';
import { message as messageOf, type Key } from './messages';
import { endsAuction, isBid, isPlay, type BidEvent, type CharumaView, type Kind, type LastTrick, type RoundEvent } from './types';

export type Message = (key: Key, fields?: Record<string, unknown>) => string;
export const messagesIn = (words: Words): Message => (key, fields) => messageOf(words, key, fields);

/** A card in words: "blue 7", "red ace (hidden)". */
export const cardName = (text: string, words: Words): string => words.word(text);
export const cardNames = (texts: string[], words: Words): string => texts.map((text) => cardName(text, words)).join(', ');
const joined = (texts: string[], words: Words): string =>
  texts.map((text) => cardName(text, words)).join(` ${messagesIn(words)('and')} `);

const sorted = (texts: string[]): string[] => laid(texts).map((held) => held.text);

export function describe(move: string, view: View, words: Words): string {
  const message = messagesIn(words);
  const state = view as CharumaView;
  const bid = bidOf(move);
  if (bid) return message('bidFor', { ...bid });
  const parts = move.split(' ');
  const seatAt = (text: string | undefined): number => Number((text ?? 'p1').slice(1)) - 1;
  if (parts[0] === 'first') return words.message('log', 'first', { token_seat: seatAt(parts[1]) });
  if (parts[0] === 'deal') return message('dealt', { card: cardName(parts[1] ?? '', words) });
  if (parts[0] === 'group') return words.message('log', 'group', { to: seatAt(parts[1]), group: parts[2] });
  const cards = cardsOf(move);
  const lead = state.ask === 'lead';
  if (cards.length === 1) return message(lead ? 'lead' : 'play', { card: cardName(cards[0]!, words) });
  const pair = new Set(cards.map((one) => card(one).value)).size === 1;
  const key = lead ? 'leadPair' : pair ? 'playPair' : 'playTwo';
  return message(key, { cards: words.word(cards.join(' ')) });
}

/** Who must follow what and why, or what else is asked, in one sentence. */
export function dutyLine(view: CharumaView, seat: number | null, words: Words, moves: readonly string[] = []): string {
  const message = messagesIn(words);
  const actor = view.actors[0];
  if (actor === undefined || view.phase !== 'tricks') return '';
  const name = words.name(actor);
  const mine = actor === seat;
  if (view.duty) {
    const kind = message(`kind.${view.duty.kind}`);
    return message(mine ? 'dutyYou' : 'dutyOther', { name, kind });
  }
  if (!view.trick) return mine ? message(mayLeadPair(moves) ? 'leadYou' : 'leadOne') : message('leadOther', { name });
  if (mine) return message(`free.${view.trick.led}`);
  return message(view.trick.led.endsWith('pair') ? 'freeOther.two' : 'freeOther.one', { name });
}

/** What the tricks of this round have brought a seat so far: their points and the aces in them. */
export const wonBy = (view: CharumaView, seat: number): number => (view.trick_points[seat] ?? 0) + (view.ace_points?.[seat] ?? 0);

/** That this round is the last one, or may be, and why. What the tricks of the round brought is not paid yet: it is written as a sum. */
export function endLine(view: CharumaView, words: Words): string {
  if (!view.end) return '';
  const { kind, seats } = view.end;
  const sum = (seat: number): string => (wonBy(view, seat) > 0 ? ` (${view.points[seat]} + ${wonBy(view, seat)})` : '');
  const yours = kind !== 'shared' && seats.length === 1 && seats[0] === words.reader;
  return messagesIn(words)(yours ? `end.${kind}You` : `end.${kind}`, {
    round: view.round,
    goal: view.goal,
    seats: seats.map((seat) => words.name(seat)).join(', '),
    reached: yours ? `${view.goal}${sum(seats[0]!)}` : seats.map((seat) => `${words.name(seat)}${sum(seat)}`).join(', '),
  });
}

export const colon = ({ lang }: Words): string => (lang === 'fr' ? '\u00a0:' : ':');

/** Why a trick was won, as a word of the game. */
export const reasonKey = ({ reason, kind }: { reason?: string; kind?: Kind }): string => (reason === 'alone' ? `alone-${kind}` : (reason ?? ''));

export function summary(plain: View, words: Words): string[] {
  const message = messagesIn(words);
  const view = plain as CharumaView;
  const seats = Array.from({ length: view.players }, (_, seat) => seat);
  const lines = [message('sum.round', { round: view.round || 1, goal: view.goal })];
  if (view.end) lines.push(`${endLine(view, words)}.`);
  if (view.over) lines.push(message('sum.over', { names: view.winners.map((seat) => words.name(seat)).join(', ') }));
  else if (view.actors.length) lines.push(message('sum.turn', { names: view.actors.map((seat) => words.name(seat)).join(', ') }));
  if (view.token !== null && !view.over) lines.push(message('sum.token', { name: words.name(view.token) }));
  for (const group of view.groups) {
    const bid = group.owner === null ? message('noBid') : message('bidBy', { amount: group.bid, name: words.name(group.owner) });
    lines.push(message('sum.group', { group: group.name, cards: cardNames(sorted(group.cards), words), bid }));
  }
  if (view.trick) {
    for (const play of view.trick.plays)
      lines.push(message('sum.play', { name: words.name(play.seat), cards: joined(play.cards, words) }));
    lines.push(message('sum.led', { kind: message(`kind.${view.trick.led}`), name: words.name(view.trick.winning) }));
  } else if (view.last_trick) {
    const plays = view.last_trick.plays.map((play) => `${words.name(play.seat)}: ${joined(play.cards, words)}`).join('; ');
    lines.push(message('sum.last', { plays, name: words.name(view.last_trick.winner) }));
  }
  const duty = dutyLine(view, view.seat, words);
  if (duty) lines.push(duty);
  for (const seat of seats) {
    const hand = view.hands[seat];
    lines.push(
      message('sum.points', { name: words.name(seat), points: view.points[seat], tricks: view.tricks[seat], won: wonBy(view, seat) }),
    );
    if (!hand || view.over) continue;
    lines.push(
      message('sum.hand', {
        name: words.name(seat),
        cards: hand.open.length ? cardNames(sorted(hand.open), words) : message('sum.none'),
        hidden: hand.hidden?.length ? cardNames(hand.hidden.map((one) => one.replace('*', '')), words) : hand.hidden_count,
      }),
    );
  }
  return lines;
}

export function anchors(view: View): string[] {
  const ask = view.ask ?? '';
  if (ask.startsWith('follow') || ask.startsWith('play')) return ['follow'];
  if (ask === 'bid') return ['auction'];
  if (ask === 'lead') return ['lead'];
  return [view.over ? 'game-end' : 'round'];
}

/** The table after the last trick of a round: the cards are played, and nothing of the next round lies there yet. */
export const betweenRounds = (view: CharumaView): CharumaView => ({
  ...view,
  phase: 'tricks',
  round: view.round - 1,
  end: null,
  actors: [],
  duty: null,
  groups: [],
  trick: null,
  hands: view.hands.map(() => ({ open: [], hidden_count: 0, hidden: [] })),
});

/** The auction with this bid on its group, before the groups go to the hands. */
export const withBid = (view: CharumaView, { group, seat, amount }: BidEvent): CharumaView => ({
  ...view,
  actors: [],
  groups: view.groups.map((one) => (one.name === group ? { ...one, bid: amount, owner: seat } : one)),
});

/** What the trick that ended a round brought, with its bonus; null where the event was not seen. */
export const worth = (last: LastTrick | null, result: RoundEvent | null): number | null =>
  last && result ? last.points + last.aces + (result.last_trick_points[last.winner] ?? 0) : null;

export const seatScores = (view: View): (number | null)[] => (view as CharumaView).points;

export const TIMES = { play: 560, gather: 450, bid: 560, seal: 900, take: 800, deal: 24, dealt: 420 };
/** Time to look at it afterwards; it takes a moment to understand a complete trick. */
const STAY = { play: 450, trick: 2800, bid: 800, auction: 1400, group: 300 };
/** Cards that are dealt overlap: together they take so long at most. */
export const MOST_DEALING = 1000;

/** A later round is dealt while the result of the one before is looked at. */
export const dealtUnseen = (event: GameEvent): boolean => event.type === 'deal' && Number(event['round']) > 1;

export function beats(events: GameEvent[]): Beat[] {
  const deals = events.filter((event) => event.type === 'deal').length;
  const each = deals ? Math.min(TIMES.deal, MOST_DEALING / deals) : 0;
  return events.map((event, at) => {
    if (dealtUnseen(event)) return { ms: 0, stay: 0 };
    if (isPlay(event)) return { ms: TIMES.play + (event.lead ? TIMES.gather : 0), stay: event.winner === undefined ? STAY.play : STAY.trick };
    if (isBid(event)) return { ms: TIMES.bid + (endsAuction(event) ? TIMES.seal + TIMES.take : 0), stay: endsAuction(event) ? STAY.auction : STAY.bid };
    if (event.type === 'group') return { ms: TIMES.dealt, stay: STAY.group };
    const last = event.type === 'deal' && events[at + 1]?.type !== 'deal';
    return { ms: each + (last ? TIMES.dealt : 0), stay: last ? STAY.group : 0 };
  });
}
