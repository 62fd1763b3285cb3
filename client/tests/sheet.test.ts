import { describe, expect, it } from 'vitest';
import type { Result, SheetRow } from '../src/lib/protocol';
import { sheetOf, tiesOf, totalsAfter, verdictOf } from '../src/lib/sheet';
import { Words } from '../src/lib/words';

const words = new Words('en', { sheet: { bid: 'Bid paid', tricks: 'Tricks', start: 'At the start', darumas: 'Darumas' } }, { sheet: { part: 'Round {part}' } }, ['Ana', 'Bruno', 'Cleo']);
const row = (code: string, values: SheetRow['values'], more: Partial<SheetRow> = {}): SheetRow => ({
  row: code, values, counts: true, part: null, number: null, group: null, pieces: null, marks: null, gains: null, breaks_ties: null, ...more,
});
const rows = [
  row('start', [5, 5, 5]),
  row('bid', [-1, 0, -2], { part: 1 }),
  row('tricks', [3, 2, 2], { part: 1 }),
  row('bid', [0, 0, 0], { part: 2 }),
  row('tricks', [2, 9, 3], { part: 2 }),
  row('darumas', [4, 2, 3], { counts: false, breaks_ties: 'fewest' }),
];
const sheet = sheetOf(rows, words);
const result = (scores: number[], winners: number[], places: number[], more: Partial<Result> = {}): Result => ({
  scores, winners, places, resigned: [], ratings: [null, null, null], sheet: rows, ...more,
});

describe('the score sheet', () => {
  it('counts row by row, and a round in one step', () => {
    expect(sheet.steps.map(({ label, sums }) => [label, sums])).toEqual([
      ['At the start', [5, 5, 5]],
      ['Round 1', [2, 2, 0]],
      ['Round 2', [2, 9, 3]],
    ]);
    expect(sheet.notes.map(({ label }) => label)).toEqual(['Darumas']);
    expect(totalsAfter(sheet.steps, 0, 3)).toEqual([0, 0, 0]);
    expect(totalsAfter(sheet.steps, 2, 3)).toEqual([7, 7, 5]);
    expect(totalsAfter(sheet.steps, 3, 3)).toEqual([9, 16, 8]);
  });
});

describe('what is said about a result', () => {
  const won = result([9, 16, 8], [1], [2, 1, 3]);

  it('compares unrelated rows by their sums only', () => {
    const lines = [
      row('line', [10, 1, 3], { number: 1, group: 'lines' }),
      row('line', [1, 6, 3], { number: 2, group: 'lines' }),
      row('line', [3, 3, 3], { number: 3, group: 'lines' }),
      row('bid', [5, 0, 0]),
    ];
    const grouped = sheetOf(lines, new Words('en', { sheet: { line: 'Line {number}', lines: 'Lines', bid: 'Bid' } }, {}, ['Ana', 'Bruno', 'Cleo']));
    expect(grouped.steps.map(({ label }) => label)).toEqual(['Line 1', 'Line 2', 'Line 3', 'Bid']);
    expect(verdictOf(result([19, 10, 9], [0], [1, 2, 3], { sheet: lines }), grouped, 1)!.decided).toEqual({ label: 'Bid', best: 5, rest: 0 });
    expect(verdictOf(result([19, 10, 9], [0], [1, 2, 3], { sheet: lines }), grouped, 2)!.decided).toEqual({ label: 'Lines', best: 14, rest: 9 });
  });

  it('gives the place and the distance to the winner', () => {
    expect(verdictOf(won, sheet, 0)).toMatchObject({ text: 'you-lost', place: 2, count: 7, others: [1] });
    expect(verdictOf(won, sheet, 2)).toMatchObject({ text: 'you-lost', place: 3, count: 8, others: [1] });
  });
  it('says to the winner who came next, and to the others who won', () => {
    expect(verdictOf(won, sheet, 1)).toMatchObject({ text: 'you-won', count: 7, others: [0] });
    expect(verdictOf(won, sheet, null)).toMatchObject({ text: 'they-won', winner: 1, count: 7, others: [0] });
  });
  it('names what made the largest difference', () => {
    expect(verdictOf(won, sheet, 0)).toMatchObject({ decided: { label: 'Round 2', best: 9, rest: 2 }, parts: [{ label: 'Round 2', best: 9, rest: 2 }] });
    expect(verdictOf(won, sheet, 2)).toMatchObject({ decided: { label: 'Round 2', best: 9, rest: 3 } });
  });
  it('all differences together make the distance, what costs points included', () => {
    const lines = [row('bid', [12, 6, 0]), row('darumas', [-2, 0, 0]), row('start', [1, 1, 0])];
    const { parts, count } = verdictOf(result([11, 7, 0], [0], [1, 2, 3], { sheet: lines }), sheetOf(lines, words), 1)!;
    expect(parts).toEqual([{ label: 'Bid paid', best: 12, rest: 6 }, { label: 'Darumas', best: -2, rest: 0 }]);
    expect(parts.reduce((sum, { best, rest }) => sum + best - rest, 0)).toBe(count);
  });
  it('a place that others have as well is shared', () => {
    const level = result([9, 5, 5], [0], [1, 2, 2]);
    expect([0, 1, 2].map((seat) => verdictOf(level, sheet, seat)!.shared)).toEqual([false, true, true]);
    expect(verdictOf(level, sheet, null)!.shared).toBe(false);
  });
  it('names the tie-break where the points are level', () => {
    const tied = result([9, 9, 8], [1], [2, 1, 3]);
    expect(verdictOf(tied, sheet, 0)).toMatchObject({ text: 'you-lost-tie', place: 2, decided: { label: 'Darumas', best: 2, rest: 4 } });
    expect(verdictOf(tied, sheet, 1)).toMatchObject({ text: 'you-won-tie', others: [0] });
    expect(verdictOf(tied, sheet, null)).toMatchObject({ text: 'they-won-tie' });
  });
  it('says with whom a win is shared', () => {
    const shared = result([9, 9, 8], [0, 1], [1, 1, 3]);
    expect(verdictOf(shared, sheet, 0)).toMatchObject({ text: 'you-share', others: [1] });
    expect(verdictOf(shared, sheet, 2)).toMatchObject({ text: 'you-lost', place: 3, count: 1 });
    expect(verdictOf(shared, sheet, null)).toBeNull();
    expect(verdictOf(result([9, 9, 9], [0, 1, 2], [1, 1, 1]), sheet, 1)).toMatchObject({ text: 'you-share', others: [0, 2] });
  });
  it('says what counts in the tie-break, where the game has words for it', () => {
    const own = { sheet: { darumas: 'Darumas', fewest: 'Fewest darumas' } };
    const named = sheetOf(rows.slice(5), new Words('en', own, {}, ['Ana', 'Bruno', 'Cleo']));
    expect(named.notes.map(({ label }) => label)).toEqual(['Darumas']);
    expect(tiesOf(result([9, 16, 9], [1], [3, 1, 2]), named)[0]!.label).toBe('Fewest darumas');
  });
  it('names every tie, for whatever place, and what broke it', () => {
    expect(tiesOf(result([9, 16, 8], [1], [2, 1, 3]), sheet)).toEqual([]);
    expect(tiesOf(result([9, 16, 9], [1], [3, 1, 2]), sheet)).toEqual([{ seats: [0, 2], label: 'Darumas', values: [4, 3], broken: true }]);
    const level = sheetOf([...rows.slice(0, 5), row('darumas', [4, 4, 3], { counts: false, breaks_ties: 'fewest' })], words);
    expect(tiesOf(result([9, 9, 8], [0, 1], [1, 1, 3]), level)).toEqual([{ seats: [0, 1], label: 'Darumas', values: [4, 4], broken: false }]);
    // What the row does not explain is not said of it.
    expect(tiesOf(result([9, 9, 8], [0, 1], [1, 1, 3]), sheet)).toEqual([]);
    expect(tiesOf(result([9, 9, 8], [0], [1, 2, 3], { resigned: [1] }), sheet)).toEqual([]);
  });
  it('compares nothing if somebody resigned', () => {
    expect(verdictOf(result([9, 16, 8], [0], [1, 3, 2], { resigned: [1] }), sheet, 0)).toBeNull();
    expect(verdictOf(result([9, 16, 8], [0], [1, 3, 2], { sheet: [] }), sheet, 0)).toBeNull();
  });
});
