// The score sheet, and the verdict in one sentence. The rows come from the server; here they are only arranged.
import type { Result, SheetRow } from './protocol';
import type { Words } from './words';

export interface Line {
  label: string;
  row: SheetRow;
}
/** Rows counted in one step: a single row, or those of a round with their sums. */
export interface Step {
  label: string;
  lines: Line[];
  part: number | null;
  sums: number[];
  /** What it is compared as part of. */
  group: string | null;
}
export interface Sheet {
  steps: Step[];
  /** Rows that are shown but not counted. */
  notes: Line[];
  /** The one of them that breaks ties, named by what counts: "fewest darumas". */
  tie: Line | null;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const pointsOf = (row: SheetRow, seat: number): number => [row.values[seat]].filter(isNumber)[0] ?? 0;

export function sheetOf(rows: readonly SheetRow[], words: Words): Sheet {
  const label = (row: SheetRow): string => words.message('sheet', row.row, { ...row });
  const sheet: Sheet = { steps: [], notes: [], tie: null };
  for (const row of rows) {
    const line = { label: label(row), row };
    const points = row.values.map((_, seat) => pointsOf(row, seat));
    const last = sheet.steps.at(-1);
    if (row.breaks_ties !== null) sheet.tie = words.has('sheet', row.breaks_ties) ? { label: words.message('sheet', row.breaks_ties), row } : line;
    if (!row.counts) sheet.notes.push(line);
    else if (row.part !== null && last?.part === row.part) {
      last.lines.push(line);
      last.sums = last.sums.map((sum, seat) => sum + points[seat]!);
    } else {
      const heading = row.part === null ? line.label : words.message('sheet', 'part', { part: row.part });
      sheet.steps.push({ label: heading, lines: [line], part: row.part, sums: points, group: row.group === null ? null : words.message('sheet', row.group) });
    }
  }
  return sheet;
}

/** The totals after the first `count` steps. */
export const totalsAfter = (steps: readonly Step[], count: number, players: number): number[] =>
  Array.from({ length: players }, (_, seat) => steps.slice(0, count).reduce((sum, step) => sum + step.sums[seat]!, 0));

/** What can be compared between two seats: steps, or the sum of those that only their group makes comparable. */
function comparable(steps: readonly Step[]): { label: string; sums: number[] }[] {
  const found: { label: string; sums: number[] }[] = [];
  for (const { label, group, sums } of steps) {
    const same = group === null ? undefined : found.find((one) => one.label === group);
    if (same) same.sums = same.sums.map((sum, seat) => sum + sums[seat]!);
    else found.push({ label: group ?? label, sums });
  }
  return found;
}

/** What is said about a result: a text code and its parameters, with seats as numbers. */
export interface Verdict {
  text: 'you-won' | 'you-won-tie' | 'you-share' | 'you-lost' | 'you-lost-tie' | 'they-won' | 'they-won-tie';
  place: number;
  count: number;
  winner: number;
  /** The seats compared with. */
  others: number[];
  /** Whether others have the same place. */
  shared: boolean;
  /** What decided the game: what the winner was furthest ahead in, or the tie-breaker. */
  decided: Compared | null;
  /** Everything in which the two differ, largest difference first: together it makes the distance. */
  parts: Compared[];
}
/** What counts, for the winner and for the one compared. */
export interface Compared {
  label: string;
  best: number;
  rest: number;
}

/** Seats that are level on points, and what the tie-break says of them. */
export interface Tie {
  seats: number[];
  label: string;
  values: number[];
  /** Whether it has separated them. */
  broken: boolean;
}

/** Every tie, for whatever place; those that the sheet cannot explain are left out. */
export function tiesOf({ scores, places, resigned }: Result, sheet: Sheet): Tie[] {
  const { tie } = sheet;
  if (!tie || resigned.length > 0) return [];
  const level = [...new Set(scores)].map((points) => scores.flatMap((one, seat) => (one === points ? [seat] : [])));
  return level.flatMap((seats) => {
    const values = seats.map((seat) => Number(tie.row.values[seat]));
    const broken = new Set(seats.map((seat) => places[seat])).size > 1;
    return seats.length > 1 && broken === new Set(values).size > 1 ? [{ seats, label: tie.label, values, broken }] : [];
  });
}

/** A result from a seat's viewpoint (null for a spectator's), or null if there is nothing to compare. */
export function verdictOf(result: Result, sheet: Sheet, seat: number | null): Verdict | null {
  const { scores, winners, places } = result;
  const winner = seat !== null && winners.includes(seat) ? seat : winners[0];
  if (winner === undefined || result.resigned.length > 0 || result.sheet.length === 0) return null;
  const about = { place: seat === null ? 1 : places[seat]!, count: 0, winner, others: [] as number[], shared: seat !== null && places.filter((one) => one === places[seat]).length > 1, decided: null, parts: [] };
  if (seat === winner && winners.length > 1) return { ...about, text: 'you-share', others: winners.filter((one) => one !== seat) };
  if (seat === null && winners.length > 1) return null;
  const lost = seat !== null && seat !== winner;
  const rest = lost ? seat : places.map((_, one) => one).filter((one) => !winners.includes(one)).sort((a, b) => places[a]! - places[b]!)[0];
  if (rest === undefined) return null;
  const kind = lost ? 'you-lost' : seat === null ? 'they-won' : 'you-won';
  const others = lost ? winners : [rest];
  const count = scores[winner]! - scores[rest]!;
  const compared = ({ label, values }: { label: string; values: SheetRow['values'] }): Compared => ({ label, best: Number(values[winner]), rest: Number(values[rest]) });
  if (count === 0) {
    const { tie } = sheet;
    return tie ? { ...about, text: `${kind}-tie`, others, decided: compared({ label: tie.label, values: tie.row.values }) } : null;
  }
  const lead = ({ best, rest }: Compared): number => best - rest;
  const leads = comparable(sheet.steps).map(({ label, sums }) => compared({ label, values: sums })).sort((a, b) => lead(b) - lead(a));
  return { ...about, text: kind, count, others, decided: leads[0] ?? null, parts: leads.filter((one) => lead(one) !== 0) };
}
