// What the board shows at one moment. Between two views the events are played on it step by step;
// at the end it always settles on the view itself, so a step can be wrong for a moment but never for long.
import type { GameEvent } from '../../lib/board';
import type { DarumaView, EyeState } from './types';
import { actionOf, colourOf } from './types';

export interface ShownDie {
  id: number;
  /** 0: not rolled yet. */
  face: number;
  /** Counts the rolls of this die; a new number lets it tumble. */
  rolls: number;
  /** Waits for its roll. */
  rolling: boolean;
  /** On its way to another spot: its place in the row stays empty until it lands. */
  away?: boolean;
}
export interface ShownEye {
  state: EyeState;
  /** Just painted: the brush stroke is drawn. */
  fresh: boolean;
}
export interface ShownPlace {
  card: string;
  colour: string;
  action: string;
  eyes: ShownEye[];
  /** Just laid out. */
  fresh: boolean;
}
export interface Shown {
  dice: ShownDie[];
  fours: number;
  fictive: number;
  sake: number[];
  places: (ShownPlace | null)[];
  pile: number;
  counter: number;
  backwards: boolean;
  /** The steps the rabbit still has to go. */
  steps: number;
  /** Once it is home: the turns that are left. */
  turns: number | null;
  /** This may be everybody's last turn. */
  mayEnd: boolean;
  collections: string[][];
  turn: number | null;
  cracked: boolean;
  banner: 'good-fortune' | 'bad-luck' | 'last-turns' | 'game-end' | null;
}

export const ALL_DICE = 8;
let lastId = 0;

export const newDie = (face: number, rolling = false): ShownDie => ({ id: ++lastId, face, rolls: 0, rolling });
export const freshDice = (): ShownDie[] => Array.from({ length: ALL_DICE }, () => newDie(0, true));
export const sorted = (dice: ShownDie[]): ShownDie[] =>
  [...dice].sort((a, b) => (a.face || 9) - (b.face || 9) || a.id - b.id);

/** The dice of a view; dice that were there before keep who they are. */
function keepDice(view: DarumaView, before: ShownDie[]): ShownDie[] {
  if (view.phase === 'start') {
    const blank = before.filter((die) => die.face === 0);
    return blank.length === ALL_DICE ? blank : freshDice();
  }
  const rest = [...before];
  const kept = view.dice.map((face) => {
    const at = rest.findIndex((die) => die.face === face);
    const [found] = at < 0 ? [] : rest.splice(at, 1);
    return { ...(found ?? newDie(face)), rolling: false };
  });
  return sorted(kept);
}

export function settle(view: DarumaView, before: Shown | null): Shown {
  return {
    dice: keepDice(view, before?.dice ?? []),
    fours: view.ledger.fours,
    fictive: view.ledger.fictive,
    sake: view.sake,
    places: view.places.map((place) =>
      place ? { ...place, eyes: place.eyes.map((state) => ({ state, fresh: false })), fresh: false } : null,
    ),
    pile: view.pile,
    counter: view.counter,
    backwards: view.backwards,
    steps: view.steps_left,
    turns: view.turns_left,
    mayEnd: view.may_end,
    collections: view.collections,
    turn: view.turn,
    cracked: false,
    banner: null,
  };
}

/** The table before the darumas were laid out, if the events that led to this view begin there. */
export function bare(view: DarumaView, events: readonly GameEvent[]): Shown | null {
  const setup = events.some((event) => event['why'] === 'setup');
  const drawn = events.filter((event) => event.type === 'draw').length;
  return setup ? { ...settle(view, null), dice: freshDice(), fours: 0, places: view.places.map(() => null), pile: view.pile + drawn } : null;
}

export const laid = (card: string): ShownPlace => ({
  card,
  colour: colourOf(card),
  action: actionOf(card),
  eyes: [
    { state: 'none', fresh: false },
    { state: 'none', fresh: false },
  ],
  fresh: true,
});
