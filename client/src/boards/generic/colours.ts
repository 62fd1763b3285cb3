// A colour for a text, always the same one: cards of one kind are seen to belong together.
const COLOURS = ['var(--d-red)', 'var(--d-blue)', 'var(--d-green)', 'var(--d-orange)', 'var(--d-purple)', 'var(--d-gold)'];

export function colourOf(text: string): string {
  // These numbers give the usual ranks and suits distinct colours.
  let sum = 7;
  for (const letter of text) sum = (sum * 141 + letter.codePointAt(0)! * 13) % 2039;
  return COLOURS[sum % COLOURS.length]!;
}
