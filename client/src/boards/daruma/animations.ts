// Events as animation steps: things lift off, fly, and land. Pure, so that it can be tested without a screen.
import type { GameEvent } from '../../lib/board';
import type { Beat } from '../../lib/timeline';
import { ALL_DICE, freshDice, laid, newDie, sorted, type Shown, type ShownDie } from './model';

/** A thing under way from one spot (`data-spot`) to another; spots are measured before anything lifts off. */
export interface Flight {
  die?: number;
  phantom?: boolean;
  card?: string;
  from: string;
  to: string;
}
export interface AnimationStep {
  ms: number;
  /** It has to be read: a quick pace does not shorten it. */
  steady?: boolean;
  /** It comes after the pause to look at the event: the next turn begins. */
  after?: boolean;
  lift?: (shown: Shown) => Shown;
  flights?: (shown: Shown) => Flight[];
  land?: (shown: Shown) => Shown;
}

export const PACE = { roll: 800, fly: 520, paint: 520, pupil: 380, hop: 560, banner: 1500, card: 300, sweep: 520, shift: 560, pick: 420 };
/** Time to look at what an event has done. */
const STAY: Record<string, number> = { roll: 900, paint: 800, sake: 300, reroll: 0, shift: 900, give: 900, swap: 1000, stop: 900, sweep: 500, draw: 120 };
/** A turn has ended: what came of it can be read before the next dice roll. */
const TURN = 1100;

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const seatOf = (event: GameEvent): number => Number(event.seat ?? event['owner'] ?? 0);

/** Takes dice with these faces out; what cannot be found is made, so that the count is right. */
function take(dice: ShownDie[], faces: number[]): [ShownDie[], ShownDie[]] {
  const rest = [...dice];
  const taken = faces.map((face) => {
    const at = rest.findIndex((die) => die.face === face && !die.rolling);
    return at < 0 ? newDie(face) : rest.splice(at, 1)[0]!;
  });
  return [taken, rest];
}

/** One die of this face leaves the row. */
function leaves(shown: Shown, face: number): Shown {
  const at = shown.dice.findIndex((die) => die.face === face && !die.rolling);
  return { ...shown, dice: shown.dice.map((die, i) => (i === at ? { ...die, away: true } : die)) };
}

function toRoll(shown: Shown, faces: number[]): Shown {
  const [taken, rest] = take(shown.dice, faces);
  return { ...shown, dice: [...rest, ...taken.map((die) => ({ ...die, rolling: true }))] };
}

const replace = <T>(list: T[], at: number, value: T): T[] => list.map((one, i) => (i === at ? value : one));

function without(cards: string[], card: string): string[] {
  const at = cards.indexOf(card);
  return at < 0 ? cards : cards.filter((_, i) => i !== at);
}

function roll(event: GameEvent): AnimationStep[] {
  const faces = numbers(event['dice']);
  const good = event['luck'] === 'good-fortune';
  const steps: AnimationStep[] = [
    {
      ms: PACE.roll,
      lift: (shown) => {
        let waiting = shown.dice.filter((die) => die.rolling);
        let rest = shown.dice.filter((die) => !die.rolling);
        if (waiting.length !== faces.length) {
          if (faces.length === ALL_DICE) rest = [];
          waiting = faces.map((_, i) => waiting[i] ?? newDie(0, true));
        }
        const rolled = waiting.map((die, i) => ({ ...die, face: faces[i]!, rolls: die.rolls + 1, rolling: false }));
        return { ...shown, dice: [...rest, ...rolled], banner: null };
      },
      land: (shown) => ({ ...shown, dice: sorted(shown.dice) }),
    },
  ];
  if (good)
    steps.push({
      ms: PACE.banner,
      lift: (shown) => ({ ...shown, banner: 'good-fortune' }),
      land: (shown) => toRoll({ ...shown, banner: null }, faces),
    });
  const fours = Number(event['fours'] ?? 0);
  if (fours > 0)
    steps.push({
      ms: PACE.fly,
      flights: (shown) =>
        shown.dice
          .filter((die) => die.face === 4)
          .map((die, i) => ({ die: 4, from: `die:${die.id}`, to: `ledger:${Math.min(3, shown.fours + shown.fictive + i)}` })),
      lift: (shown) => ({ ...shown, dice: shown.dice.map((die) => (die.face === 4 ? { ...die, away: true } : die)) }),
      land: (shown) => ({ ...shown, dice: shown.dice.filter((die) => die.face !== 4), fours: shown.fours + fours }),
    });
  return steps;
}

function paint(event: GameEvent): AnimationStep[] {
  const at = Number(event['place']) - 1;
  const rolled = numbers(event['rolled']);
  return [
    {
      ms: PACE.fly,
      flights: (shown) => {
        const die = shown.dice.find((one) => one.face === 1);
        const eye = shown.places[at]?.eyes.findIndex((one) => one.state === 'none') ?? 0;
        return die ? [{ die: 1, from: `die:${die.id}`, to: `eye:${at + 1}:${eye}` }] : [];
      },
      lift: (shown) => leaves(shown, 1),
      land: (shown) => {
        const place = shown.places[at];
        if (!place) return shown;
        const eye = place.eyes.findIndex((one) => one.state === 'none');
        const painted = { ...place, eyes: replace(place.eyes, eye, { state: 'die' as const, fresh: true }) };
        return { ...shown, dice: take(shown.dice, [1])[1], places: replace(shown.places, at, painted) };
      },
    },
    {
      ms: PACE.paint,
      flights: (shown) =>
        event['effect'] === 'fictive-four' ? [{ die: 4, phantom: true, from: `eye:${at + 1}:1`, to: `ledger:${Math.min(3, shown.fours + shown.fictive)}` }] : [],
      land: (shown) => {
        const next = event['effect'] === 'fictive-four' ? { ...shown, fictive: shown.fictive + 1 } : shown;
        return rolled.length ? toRoll(next, rolled) : next;
      },
    },
  ];
}

function draw(event: GameEvent): AnimationStep[] {
  const card = String(event['card']);
  const down = (shown: Shown): Shown => ({ ...shown, pile: Math.max(0, shown.pile - 1) });
  if (event['place'] !== undefined) {
    const at = Number(event['place']) - 1;
    return [
      {
        ms: PACE.card,
        lift: down,
        flights: () => [{ card, from: 'pile', to: `place:${at + 1}` }],
        land: (shown) => ({ ...shown, places: replace(shown.places, at, laid(card)) }),
      },
    ];
  }
  const to = Number(event['to']);
  return [
    {
      ms: PACE.fly + 120,
      lift: down,
      flights: () => [{ card, from: 'pile', to: `shelf:${to}` }],
      land: (shown) => ({ ...shown, collections: replace(shown.collections, to, [...(shown.collections[to] ?? []), card]) }),
    },
  ];
}

/** One daruma, or two, from shelf to shelf. */
function trade(ways: { from: number; to: number; card: string }[]): AnimationStep {
  return {
    ms: PACE.fly + 100,
    flights: () => ways.map(({ from, to, card }) => ({ card, from: `shelf:${from}`, to: `shelf:${to}` })),
    lift: (shown) => ({
      ...shown,
      collections: ways.reduce((all, { from, card }) => replace(all, from, without(all[from] ?? [], card)), shown.collections),
    }),
    land: (shown) => ({
      ...shown,
      collections: ways.reduce((all, { to, card }) => replace(all, to, [...(all[to] ?? []), card]), shown.collections),
    }),
  };
}

function own(event: GameEvent): AnimationStep[] {
  const seat = seatOf(event);
  switch (event.type) {
    case 'roll':
      return roll(event);
    case 'paint':
      return paint(event);
    case 'draw':
      return draw(event);
    case 'sweep':
      return [
        {
          ms: PACE.sweep,
          flights: (shown) =>
            shown.places.flatMap((place, i) => (place ? [{ card: place.card, from: `place:${i + 1}`, to: 'pile' }] : [])),
          lift: (shown) => ({ ...shown, places: shown.places.map(() => null) }),
          land: (shown) => ({ ...shown, pile: shown.pile + texts(event['cards']).length }),
        },
      ];
    case 'sake': {
      const face = Number(event['face']);
      return [
        {
          ms: PACE.fly,
          flights: (shown) => {
            const die = shown.dice.find((one) => one.face === face);
            return die ? [{ die: face, from: `die:${die.id}`, to: 'sake' }] : [];
          },
          lift: (shown) => leaves(shown, face),
          land: (shown) => ({ ...shown, dice: take(shown.dice, [face])[1], sake: [...shown.sake, face].sort() }),
        },
      ];
    }
    case 'reroll':
      return [{ ms: PACE.pick, lift: (shown) => toRoll(shown, numbers(event['dice'])) }];
    case 'shift': {
      const become = numbers(event['become']);
      return [
        {
          ms: PACE.shift,
          lift: (shown) => {
            const [taken, rest] = take(shown.dice, numbers(event['dice']));
            const turned = taken.map((die, i) => ({ ...die, face: become[i] ?? die.face }));
            return { ...shown, dice: [...rest, ...turned] };
          },
          land: (shown) => ({ ...shown, dice: sorted(shown.dice) }),
        },
      ];
    }
    case 'give': {
      const card = String(event['card']);
      const gift = trade([{ from: seat, to: Number(event['to']), card }]);
      const free: AnimationStep = {
        ms: 120,
        land: (shown) => ({ ...shown, fours: Math.max(0, shown.fours - 1), dice: [...shown.dice, newDie(4, true)] }),
      };
      return [gift, free];
    }
    case 'swap': {
      const [one, other] = [Number(event['one_seat']), Number(event['other_seat'])];
      const ways = [];
      if (event['one_card']) ways.push({ from: one, to: other, card: String(event['one_card']) });
      if (event['other_card']) ways.push({ from: other, to: one, card: String(event['other_card']) });
      return [trade(ways)];
    }
    default:
      return [];
  }
}

const cleared = (shown: Shown): Shown => ({ ...shown, dice: [], fours: 0, fictive: 0, sake: [], cracked: false, banner: null });

/** What an event brought about: bad luck, darumas taken, pupils, the counter's walk, the next player. */
function tail(event: GameEvent): AnimationStep[] {
  const steps: AnimationStep[] = [];
  if (event['luck'] === 'bad-luck')
    steps.push({
      ms: PACE.banner + 300,
      steady: true,
      lift: (shown) => ({ ...shown, cracked: true, banner: 'bad-luck' }),
      land: (shown) => ({
        ...cleared(shown),
        places: shown.places.map((place) =>
          place
            ? { ...place, eyes: place.eyes.map((eye) => (eye.state === 'die' ? { state: 'none', fresh: false } : eye)) }
            : null,
        ),
      }),
    });
  const places = numbers(event['taken_places']);
  const cards = texts(event['taken']);
  const seat = seatOf(event);
  if (places.length)
    steps.push({
      ms: PACE.fly + 140,
      flights: () => places.map((place, i) => ({ card: cards[i] ?? '', from: `place:${place}`, to: `shelf:${seat}` })),
      lift: (shown) => ({ ...shown, places: shown.places.map((place, i) => (places.includes(i + 1) ? null : place)) }),
      land: (shown) => ({
        ...shown,
        collections: replace(shown.collections, seat, [...(shown.collections[seat] ?? []), ...cards]),
      }),
    });
  const pupils = numbers(event['pupils_on']);
  if (pupils.length)
    steps.push({
      ms: PACE.pupil,
      lift: (shown) => ({
        ...shown,
        places: shown.places.map((place, i) =>
          place && pupils.includes(i + 1)
            ? { ...place, eyes: place.eyes.map((eye) => (eye.state === 'die' ? { state: 'pupil', fresh: true } : eye)) }
            : place,
        ),
      }),
    });
  if (event['counter'] !== undefined) {
    const counter = Number(event['counter']);
    const from = Number(event['counter_from'] ?? counter);
    steps.push({
      ms: PACE.hop,
      lift: (shown) => ({ ...shown, counter, backwards: counter === from ? shown.backwards : counter < from }),
    });
  }
  const banner = event['scores'] !== undefined ? 'game-end' : Number(event['turns_left'] ?? 0) > 0 ? 'last-turns' : null;
  if (banner)
    steps.push({
      ms: PACE.banner,
      steady: true,
      lift: (shown) => ({ ...shown, banner }),
      land: (shown) => ({ ...shown, banner: null }),
    });
  if (event['next_seat'] !== undefined)
    steps.push({
      ms: 0,
      after: true,
      land: (shown) => ({
        ...cleared(shown),
        turn: Number(event['next_seat']),
        fictive: Number(event['fictive'] ?? 0),
        dice: freshDice(),
      }),
    });
  return steps;
}

/** The steps of one event. */
export const animations = (event: GameEvent): AnimationStep[] => [...own(event), ...tail(event)];

const whole = (list: AnimationStep[], steady: boolean): number => list.reduce((sum, step) => sum + (Boolean(step.steady) === steady ? step.ms : 0), 0);

export const beats = (events: GameEvent[]): Beat[] =>
  events.map((event) => {
    const steps = animations(event);
    const stay = Math.max(STAY[event.type] ?? 0, event['next_seat'] === undefined ? 0 : TURN);
    // What is rolled is said once the dice lie still, everything else while it happens.
    return { ms: whole(steps, false), steady: whole(steps, true), stay, captioned: event.type === 'roll' ? PACE.roll : 0 };
  });
