// Stands in for a board that is not drawn yet: the position in data, the moves as texts.
import type { BoardModule } from '../lib/board';
import Plain from './Plain.svelte';

const plain: BoardModule = {
  default: Plain,
  describe: (move) => move,
  summary: () => [],
  anchors: () => [],
  seatScores: (view) => Array.from({ length: view.players }, () => null),
  scoreSheet: (view) => (view.scores ? [{ label: 'Σ', cells: view.scores, total: true }] : []),
  duration: () => 300,
};
export default plain;
