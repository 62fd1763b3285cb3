// Daruma at the table: the component and what the table asks of every board.
import type { Component } from 'svelte';
import type { BoardProps } from '../../lib/board';
import Board from './Board.svelte';

export { duration } from './beats';
export { anchors, describe, scoreSheet, seatScores, summary } from './text';
// The table is generic; this board reads the same view with its own shape.
export default Board as unknown as Component<BoardProps>;
