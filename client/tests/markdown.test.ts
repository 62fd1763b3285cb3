import { describe, expect, it } from 'vitest';
import { inline, markdown } from '../src/lib/markdown';

describe('the rules text', () => {
  it('gives a heading the anchor that stands under it', () => {
    expect(markdown('## Auction\n<!-- anchor: auction -->\n\nBid.')).toEqual([
      { kind: 'heading', level: 2, parts: [{ kind: 'text', text: 'Auction' }], anchor: 'auction' },
      { kind: 'paragraph', parts: [{ kind: 'text', text: 'Bid.' }], anchor: null },
    ]);
  });

  it('gives a paragraph the anchor before it', () => {
    const [, , paragraph] = markdown('# A\n\nfirst\n\n<!-- anchor: x -->\nsecond');
    expect(paragraph).toMatchObject({ kind: 'paragraph', anchor: 'x' });
  });

  it('joins the lines of a paragraph', () => {
    expect(markdown('one\ntwo')).toMatchObject([{ parts: [{ text: 'one two' }] }]);
  });

  it('knows lists, nested and numbered, with lines that go on', () => {
    const [list] = markdown('- a\n  goes on\n- b\n  1. c\n  2. d\n- e');
    expect(list).toMatchObject({
      kind: 'list',
      ordered: false,
      items: [{ parts: [{ text: 'a goes on' }] }, { inner: [{ kind: 'list', ordered: true, items: [{}, {}] }] }, { parts: [{ text: 'e' }] }],
    });
  });

  it('knows tables', () => {
    const [table] = markdown('| led | must |\n|---|---|\n| one | **two** |');
    expect(table).toMatchObject({ kind: 'table', head: [[{ text: 'led' }], [{ text: 'must' }]], rows: [[[{ text: 'one' }], [{ kind: 'strong' }]]] });
  });

  it('knows code, emphasis and links', () => {
    expect(inline('**Only** `p1 | x` and *this* [here](/rules/dojo)')).toMatchObject([
      { kind: 'strong' },
      { text: ' ' },
      { kind: 'code', text: 'p1 | x' },
      { text: ' and ' },
      { kind: 'em' },
      { text: ' ' },
      { kind: 'link', href: '/rules/dojo' },
    ]);
  });

  it('keeps a fenced block as it is', () => {
    expect(markdown('```\na  <b>\n```')).toEqual([{ kind: 'code', text: 'a  <b>' }]);
  });

  it('lets no markup through: tags stay text, scripts are no links', () => {
    const text = JSON.stringify(markdown('<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) [y](//evil.example)'));
    expect(text).toContain('<img src=x');
    expect(text).not.toContain('"link"');
  });

  it('multiplies stars that are not emphasis', () => {
    expect(inline('2 * 3 * 4')).toEqual([{ kind: 'text', text: '2 * 3 * 4' }]);
  });
});
