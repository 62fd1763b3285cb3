// The set being edited: every change is checked against the rules after a moment, and can be undone.
import { api, ApiError, type CheckedComponents } from '../lib/api';
import { currentLang, problem } from '../lib/i18n.svelte';
import type { Components } from '../lib/sets.svelte';

const PAUSE = 300;
const MOST_UNDO = 100;

export class Draft {
  data = $state.raw<Components>({});
  /** The set as a file, exactly as typed while it is edited as text. */
  text = $state('');
  /** The result of the check. */
  checked = $state.raw<CheckedComponents | null>(null);
  refusal = $state('');
  checking = $state(false);
  private past = $state.raw<Components[]>([]);
  private timer = 0;
  private latest = 0;

  constructor(readonly game: string) {}

  get canUndo(): boolean {
    return this.past.length > 0;
  }
  get seats(): number[] {
    return this.checking ? [] : (this.checked?.seats ?? []);
  }

  /** Start with a set and an empty undo history. */
  async open(data: Components | null): Promise<void> {
    this.past = [];
    if (data) return this.check({ data });
    try {
      this.take(await api.components(this.game));
    } catch (error) {
      this.fail(error);
    }
  }
  change(data: Components): void {
    this.past = [...this.past, this.data].slice(-MOST_UNDO);
    this.data = data;
    this.later({ data });
  }
  undo(): void {
    const before = this.past.at(-1);
    if (!before) return;
    this.past = this.past.slice(0, -1);
    this.data = before;
    this.later({ data: before });
  }
  type(text: string): void {
    this.text = text;
    this.later({ text });
  }
  /** Replace the whole set with a file. */
  async read(text: string): Promise<void> {
    this.past = [...this.past, this.data].slice(-MOST_UNDO);
    await this.check({ text });
  }
  close(): void {
    clearTimeout(this.timer);
    this.latest = -1;
  }

  private later(draft: { data?: Components; text?: string }): void {
    this.checking = true;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(draft), PAUSE);
  }
  private async check(draft: { data?: Components; text?: string }): Promise<void> {
    this.checking = true;
    clearTimeout(this.timer);
    const mine = ++this.latest;
    try {
      const found = await api.checkComponents(this.game, draft, currentLang());
      if (mine === this.latest) this.take(found, draft.text);
    } catch (error) {
      if (mine === this.latest) this.fail(error);
    }
  }
  /** Typed text is left as it was typed. */
  private take(found: CheckedComponents, typed?: string): void {
    this.checking = false;
    this.checked = found;
    this.refusal = found.problem?.message ?? '';
    if (found.data) this.data = found.data;
    this.text = typed ?? found.text;
  }
  private fail(error: unknown): void {
    this.checking = false;
    if (!(error instanceof ApiError)) throw error;
    this.refusal = problem(error.code, error.params, error.message);
  }
}

