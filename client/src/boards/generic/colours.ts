// A colour for a text, always the same one: cards of one kind are seen to belong together.
const COLOURS = ['var(--d-red)', 'var(--d-blue)', 'var(--d-green)', 'var(--d-orange)', 'var(--d-purple)', 'var(--d-gold)'];

export function colourOf(text: string): string {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) % 997;
  return COLOURS[sum % COLOURS.length]!;
}
