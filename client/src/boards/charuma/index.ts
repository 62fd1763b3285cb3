// The board of Charuma, as the table takes it.
import type { Component } from 'svelte';
import type { BoardModule, BoardProps } from '../../lib/board';
import Board from './Board.svelte';

export default Board as unknown as Component<BoardProps>;
export { default as picture } from './Picture.svelte';
export { anchors, beats, describe, seatScores, summary } from './describe';
export { default as Glyph } from './Glyph.svelte';
export { asks, closed, eventFields, glyphs, heading, meanwhile, opens, since, toYou } from './story';
export const sounds: BoardModule['sounds'] = { bid: 'wood' };
export const showsScores = true;
