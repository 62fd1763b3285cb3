// One puzzle: the position on its board, the chosen move, and its value.
import { ApiError } from '../lib/api';
import type { BoardModule } from '../lib/board';
import { loadBoard, loadMessages } from '../lib/games.svelte';
import { currentLang, problem, wordsOf } from '../lib/i18n.svelte';
import { prompt } from '../lib/log';
import { loadMe } from '../lib/me.svelte';
import { showError } from '../lib/notices.svelte';
import type { Catalogue } from '../lib/words';
import { answer, puzzle, type Answered, type Puzzle, type PuzzleId } from './api';

export class PuzzleState {
  shown = $state.raw<Puzzle | null>(null);
  board = $state.raw<BoardModule | null>(null);
  own = $state.raw<Catalogue>({});
  chosen = $state<string | null>(null);
  answered = $state.raw<Answered | null>(null);
  /** The move given as the answer. */
  given = $state<string | null>(null);
  busy = $state(false);
  problem = $state('');

  readonly words = $derived(wordsOf(this.own, this.shown?.names ?? [], this.shown?.seat));
  readonly moves = $derived(this.shown && !this.answered && !this.busy ? this.shown.moves : []);
  readonly prompt = $derived(this.shown && this.board ? prompt(this.shown.view, this.shown.moves, this.board, this.words, { ...this.shown.view, seat: this.shown.seat }) : '');
  /** What has happened since this seat's last move. */
  readonly trail = $derived.by(() => {
    const events = this.shown?.events ?? [];
    const last = events.findLastIndex((event) => event.seat === this.shown?.seat);
    return events.slice(last + 1);
  });

  constructor(readonly which: PuzzleId) {}

  async load(): Promise<void> {
    const lang = currentLang();
    try {
      await loadMe(); // the server sets the guest's cookie with the first request
      const [shown, board, own] = await Promise.all([this.shown ?? puzzle(this.which), loadBoard(this.which.game), loadMessages(this.which.game, lang)]);
      [this.shown, this.board, this.own] = [shown, board, own];
    } catch (refused) {
      if (!(refused instanceof ApiError)) throw refused;
      this.problem = problem(refused.code, refused.params, refused.message);
    }
  }

  describe(move: string): string {
    return this.shown && this.board ? this.board.describe(move, this.shown.view, this.words) : move;
  }

  choose(move: string | null): void {
    if (move !== null && move === this.chosen) void this.confirm();
    else this.chosen = move;
  }

  async confirm(): Promise<void> {
    const move = this.chosen;
    if (move === null || this.busy || this.answered) return;
    this.busy = true;
    try {
      this.answered = await answer(this.which, move, currentLang());
      [this.given, this.chosen] = [move, null];
    } catch (refused) {
      showError(refused);
    } finally {
      this.busy = false;
    }
  }
}
