// One game's texts in one language, from the catalogue that the Python side uses too.
// A message is a template with {fields}, or a list of templates, of which the first with all its fields known is used.
// {points:point|points} writes a number with the noun that agrees with it; {seat:rolls|You roll} writes the name and the first
// words, or for the reader only the second; {seat:=takes|take} does the same without the name.
export type Template = string | string[];
export type Catalogue = Record<string, Record<string, Template>>;
export type Fields = Record<string, unknown>;

const SEAT_FIELDS = new Set(['seat', 'to', 'from', 'winner', 'loser', 'owner', 'dealer']);
const PLAYER = /^p([1-9])$/;
const FIELD = /\{(\w+)(?:!r)?(?::([^{}]*))?\}/g;
const AND: Record<string, string> = { en: 'and', fr: 'et', es: 'y' };
const MINUS = '\u2212';

/** One thing that a move gains, risks or costs; its texts are in the game's `[stake]`. */
export interface Stake {
  kind: string;
  points?: number;
  [fact: string]: unknown;
}

const numberOf = (value: unknown): number => Number(String(value).replace(',', '.').replace(MINUS, '-'));

/** A number for use in a text: with a real minus sign. */
export const numberText = (number: number): string => String(number).replace('-', MINUS);

/** A number with its sign, as the catalogue's `{n:+}` writes it. */
export function signedText(number: number, lang: string): string {
  const text = String(Math.abs(number));
  return (number > 0 ? '+' : number < 0 ? MINUS : '') + (lang === 'en' ? text : text.replace('.', ','));
}

/** A probability; never shown as 0 % if possible, nor as 100 % if uncertain. */
export function percentage(chance: number, lang: string): string {
  const rounded = Math.round(100 * chance);
  const shown = chance > 0 && chance < 1 ? Math.min(99, Math.max(1, rounded)) : rounded;
  return lang === 'en' ? `${shown}%` : `${shown}\u00a0%`;
}

const plain = (value: unknown): string => (typeof value === 'number' ? numberText(value) : String(value));

/** A field in the given format: `%`, `and`, an article for each of a list, a sign, the noun that agrees with a number. */
function formatted(value: unknown, format: string, lang: string): string {
  if (format === '%') return percentage(numberOf(value), lang);
  if (format === 'and') return String(value).replace(/, ([^,]*)$/, ` ${AND[lang] ?? AND['en']} $1`);
  if (format.startsWith('each ')) return formatted(String(value).replace(/^|(?<=, )/g, `${format.slice(5)} `), 'and', lang);
  const sign = format.startsWith('+');
  const text = sign ? signedText(numberOf(value), lang) : plain(value);
  const [one, many] = format.slice(sign ? 1 : 0).split('|');
  if (many === undefined) return text;
  return `${text} ${agreeing(Math.abs(numberOf(value)), one!, many, lang)}`;
}

/** The first of several templates whose fields are all known. */
function fitting(template: Template, fields: Fields): string {
  const choices = typeof template === 'string' ? [template] : template;
  const known = choices.find((choice) =>
    [...choice.matchAll(FIELD)].every(([, name]) => fields[name!] !== undefined && fields[name!] !== null),
  );
  return known ?? choices[choices.length - 1] ?? '';
}

/** A part of a sentence: text, or a field with its value and its text. */
export type Part = string | { field: string; value: unknown; text: string };
export const textOf = (parts: readonly Part[]): string => parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');

export function fill(template: Template, fields: Fields, lang = 'en'): string {
  return fitting(template, fields).replace(FIELD, (whole, name: string, format: string | undefined) => {
    const value = fields[name];
    if (value === undefined || value === null) return whole;
    return format === undefined ? plain(value) : formatted(value, format, lang);
  });
}

const agreeing = (number: number, one: string, many: string, lang: string): string =>
  (lang === 'fr' ? Math.abs(number) < 2 : Math.abs(number) === 1) ? one : many;

/** A board's text, from the section `[web]`. */
export function web<K extends string>(words: { lang: string; own: Catalogue }, key: K, fields: Fields = {}): string {
  const template = words.own['web']?.[key];
  return template === undefined ? key : fill(template, fields, words.lang);
}

const isPerson = (field: string): boolean => field === 'self' || isSeat(field);

/** Whether a field names a seat. */
export const isSeat = (field: string): boolean => SEAT_FIELDS.has(field) || field.endsWith('_seat');

/** The words after a name, joined to it. */
const following = (words: string): string => (words === '' || /^['’]/.test(words) ? words : ` ${words}`);

/** A field that names a player, in the given format: the name (if it is written), and the rest. */
function person(name: string, format: string, isReader: boolean): { name: string; rest: string } {
  const alone = format.startsWith('=');
  const [third = '', second = ''] = format.slice(alone ? 1 : 0).split('|');
  if (isReader) return { name: '', rest: second };
  return alone ? { name: '', rest: third } : { name, rest: following(third) };
}

export class Words {
  private readonly forms: (readonly [RegExp, Template])[];

  constructor(
    readonly lang: string,
    readonly own: Catalogue,
    readonly common: Catalogue,
    readonly names: string[],
    /** The reader's seat, addressed as "you". */
    readonly reader: number | null = null,
  ) {
    // The catalogue uses Python's syntax for named groups.
    this.forms = Object.entries(own['form'] ?? {}).map(([form, template]) => [new RegExp(`^(?:${form.replaceAll('(?P<', '(?<')})$`), template]);
  }

  /** The name of a thing, from `[word]` or built by a matching `[form]`; the key itself if the game has neither. */
  word(key: unknown): string {
    const text = String(key);
    const found = this.own['word']?.[text];
    if (typeof found === 'string') return found;
    const player = this.names[Number(PLAYER.exec(text)?.[1]) - 1];
    if (player !== undefined) return player;
    for (const [form, template] of this.forms) {
      const match = form.exec(text);
      if (!match) continue;
      const parts = Object.entries(match.groups ?? {}).map(([name, part]) => [name, this.word(part)]);
      return fill(template, Object.fromEntries(parts) as Fields, this.lang);
    }
    return text;
  }

  name(seat: number): string {
    return this.names[seat] ?? `p${seat + 1}`;
  }

  /** The message `section.code` of the game's catalogue or the common one, or the common one's fallback, `other`. */
  message(section: string, code: string, fields: Fields = {}): string {
    const bare = code.includes('.') ? code.slice(code.lastIndexOf('.') + 1) : code;
    const template = this.own[section]?.[bare] ?? this.common[section]?.[bare] ?? this.common[section]?.['other'];
    return template === undefined ? code : textOf(this.pieces(template, fields));
  }

  /** Whether a field names the reader. */
  private reads(field: string, fields: Fields): boolean {
    return this.reader !== null && fields[field === 'self' ? 'seat' : field] === this.reader;
  }

  /** The same as parts, so that things can be shown as pictures. */
  parts(section: string, code: string, fields: Fields = {}): Part[] {
    const template = this.own[section]?.[code] ?? this.common[section]?.[code];
    return template === undefined ? [] : this.pieces(template, fields);
  }

  private pieces(template: Template, fields: Fields): Part[] {
    const worded = this.worded(fields);
    const parts: Part[] = [];
    let from = 0;
    const text = fitting(template, worded);
    for (const match of text.matchAll(FIELD)) {
      const [whole, name = ''] = match;
      if (match.index > from) parts.push(text.slice(from, match.index));
      from = match.index + whole.length;
      const field = name === 'self' ? 'seat' : name;
      if (isPerson(name) && match[2]?.includes('|')) {
        const { name: written, rest } = person(worded[name] ?? '', match[2], this.reads(name, fields));
        if (written) parts.push({ field, value: fields[field], text: written });
        if (rest) parts.push(rest);
      } else parts.push({ field, value: fields[field], text: fill(whole, worded, this.lang) });
    }
    if (from < text.length) parts.push(text.slice(from));
    return parts;
  }

  /** One thing that a move gains, risks or costs ('' if the game has no text for it). */
  stake(stake: Stake): string {
    return this.has('stake', stake.kind) ? this.message('stake', stake.kind, stake) : '';
  }

  /** Everything a move gains, risks or costs, in one line; where it breaks, no line begins with a dot. */
  stakes(stakes: readonly Stake[]): string {
    return stakes
      .map((one) => this.stake(one))
      .filter(Boolean)
      .join('\u00a0· ');
  }

  /** The name of a component and what it is for, or null if the game does not say. */
  explanation(key: string): { name: string; text: string } | null {
    const text = this.own['explain']?.[key];
    if (typeof text !== 'string') return null;
    const name = this.own['component']?.[key] ?? this.word(key);
    return { name: String(name).charAt(0).toLocaleUpperCase(this.lang) + String(name).slice(1), text };
  }

  has(section: string, code: string): boolean {
    return (this.own[section]?.[code] ?? this.common[section]?.[code]) !== undefined;
  }

  /** All known fields as text; null counts as unknown. `self`: the seat, if it acts on something of its own. */
  worded(fields: Fields): Record<string, string> {
    const words: Record<string, string> = {};
    for (const [key, value] of Object.entries(fields))
      if (value !== null && value !== undefined) words[key] = this.field(key, value);
    const seat = fields['seat'];
    if (typeof seat === 'number' && (seat === fields['to'] || seat === fields['owner'])) words['self'] = words['seat']!;
    return words;
  }

  private field(key: string, value: unknown): string {
    if (isSeat(key) && typeof value === 'number' && this.names[value] !== undefined) return this.name(value);
    if (Array.isArray(value)) {
      const inner = key.endsWith('seats') || key === 'winners' ? 'seat' : key;
      return value.map((one) => this.field(inner, one)).join(', ');
    }
    return typeof value === 'number' ? numberText(value) : this.word(value);
  }
}
