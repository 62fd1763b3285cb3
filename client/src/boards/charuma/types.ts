// The view of Charuma as the server sends it (docs/games/charuma.md).
import type { GameEvent, View } from '../../lib/board';

export type Kind = 'blue' | 'red' | 'blue-pair' | 'red-pair' | 'two-coloured-pair';

export interface Hand {
  open: string[];
  hidden_count: number;
  hidden?: string[];
}
export interface Group {
  name: string;
  cards: string[];
  bid: number | null;
  owner: number | null;
}
export interface Play {
  seat: number;
  cards: string[];
}
export interface Trick {
  leader: number;
  led: Kind;
  plays: Play[];
  winning: number;
}
export interface LastTrick {
  leader: number;
  plays: Play[];
  winner: number;
  points: number;
  aces: number;
  kind: Kind;
  /** Why it was won. */
  reason: string;
}
export interface Duty {
  seat: number;
  kind: Kind;
  cards: string[];
}
/** Why this round is the last one, or may be. */
export interface End {
  kind: 'near' | 'reached' | 'shared';
  seats: number[];
  points: number[];
}
export interface CharumaView extends View {
  phase: 'first' | 'deal' | 'groups' | 'auction' | 'tricks' | 'over';
  duty: Duty | null;
  round: number;
  goal: number;
  /** Absent from a server that is older than the page. */
  end?: End | null;
  token: number | null;
  points: number[];
  groups: Group[];
  hands: Hand[];
  trick: Trick | null;
  last_trick: LastTrick | null;
  tricks: number[];
  trick_points: number[];
  /** Absent from a server that is older than the page. */
  ace_points?: number[];
}

export interface PlayEvent extends GameEvent {
  type: 'play';
  seat: number;
  cards: string[];
  lead: boolean;
  winner?: number;
  points?: number;
  aces?: number;
  kind?: Kind;
  reason?: string;
}
/** The play that ends a round carries what the round brought, per seat. */
export interface RoundEvent extends PlayEvent {
  round: number;
  trick_points: number[];
  ace_points: number[];
  last_trick_points: number[];
  gains: number[];
  totals: number[];
  last_round: boolean;
  token_seat?: number;
  /** The same seat, where it had the token already. */
  keeper_seat?: number;
  champion_seat?: number;
}
export interface BidEvent extends GameEvent {
  type: 'bid';
  seat: number;
  group: string;
  amount: number;
  outbid_seat?: number;
  groups?: string[];
  spent?: number[];
}

export const isPlay = (event: GameEvent): event is PlayEvent => event.type === 'play';
export const isLead = (event: GameEvent): boolean => isPlay(event) && event.lead;
export const isBid = (event: GameEvent): event is BidEvent => event.type === 'bid';
/** The bid after which everybody takes a group. */
export const endsAuction = (event: GameEvent): event is BidEvent => isBid(event) && event.groups !== undefined;
export const isRoundEnd = (event: GameEvent): event is RoundEvent => event.type === 'play' && Array.isArray(event['gains']);
