import { beforeEach, describe, expect, it } from 'vitest';
import { check, nonce, remember } from '../src/lib/fairness';
import type { Fairness } from '../src/lib/protocol';

// From `tsukimi.table.fair`: the table "T" with the secret 5e5e.. and the nonces "c0ffee" and none.
const SECRET = '5e'.repeat(32);
const COMMITMENT = '9985b2e4b9b71b28ce59ea5ce77f0b110637b625c6d7f41e982c9510940a2056';
const SEED = '5e216b7bd49a51790c75c9ec5f932ffbcdcbb241be3084f36437bbb609cdff44';
const fairness = (more: Partial<Fairness> = {}): Fairness => ({ commitment: COMMITMENT, nonces: ['c0ffee', ''], secret: SECRET, chance: 'all', ...more });

describe('fair chance', () => {
  beforeEach(() => localStorage.clear());

  it('computes the same seed as the server from the secret and the nonces', async () => {
    remember('T', COMMITMENT, 0, 'c0ffee');
    expect(await check('T', fairness())).toEqual({ secret: true, commitment: true, nonces: true, seed: SEED });
  });

  it('notices a different secret, commitment or nonce', async () => {
    remember('T', 'another', 0, 'beef');
    expect(await check('T', fairness({ secret: '5f'.repeat(32) }))).toMatchObject({ secret: false, commitment: false, nonces: false });
  });

  it('says what a device that sent no nonce cannot check', async () => {
    expect(await check('T', fairness())).toMatchObject({ secret: true, commitment: null, nonces: null });
  });

  it('checks nothing before the secret is revealed', async () => {
    expect(await check('T', fairness({ secret: null }))).toBeNull();
  });

  it('remembers the nonces of several seats, and discards those for another commitment', async () => {
    remember('T', 'old', 1, 'aa');
    remember('T', COMMITMENT, 0, 'c0ffee');
    remember('T', COMMITMENT, 1, '');
    expect((await check('T', fairness()))?.nonces).toBe(true);
  });

  it('draws a new nonce each time', () => {
    expect(nonce()).toMatch(/^[0-9a-f]{32}$/);
    expect(nonce()).not.toBe(nonce());
  });
});
