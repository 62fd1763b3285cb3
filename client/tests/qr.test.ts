import { describe, expect, it } from 'vitest';
import { qr, qrPath } from '../src/lib/qr';

// Made with the reference encoder of Project Nayuki and with python-qrcode 8.2, which agree (byte mode, level M, mask 3).
const SMALL = `
#######.####..#######
#.....#.##....#.....#
#.###.#..#..#.#.###.#
#.###.#.#.#...#.###.#
#.###.#..###..#.###.#
#.....#....##.#.....#
#######.#.#.#.#######
........#..##........
#.##.###.#.##.#..#.##
..####.#.#######..###
#.##..#..#.#......###
##..##.###.#..####.#.
#.##.##.#.#.#..###.#.
........####..#.#..##
#######.#####..###...
#.....#.##.......####
#.###.#.....#########
#.###.#.#..#..#...##.
#.###.#.###.#.#..#...
#.....#..##..#.#....#
#######.#....#....#..`.trim();

const VECTORS: [string, number, string][] = [
  ['http://127.0.0.1:8377/t/d516f29a', 3, '6f7ec16d'],
  ['https://tsukimi.example.org/t/0123?name=é月', 4, '4d17ea06'],
  ['a'.repeat(14), 1, '94e3f6a9'],
  ['b'.repeat(15), 2, 'af7141e3'],
  ['c'.repeat(62), 4, '96eebcac'],
  ['x'.repeat(100), 6, '5df8c42f'],
  ['d'.repeat(106), 6, '6301b159'],
  ['e'.repeat(122), 7, 'df9f2b1b'],
  ['y'.repeat(150), 8, '94c8a629'],
  ['f'.repeat(180), 9, 'bc067ddc'],
  ['z'.repeat(213), 10, '403e2371'],
];

function fnv(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

describe('the QR code', () => {
  it('is what another encoder draws, module by module', () => {
    const drawn = qr('Tsukimi', 3).map((row) => row.map((dark) => (dark ? '#' : '.')).join(''));
    expect(drawn.join('\n')).toBe(SMALL);
  });

  it.each(VECTORS)('of %s is version %i and the same as the other encoder’s', (text, version, hash) => {
    const modules = qr(text, 3);
    expect(modules.length).toBe(version * 4 + 17);
    expect(fnv(modules.flat().map((dark) => (dark ? '1' : '0')).join(''))).toBe(hash);
  });

  it('takes one of the eight masks by itself', () => {
    const text = 'https://tsukimi.example/t/abc';
    const all = Array.from({ length: 8 }, (_, mask) => JSON.stringify(qr(text, mask)));
    expect(all).toContain(JSON.stringify(qr(text)));
  });

  it('refuses what is too long', () => {
    expect(() => qr('z'.repeat(214))).toThrow(RangeError);
  });

  it('becomes one path with a square per dark module', () => {
    const modules = qr('Tsukimi');
    expect(qrPath(modules).match(/M/g)).toHaveLength(modules.flat().filter(Boolean).length);
  });
});
