// Provably fair chance, client side: the nonce this device contributes, the commitment it saw before, and the check after the game.
import type { Fairness } from './protocol';

interface Given {
  /** The server's commitment, as shown when this device gave its nonce. */
  commitment: string;
  /** By seat. */
  nonces: Record<number, string>;
}
export interface Checked {
  /** Whether the revealed secret matches the commitment the table shows. */
  secret: boolean;
  /** Whether that commitment is the one this device saw before it gave its nonce; null if it gave none. */
  commitment: boolean | null;
  /** Whether the nonces this device gave were used for the dice; null if it gave none. */
  nonces: boolean | null;
  /** The seed of all chance in the game. */
  seed: string;
}

const KEY = 'tsukimi.fair';
const MAX_TABLES = 50;

/** Random hex from this device, which goes into the dice so that the server alone cannot choose them. */
export function nonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

export function remember(table: string, commitment: string, seat: number, given: string): void {
  const all = read();
  const nonces = all[table]?.commitment === commitment ? all[table].nonces : {};
  delete all[table]; // re-inserted at the end, with the latest
  all[table] = { commitment, nonces: { ...nonces, [seat]: given } };
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(all).slice(-MAX_TABLES))));
  } catch {
    // Storage is full or blocked: the check will report less.
  }
}

/** Check a finished game; null if Web Crypto is unavailable (a page without https). */
export async function check(table: string, fairness: Fairness): Promise<Checked | null> {
  if (!globalThis.crypto?.subtle || fairness.secret === null) return null;
  const secret = bytes(fairness.secret);
  const given = read()[table];
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const text = new TextEncoder().encode([table, ...fairness.nonces].join('|'));
  return {
    secret: hex(new Uint8Array(await crypto.subtle.digest('SHA-256', secret))) === fairness.commitment,
    commitment: given ? given.commitment === fairness.commitment : null,
    nonces: given ? Object.entries(given.nonces).every(([seat, one]) => fairness.nonces[Number(seat)] === one) : null,
    seed: hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, text))),
  };
}

function read(): Record<string, Given> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Given>;
  } catch {
    return {};
  }
}

function hex(data: Uint8Array): string {
  return [...data].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
}
