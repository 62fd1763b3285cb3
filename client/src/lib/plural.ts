// A text of the interface: a template, or one per plural form, chosen by the field `count`.
export interface Forms {
  one?: string;
  many?: string;
  other: string;
}
export type Text = string | Forms;
export type TextFields = Record<string, string | number>;

const rules = new Map<string, Intl.PluralRules>();

export function form(text: Text, lang: string, count: number): string {
  if (typeof text === 'string') return text;
  if (!rules.has(lang)) rules.set(lang, new Intl.PluralRules(lang));
  const name = rules.get(lang)!.select(count);
  return (name === 'one' ? text.one : name === 'many' ? text.many : undefined) ?? text.other;
}

export function fillText(text: Text, lang: string, fields: TextFields = {}): string {
  const chosen = form(text, lang, Number(fields['count'] ?? 0));
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = fields[name];
    return value === undefined ? whole : typeof value === 'number' ? value.toLocaleString(lang) : value;
  });
}
