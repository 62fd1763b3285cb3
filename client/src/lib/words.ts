// The words of one game in one language: the same catalogue that the Python side speaks from.
// A message is a template with {fields}, or a list of templates of which the first whose fields are all known is taken.
export type Template = string | string[];
export type Catalogue = Record<string, Record<string, Template>>;
export type Fields = Record<string, unknown>;

const SEAT_FIELDS = new Set(['seat', 'to', 'from', 'winner', 'loser', 'owner', 'dealer']);
const FIELD = /\{(\w+)(!r)?\}/g;

export function fill(template: Template, fields: Fields): string {
  const choices = typeof template === 'string' ? [template] : template;
  const known = choices.find((choice) =>
    [...choice.matchAll(FIELD)].every(([, name]) => fields[name!] !== undefined && fields[name!] !== null),
  );
  const chosen = known ?? choices[choices.length - 1] ?? '';
  return chosen.replace(FIELD, (whole, name: string) => String(fields[name] ?? whole));
}

export class Words {
  constructor(
    readonly lang: string,
    readonly own: Catalogue,
    readonly common: Catalogue,
    readonly names: string[],
  ) {}

  /** The name of a thing; as it stands if the game has no other. */
  word(key: unknown): string {
    const found = this.own['word']?.[String(key)];
    return typeof found === 'string' ? found : String(key);
  }

  name(seat: number): string {
    return this.names[seat] ?? `p${seat + 1}`;
  }

  /** The message `section.code` of the game's catalogue, or of the common one. */
  say(section: string, code: string, fields: Fields = {}): string {
    const bare = code.includes('.') ? code.slice(code.lastIndexOf('.') + 1) : code;
    const template = this.own[section]?.[bare] ?? this.common[section]?.[bare];
    return template === undefined ? code : fill(template, this.told(fields));
  }

  has(section: string, code: string): boolean {
    return (this.own[section]?.[code] ?? this.common[section]?.[code]) !== undefined;
  }

  /** All that is known, as words; what is null counts as unknown. */
  told(fields: Fields): Record<string, string> {
    const words: Record<string, string> = {};
    for (const [key, value] of Object.entries(fields))
      if (value !== null && value !== undefined) words[key] = this.field(key, value);
    return words;
  }

  private field(key: string, value: unknown): string {
    const isSeat = SEAT_FIELDS.has(key) || key.endsWith('_seat');
    if (isSeat && typeof value === 'number' && this.names[value] !== undefined) return this.name(value);
    if (Array.isArray(value)) {
      const inner = key.endsWith('seats') || key === 'winners' ? 'seat' : key;
      return value.map((one) => this.field(inner, one)).join(', ');
    }
    return this.word(value);
  }
}
