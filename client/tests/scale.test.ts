import { describe, expect, it } from 'vitest';
import { scaleFor } from '../src/lib/scale';

describe('the scale of the page', () => {
  it('leaves phones and small windows as they are', () => {
    for (const [width, height] of [[360, 740], [390, 844], [844, 390], [1024, 768], [1280, 800]] as const) expect(scaleFor(width, height)).toBe(1);
  });
  it('grows with the smaller side of a large window', () => {
    expect(scaleFor(2560, 1700)).toBe(2);
    expect(scaleFor(3840, 2160)).toBeCloseTo(2160 / 850);
    expect(scaleFor(5120, 900)).toBeCloseTo(900 / 850);
  });
  it('makes a large phone of a tablet held upright', () => {
    expect(scaleFor(820, 1180)).toBeCloseTo(820 / 600);
    expect(scaleFor(768, 1024)).toBeCloseTo(1024 / 860);
  });
  it('has an end', () => expect(scaleFor(20_000, 20_000)).toBe(4));
});
