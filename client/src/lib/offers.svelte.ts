// What a newcomer may want (to play without confirming, sounds) is offered while nothing is asked of them: one thing at a
// time, each once on a device. What was not answered in its time was not wanted; the menu has it.
import { prefs, setPref } from './prefs.svelte';

export type Offer = 'at-once' | 'sound';
/** How long an offer is on the screen, in all. */
const LONG_ENOUGH = 10_000;

export class Offers {
  /** One is enough until something has been asked again. */
  private answered = $state(false);
  private seen: Record<Offer, number> = { 'at-once': 0, sound: 0 };

  /** `quiet`: nothing is asked, and the person has played. `confirmed`: they have confirmed a move. */
  constructor(
    private readonly quiet: () => boolean,
    private readonly confirmed: () => boolean,
  ) {
    $effect(() => {
      if (!this.quiet()) this.answered = false;
    });
    $effect(() => {
      const shown = this.shown;
      if (shown === null) return;
      const since = performance.now();
      const timer = setTimeout(() => this.close(shown), LONG_ENOUGH - this.seen[shown]);
      return () => {
        clearTimeout(timer);
        this.seen[shown] += performance.now() - since;
      };
    });
  }

  readonly shown = $derived.by((): Offer | null => {
    if (!this.quiet() || this.answered) return null;
    const wanted: Record<Offer, boolean> = { 'at-once': this.confirmed() && !prefs.atOnce, sound: prefs.sound === null };
    return (Object.keys(wanted) as Offer[]).find((offer) => wanted[offer] && !prefs.offered.includes(offer)) ?? null;
  });

  private close(offer: Offer): void {
    this.answered = true;
    setPref('offered', [...prefs.offered, offer]);
  }

  answer(offer: Offer, yes: boolean): void {
    this.close(offer);
    if (offer === 'sound') setPref('sound', yes);
    else if (yes) setPref('atOnce', true);
  }
}
