// What was picked so far and what a tap means. The legal texts decide; this only narrows them.
import type { BoardProps } from '../../lib/board';
import * as compose from './compose';
import type { Shown, ShownDie } from './model';
import { parse, type Side } from './moves';
import type { DarumaView } from './types';

type Intent = 'paint' | 'sake' | 'give' | null;

export class Control {
  intent = $state<Intent>(null);
  picked = $state.raw<ReadonlySet<number>>(new Set());
  face = $state<number | null>(null);
  ways = $state.raw<compose.Directions>({});
  gift = $state<string | null>(null);
  side = $state.raw<Side | null>(null);
  /** The die that was tapped last, so that of equal dice the touched one is marked. */
  touched = $state<number | null>(null);

  constructor(
    private props: () => BoardProps<DarumaView>,
    private shown: () => Shown,
  ) {}

  get moves(): string[] {
    return this.props().moves;
  }
  get ask(): string | null {
    return this.props().view.ask;
  }
  get mine(): boolean {
    return this.moves.length > 0;
  }
  get shifting(): boolean {
    return this.mine && (this.ask?.startsWith('shift') ?? false);
  }
  get dice(): ShownDie[] {
    return this.shown().dice;
  }

  group = $derived.by((): compose.PickDie[] => {
    if (!this.shifting || (this.ask === 'shift-multiples' && this.face === null)) return [];
    return compose.shiftGroup(this.moves, this.dice, this.ask === 'shift-multiples' ? this.face : null);
  });
  /** The move that the picked pieces make, if they make one. */
  composed = $derived.by((): string | null => {
    if (!this.mine) return null;
    if (this.shifting) return compose.shiftMove(this.moves, this.group, this.ways);
    return this.ask === 'sake' ? compose.rerollMove(this.moves, this.dice, this.picked) : null;
  });
  places = $derived.by((): Set<number> =>
    this.intent === 'sake' || this.intent === 'give' ? new Set() : compose.paintPlaces(this.moves),
  );
  sakes = $derived.by((): Set<number> =>
    this.intent === 'paint' || this.intent === 'give' ? new Set() : compose.sakeFaces(this.moves),
  );
  gifts = $derived.by((): Set<string> => compose.giftCards(this.moves));
  sides = $derived.by((): Set<string> => compose.swapSides(this.moves, this.side));

  /** A new question: nothing is picked, except what cannot be otherwise. */
  reset(): void {
    this.intent = null;
    this.picked = new Set();
    this.ways = {};
    this.gift = null;
    this.side = null;
    this.touched = null;
    const faces = [...compose.shiftFaces(this.moves)];
    this.face = this.ask === 'shift-multiples' && faces.length === 1 ? faces[0]! : null;
    if (this.shifting) this.ways = compose.obvious(this.moves, this.group, {});
    if (this.mine && this.ask === 'sake' && this.moves.length === 1) this.picked = new Set(this.dice.map((die) => die.id));
  }

  back(): void {
    this.reset();
    if (this.props().chosen !== null) this.props().choose(null);
  }

  /** Legal: it is chosen. Otherwise the table says why not. */
  play(move: string): void {
    const { choose, why, seat } = this.props();
    if (this.moves.includes(move)) choose(move);
    else if (seat !== null) why(move);
  }

  /** A button that names the move was pressed: that is all it takes. */
  commit(move: string): void {
    const { choose, commit = choose } = this.props();
    if (this.moves.includes(move)) commit(move);
    else this.play(move);
  }

  private changed(): void {
    if (this.props().chosen !== null) this.props().choose(null);
  }

  canDie(die: ShownDie): boolean {
    if (!this.mine) return false;
    switch (this.ask) {
      case 'start':
        return true;
      case 'use':
        return die.face === 1 ? this.places.size > 0 : this.sakes.has(die.face);
      case 'sake':
        return true;
      case 'reroll-multiples':
        return compose.valueMove(this.moves, this.dice, die.face) !== null;
      default:
        return this.shifting && compose.shiftFaces(this.moves).has(die.face);
    }
  }

  tapDie(die: ShownDie): void {
    this.touched = die.id;
    switch (this.mine ? this.ask : null) {
      case 'start':
        return this.play('roll');
      case 'sake':
        return this.toggle(die);
      case 'reroll-multiples':
        return this.play(compose.valueMove(this.moves, this.dice, die.face) ?? `reroll ${die.face}`);
      case 'shift-multiples':
      case 'shift-singles':
        return this.turn(die);
      case 'use':
        if (die.face === 1) return this.pickOne();
    }
    this.play(die.face === 1 ? 'paint 1' : `sake ${die.face}`);
  }

  private toggle(die: ShownDie): void {
    const next = new Set(this.picked);
    if (!next.delete(die.id)) next.add(die.id);
    this.picked = next;
    this.changed();
  }

  pickAll(): void {
    const full = this.picked.size === this.dice.length;
    this.picked = new Set(full ? [] : this.dice.map((die) => die.id));
    this.changed();
  }

  private pickOne(): void {
    const open = [...compose.paintPlaces(this.moves)];
    if (open.length < 2) return this.play(`paint ${open[0] ?? 1}`);
    this.changed();
    this.intent = this.intent === 'paint' ? null : 'paint';
  }

  turn(die: ShownDie, up?: boolean): void {
    if (!compose.shiftFaces(this.moves).has(die.face)) return this.props().why(`shift ${die.face}+`);
    if (this.ask === 'shift-multiples' && this.face !== die.face) {
      this.face = die.face;
      this.ways = compose.obvious(this.moves, this.group, {});
      // The tap chose the value; a die with only one way to go has gone it.
      if (up === undefined && this.ways[die.id] !== undefined) return this.changed();
    }
    if (up === undefined) {
      const before = this.ways[die.id];
      this.ways = compose.turned(this.moves, this.group, this.ways, die);
      // It was turned already, and cannot go the other way: say so.
      if (before !== undefined && this.ways[die.id] === before) this.props().why(`shift ${die.face}${before ? '-' : '+'}`);
    }
    else if (compose.ways(this.moves, this.group, this.ways, die).includes(up)) this.ways = { ...this.ways, [die.id]: up };
    else return this.props().why(`shift ${die.face}${up ? '+' : '-'}`);
    this.changed();
  }

  /** All dice of the group one way, where that is legal and some of them could go the other; else undefined. */
  allWays(up: boolean): compose.Directions | undefined {
    const all = Object.fromEntries(this.group.map((die) => [die.id, up]));
    const free = this.group.some((die) => compose.ways(this.moves, this.group, {}, die).length > 1);
    return free && this.group.length > 1 && compose.shiftMove(this.moves, this.group, all) ? all : undefined;
  }

  turnAll(up: boolean): void {
    this.ways = this.allWays(up) ?? this.ways;
    this.changed();
  }

  tapPlace(place: number): void {
    this.intent = this.intent === 'paint' ? 'paint' : null;
    this.play(`paint ${place}`);
  }

  tapSake(): void {
    const faces = [...compose.sakeFaces(this.moves)];
    if (faces.length === 1) return this.play(`sake ${faces[0]}`);
    const chosen = parse(this.props().chosen ?? '');
    if (chosen?.kind === 'sake') return this.play(`sake ${chosen.face}`);
    if (faces.length === 0) return this.play(`sake ${this.dice.find((die) => die.face > 1)?.face ?? 2}`);
    this.intent = this.intent === 'sake' ? null : 'sake';
  }

  /** Where a die can be dropped: darumas and the bottle. */
  dieMoves(die: ShownDie): Map<string, string> {
    const found = new Map<string, string>();
    if (!this.mine || this.ask !== 'use') return found;
    if (die.face === 1) for (const place of compose.paintPlaces(this.moves)) found.set(`place:${place}`, `paint ${place}`);
    if (compose.sakeFaces(this.moves).has(die.face)) found.set('sake', `sake ${die.face}`);
    return found;
  }

  /** A die was dropped where it cannot lie. */
  refused(die: ShownDie, place: string): void {
    const [what, number] = place.split(':');
    if (what === 'sake') this.props().why(`sake ${die.face}`);
    else if (what === 'place') this.props().why(`paint ${number}`);
  }

  /** Where a collected daruma can be dropped: others' shelves, or the one that it is exchanged for. */
  cardMoves(side: Side): Map<string, string> {
    const found = new Map<string, string>();
    if (!this.mine) return found;
    if (this.ask === 'swap')
      for (const [other, move] of compose.swapsWith(this.moves, side)) found.set(`card:${compose.sideKey(other)}`, move);
    else if (this.ask === 'use' && side.card !== null && side.seat === this.props().seat)
      for (const to of compose.giftSeats(this.moves, side.card)) found.set(`shelf:${to}`, `give ${side.card} p${to + 1}`);
    return found;
  }

  startGift(): void {
    this.changed();
    this.intent = this.intent === 'give' ? null : 'give';
    this.gift = this.gifts.size === 1 ? [...this.gifts][0]! : null;
  }

  tapCard(side: Side): void {
    if (this.ask === 'swap' && this.mine) return this.tapSide(side);
    const { seat } = this.props();
    const card = side.card ?? '';
    if (!this.gifts.has(card) || side.seat !== seat) {
      const other = this.props().names.findIndex((_, i) => i !== seat);
      return this.props().why(`give ${card} p${other + 1}`);
    }
    const again = this.intent === 'give' && this.gift === card;
    this.changed();
    this.intent = again ? null : 'give';
    this.gift = again ? null : card;
  }

  get receivers(): Set<number> {
    return this.gift === null ? new Set() : compose.giftSeats(this.moves, this.gift);
  }

  private tapSide(side: Side): void {
    const first = this.side;
    if (first === null || first.seat === side.seat) {
      const again = first !== null && compose.sideKey(first) === compose.sideKey(side);
      this.changed();
      this.side = again ? null : side;
      return;
    }
    const move = compose.swapMove(this.moves, first, side);
    if (move) return this.props().choose(move);
    this.changed();
    this.side = side;
  }
}
