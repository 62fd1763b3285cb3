// Daruma at the table: the component and what the table asks of every board.
import type { Component } from 'svelte';
import type { BoardModule, BoardProps } from '../../lib/board';
import Board from './Board.svelte';

export { default as Glyph } from './Glyph.svelte';
export { coveredLater, eventFields, glyphs, landmark, meanwhile, since, toYou } from './story';
export { default as picture } from './Picture.svelte';
export { beats } from './animations';
export { anchors, brief, describe, seatScores, summary } from './describe';
// The table is generic; this board reads the same view with its own shape.
export default Board as unknown as Component<BoardProps>;
export const showsScores = true;
export const sounds: BoardModule['sounds'] = { roll: 'dice', reroll: 'dice', sake: 'water' };
export const pictured = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'gold'];
