// China Moon, as the table knows it.
export { default } from './Board.svelte';
export { anchors, describe, scoreSheet, seatScores, summary } from './speak';
export { duration } from './timing';
