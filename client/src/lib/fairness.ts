// Fair chance on this device: the random number that it adds, what it saw before that, and the check after the game.
import type { Fairness } from './protocol';

interface Given {
  /** The fingerprint of the server's secret, as it was shown when the number was given. */
  commitment: string;
  /** By seat. */
  nonces: Record<number, string>;
}
export interface Checked {
  /** The secret has the fingerprint that the table shows. */
  secret: boolean;
  /** That fingerprint is the one that this device saw before it gave its number; null: it gave none. */
  commitment: boolean | null;
  /** The numbers that this device gave are those that went into the dice; null: it gave none. */
  nonces: boolean | null;
  /** What all chance of the game follows from. */
  seed: string;
}

const KEY = 'tsukimi.fair';
const KEPT = 50; // tables

/** Random hex of this device: it goes into the dice, so that the server alone cannot choose them. */
export function nonce(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

export function remember(table: string, commitment: string, seat: number, given: string): void {
  const all = read();
  const nonces = all[table]?.commitment === commitment ? all[table].nonces : {};
  delete all[table]; // the latest come last
  all[table] = { commitment, nonces: { ...nonces, [seat]: given } };
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(all).slice(-KEPT))));
  } catch {
    // A full or forbidden storage: then the check says that it knows less.
  }
}

/** Check a game that has ended; null: the browser has no cryptography here (a page without https). */
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
