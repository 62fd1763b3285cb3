// Before the game: taking the seat this person came for, giving nonces for the dice, and starting.
import { Refused, type Connection } from './connection';
import { nonce, remember } from './fairness';
import type { TableInfo, You } from './protocol';

/** What to do at an open table once it has loaded. */
export interface Intent {
  /** Start as soon as everyone is there. */
  start: boolean;
  /** Take this seat (or another, if it has been taken). */
  sit: number | null;
}

/** The part of the table that the start depends on. */
interface Open {
  readonly id: string;
  readonly table: TableInfo | null;
  readonly you: You | null;
  readonly mine: number[];
}

export class Preparation {
  private intent = $state<Intent>({ start: false, sit: null });
  private preparing = false;

  constructor(
    private readonly at: Open,
    private readonly connection: Connection,
    intent: Intent,
  ) {
    this.intent = intent;
  }

  /** The game starts automatically when the others are back. */
  get gathering(): boolean {
    return this.intent.start && (this.at.you?.host ?? false);
  }

  /** The game is about to start: everyone expected is seated, and the others have given their nonces. */
  get starting(): boolean {
    const { table, mine } = this.at;
    const ready = table?.seats.every(({ kind }, i) => kind === 'bot' || (kind === 'person' && (mine.includes(i) || !!table.fairness.nonces[i])));
    return this.gathering && (ready ?? false);
  }

  /** Give our nonces, now that the commitment is known; then carry out the intent. */
  async prepare(): Promise<void> {
    if (this.preparing || this.at.table?.status !== 'open') return;
    this.preparing = true;
    try {
      if (this.intent.sit !== null) await this.sitDown();
      for (let seat = this.withoutNonce(); seat !== undefined; seat = this.withoutNonce()) {
        const given = nonce();
        await this.connection.request({ type: 'nonce', nonce: given, seat });
        remember(this.at.id, this.at.table.fairness.commitment, seat, given);
      }
      if (this.starting) {
        await this.connection.request({ type: 'start' });
        this.intent = { ...this.intent, start: false };
      }
    } catch (refused) {
      // Another device of this person was faster, or the game has started in the meantime.
      if (!(refused instanceof Refused)) throw refused;
    } finally {
      this.preparing = false;
    }
  }

  private async sitDown(): Promise<void> {
    const { sit } = this.intent;
    this.intent = { ...this.intent, sit: null };
    if (sit === null || this.at.mine.length > 0) return;
    const isFree = (seat: number): boolean => this.at.table?.seats[seat]?.kind === 'free';
    if (isFree(sit)) await this.connection.request({ type: 'sit', seat: sit });
    else if (this.at.table?.seats.some((_, seat) => isFree(seat))) await this.connection.request({ type: 'sit' });
  }

  private withoutNonce(): number | undefined {
    return this.at.table?.status === 'open' ? this.at.mine.find((seat) => !this.at.table!.fairness.nonces[seat]) : undefined;
  }
}
