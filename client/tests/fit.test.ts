import { expect, test } from 'vitest';
import { keptLines } from '../src/lib/fit';

test('what does not fit is cut off after a whole line, and a line always stays', () => {
  expect(keptLines(60, 20, 1)).toBe(2);
  expect(keptLines(60, 20, 20)).toBe(2);
  expect(keptLines(60, 20, 21)).toBe(1);
  expect(keptLines(60, 20, 200)).toBe(1);
});
