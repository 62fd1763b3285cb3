// A set in a link: its name and data, compressed, after the #, so that no server has to store it.
import type { Components } from '../lib/sets.svelte';

export interface Shared {
  name: string;
  data: Components;
}
const LONGEST_LINK = 40_000;
const LARGEST = 200_000;

export async function encodeSet(set: Shared): Promise<string> {
  const packed = new Blob([JSON.stringify(set)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** null if it is not a set, or implausibly large. */
export async function decodeSet(text: string): Promise<Shared | null> {
  if (!text || text.length > LONGEST_LINK) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder();
    let json = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      json += decoder.decode(part.value, { stream: true });
      if (json.length > LARGEST) return null;
    }
    const found = JSON.parse(json) as Partial<Shared> | null;
    if (typeof found?.name !== 'string' || typeof found.data !== 'object' || found.data === null) return null;
    return { name: found.name.slice(0, 40), data: found.data };
  } catch {
    return null;
  }
}
