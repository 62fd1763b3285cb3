// The review of a finished game: requests it, polls until it is ready, and holds the result.
import { api, ApiError, type Review, type ReviewedDecision, type ReviewStatus } from './api';
import type { BoardModule } from './board';
import { problem } from './i18n.svelte';
import type { Words } from './words';

const POLL_MS = 1000;

export class ReviewState {
  status = $state.raw<ReviewStatus | null>(null);
  problem = $state<string | null>(null);
  readonly review = $derived<Review | null>(this.status?.review ?? null);
  readonly waiting = $derived(this.status?.state === 'waiting' || this.status?.state === 'running');
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private lang = '';

  constructor(readonly id: string) {}

  /** Fetch the review, with its texts in this language. */
  async load(lang: string): Promise<void> {
    this.lang = lang;
    await this.get(() => api.review(this.id, lang));
  }

  async ask(): Promise<void> {
    await this.get(() => api.askReview(this.id, this.lang));
  }

  private async get(how: () => Promise<ReviewStatus>): Promise<void> {
    clearTimeout(this.timer);
    const lang = this.lang;
    try {
      const status = await how();
      if (this.closed || lang !== this.lang) return;
      this.status = status;
      this.problem = null;
    } catch (refused) {
      if (!(refused instanceof ApiError)) throw refused;
      // While it is being computed, a failed request is simply retried.
      if (!this.waiting) this.problem = problem(refused.code, refused.params, refused.message);
    }
    if (this.waiting && !this.closed) this.timer = setTimeout(() => void this.get(() => api.review(this.id, this.lang)), POLL_MS);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }
}

/** The better move in words: with what its seat knew, worded for any reader. */
export function better({ best, seat, view }: Pick<ReviewedDecision, 'best' | 'seat' | 'view'>, board: Pick<BoardModule, 'brief' | 'describe'>, words: Words): string {
  return view ? (board.brief ?? board.describe)(best, { ...view, seat: null, actors: [seat] }, words) : '';
}

/** The points of a polyline for a series of values from 0 to 1, in a box of this size. */
export function line(shares: readonly number[], width: number, height: number): string {
  const step = width / Math.max(1, shares.length - 1);
  return shares.map((share, i) => `${(i * step).toFixed(1)},${((1 - share) * height).toFixed(1)}`).join(' ');
}

/** A seat's chances of winning over the game: before every decision, and at the end. */
export function chances(review: Review, seat: number, open: boolean): number[] {
  return [...review.decisions.map((one) => (open ? one.open_before : one.before)[seat] ?? 0), review.seats[seat]?.result ?? 0];
}
