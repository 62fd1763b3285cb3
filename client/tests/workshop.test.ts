import { describe, expect, it } from 'vitest';
import { added, complete, moved, onward, without, withWay } from '../src/boards/china-moon/pond';
import { decodeSet, encodeSet } from '../src/workshop/link';

const file = {
  start: ['1'],
  pad: [
    { id: '1', kind: 'lily', next: ['2', '3'], x: 0.1, y: 0.9 },
    { id: '2', kind: 'blank', next: ['goal'], x: 0.3, y: 0.5 },
    { id: '3', kind: 'spring', next: ['goal'], x: 0.5, y: 0.5 },
  ],
};
const pond = complete(file, null);

describe('editing a pond', () => {
  it('keeps a pad within the pond, rounded to thousandths', () => {
    expect(moved(pond, '2', 1.4, 0.12345).pad[1]).toMatchObject({ x: 1, y: 0.123 });
    expect(moved(pond, 'goal', 0.2, -1).goal_xy).toEqual([0.2, 0]);
  });
  it('adds a way and removes it again', () => {
    const drawn = withWay(pond, '2', '3');
    expect(onward(drawn, '2')).toEqual(['goal', '3']);
    expect(withWay(drawn, '2', '3')).toEqual(pond);
    expect(withWay(pond, 'start', '2').start).toEqual(['1', '2']);
  });
  it('adds a pad between a place and what comes after it', () => {
    const { pond: more, id } = added(pond, '1');
    expect(onward(more, '1')).toEqual([id]);
    expect(onward(more, id)).toEqual(['2', '3']);
    expect(more.pad.map((pad) => pad.id)).toEqual(['1', id, '2', '3']);
  });
  it('connects the pads before and after a removed one', () => {
    const less = without(pond, '1');
    expect(less.start).toEqual(['2', '3']);
    expect(without(less, '3').start).toEqual(['2']);
  });
  it('draws pads without coordinates at their place on the board', () => {
    const bare = { start: ['a'], pad: [{ id: 'a', kind: 'blank', next: ['goal'] }] };
    const drawn = { start: { next: ['a'], x: 0.5, y: 1 }, pads: [{ id: 'a', kind: 'blank' as const, next: ['goal'], x: 0.25, y: 0.75 }], goal: { x: 0.5, y: 0.5 } };
    expect(complete(bare, drawn).pad[0]).toMatchObject({ x: 0.25, y: 0.75 });
  });
});

describe('a set in a link', () => {
  it('is decoded as it was encoded, in characters that need no escaping', async () => {
    const text = await encodeSet({ name: 'Étang', data: pond });
    expect(text).toMatch(/^[\w-]+$/);
    expect(await decodeSet(text)).toEqual({ name: 'Étang', data: pond });
  });
  it('is refused if it is none, or too large', async () => {
    expect(await decodeSet('')).toBeNull();
    expect(await decodeSet('not a set')).toBeNull();
    expect(await decodeSet('A'.repeat(50_000))).toBeNull();
    expect(await decodeSet(await encodeSet({ name: 'x', data: { more: 'x'.repeat(300_000) } }))).toBeNull();
  });
});
