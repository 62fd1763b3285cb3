import { flushSync, mount, unmount } from 'svelte';
import { encode } from 'uqr';
import { expect, it } from 'vitest';
import Qr from '../src/parts/Qr.svelte';

it('a link becomes a QR code: a dark square for each module, with a quiet zone of four around it', () => {
  const text = 'https://tsukimi.example.org/t/0123?name=é月';
  const drawn = mount(Qr, { target: document.body, props: { text } });
  flushSync();
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  expect(document.querySelector('svg path')!.getAttribute('d')!.match(/M/g)).toHaveLength(data.flat().filter(Boolean).length);
  expect(document.querySelector('svg')!.getAttribute('viewBox')).toBe(`-4 -4 ${size + 8} ${size + 8}`);
  void unmount(drawn);
});
