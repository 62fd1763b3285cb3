// QR codes for invitations: byte mode, error correction M, versions 1 to 10 (up to 213 bytes), after ISO/IEC 18004.
// By version: error correction bytes per block, and how many blocks of how many data bytes.
const BLOCKS: [number, [number, number][]][] = [
  [10, [[1, 16]]],
  [16, [[1, 28]]],
  [26, [[1, 44]]],
  [18, [[2, 32]]],
  [24, [[2, 43]]],
  [16, [[4, 27]]],
  [18, [[4, 31]]],
  [22, [[2, 38], [2, 39]]],
  [22, [[3, 36], [2, 37]]],
  [26, [[4, 43], [1, 44]]],
];
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i += 1) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = x & 128 ? ((x << 1) ^ 0x11d) & 255 : x << 1;
}

function remainder(data: number[], degree: number): number[] {
  let generator = [1];
  for (let i = 0; i < degree; i += 1) {
    const next = new Array<number>(generator.length + 1).fill(0);
    generator.forEach((factor, at) => {
      next[at]! ^= factor;
      next[at + 1]! ^= factor && EXP[LOG[factor]! + i]!;
    });
    generator = next;
  }
  const rest = [...data, ...new Array<number>(degree).fill(0)];
  data.forEach((_, at) => {
    const lead = rest[at]!;
    if (lead) generator.forEach((factor, i) => (rest[at + i]! ^= EXP[LOG[lead]! + LOG[factor]!]!));
  });
  return rest.slice(data.length);
}

function capacity(version: number): number {
  return BLOCKS[version - 1]![1].reduce((sum, [count, size]) => sum + count * size, 0);
}

function codewords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const put = (value: number, length: number): void => {
    for (let i = length - 1; i >= 0; i -= 1) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  const room = capacity(version) * 8;
  put(0, Math.min(4, room - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) put(pad, 8);
  const data = Array.from({ length: room / 8 }, (_, i) => Number.parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2));

  const [degree, groups] = BLOCKS[version - 1]!;
  const blocks: number[][] = [];
  let from = 0;
  for (const [count, size] of groups)
    for (let i = 0; i < count; i += 1, from += size) blocks.push(data.slice(from, from + size));
  const checks = blocks.map((block) => remainder(block, degree));
  const longest = Math.max(...blocks.map((block) => block.length));
  const out: number[] = [];
  for (let i = 0; i < longest; i += 1) for (const block of blocks) if (i < block.length) out.push(block[i]!);
  for (let i = 0; i < degree; i += 1) for (const check of checks) out.push(check[i]!);
  return out;
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

class Grid {
  readonly size: number;
  readonly dark: boolean[][];
  readonly fixed: boolean[][];

  constructor(readonly version: number) {
    this.size = version * 4 + 17;
    this.dark = Array.from({ length: this.size }, () => new Array<boolean>(this.size).fill(false));
    this.fixed = Array.from({ length: this.size }, () => new Array<boolean>(this.size).fill(false));
    this.patterns();
  }

  private set(x: number, y: number, dark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y]![x] = dark;
    this.fixed[y]![x] = true;
  }

  private square(x: number, y: number, rings: boolean[]): void {
    const reach = rings.length - 1;
    for (let dy = -reach; dy <= reach; dy += 1)
      for (let dx = -reach; dx <= reach; dx += 1) this.set(x + dx, y + dy, rings[Math.max(Math.abs(dx), Math.abs(dy))]!);
  }

  private patterns(): void {
    for (let i = 0; i < this.size; i += 1) {
      this.set(6, i, i % 2 === 0);
      this.set(i, 6, i % 2 === 0);
    }
    const far = this.size - 4;
    for (const [x, y] of [[3, 3], [far, 3], [3, far]] as const) this.square(x, y, [true, true, false, true, false]);
    const places = ALIGNMENT[this.version - 1]!;
    const last = places.length - 1;
    places.forEach((x, i) =>
      places.forEach((y, j) => {
        const inFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
        if (!inFinder) this.square(x, y, [true, false, true]);
      }),
    );
    this.format(0);
    if (this.version >= 7) this.versionBits();
  }

  format(mask: number): void {
    let rest = mask; // level M is 00
    for (let i = 0; i < 10; i += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (i: number): boolean => ((bits >> i) & 1) === 1;
    for (let i = 0; i <= 5; i += 1) this.set(8, i, bit(i));
    this.set(8, 7, bit(6));
    this.set(8, 8, bit(7));
    this.set(7, 8, bit(8));
    for (let i = 9; i < 15; i += 1) this.set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i += 1) this.set(this.size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i += 1) this.set(8, this.size - 15 + i, bit(i));
    this.set(8, this.size - 8, true);
  }

  private versionBits(): void {
    let rest = this.version;
    for (let i = 0; i < 12; i += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (this.version << 12) | rest;
    for (let i = 0; i < 18; i += 1) {
      const dark = ((bits >> i) & 1) === 1;
      const far = this.size - 11 + (i % 3);
      const near = Math.floor(i / 3);
      this.set(far, near, dark);
      this.set(near, far, dark);
    }
  }

  fill(data: number[]): void {
    let at = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      const upward = ((right + 1) & 2) === 0;
      for (let step = 0; step < this.size; step += 1)
        for (const x of [right, right - 1]) {
          const y = upward ? this.size - 1 - step : step;
          if (this.fixed[y]![x]) continue;
          this.dark[y]![x] = at < data.length * 8 && ((data[at >> 3]! >> (7 - (at & 7))) & 1) === 1;
          at += 1;
        }
    }
  }

  mask(number: number): void {
    const flips = MASKS[number]!;
    for (let y = 0; y < this.size; y += 1)
      for (let x = 0; x < this.size; x += 1) if (!this.fixed[y]![x] && flips(x, y)) this.dark[y]![x] = !this.dark[y]![x];
  }

  /** How hard to read (the lower the better). */
  penalty(): number {
    let sum = 0;
    const lines = [...this.dark, ...this.dark.map((_, x) => this.dark.map((row) => row[x]!))];
    for (const line of lines) {
      const text = line.map((dark) => (dark ? '1' : '0')).join('');
      for (const run of text.match(/1{5,}|0{5,}/g) ?? []) sum += run.length - 2;
      for (let i = 0; i + 11 <= text.length; i += 1) {
        const part = text.slice(i, i + 11);
        if (part === '10111010000' || part === '00001011101') sum += 40;
      }
    }
    for (let y = 0; y + 1 < this.size; y += 1)
      for (let x = 0; x + 1 < this.size; x += 1) {
        const corner = this.dark[y]![x];
        if (corner === this.dark[y]![x + 1] && corner === this.dark[y + 1]![x] && corner === this.dark[y + 1]![x + 1]) sum += 3;
      }
    const share = this.dark.flat().filter(Boolean).length / this.size ** 2;
    return sum + Math.floor(Math.abs(share - 0.5) * 20) * 10;
  }
}

/** The modules of the code, row by row, without the quiet zone. `mask` only for tests; the best is taken otherwise. */
export function qr(text: string, mask?: number): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, i) => bytes.length + (i + 1 < 10 ? 2 : 3) <= capacity(i + 1)) + 1;
  if (version === 0) throw new RangeError('too long for a QR code');
  const data = codewords(bytes, version);
  const drawn = (number: number): Grid => {
    const grid = new Grid(version);
    grid.fill(data);
    grid.mask(number);
    grid.format(number);
    return grid;
  };
  if (mask !== undefined) return drawn(mask).dark;
  const grids = MASKS.map((_, number) => drawn(number));
  return grids.reduce((best, grid) => (grid.penalty() < best.penalty() ? grid : best)).dark;
}

/** The dark modules as one SVG path. */
export function qrPath(modules: boolean[][]): string {
  return modules
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
}
