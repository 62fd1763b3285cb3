// China Moon, as the table knows it.
import type { BoardModule } from '../../lib/board';

export { default } from './Board.svelte';
export { default as picture } from './Picture.svelte';
export { anchors, brief, describe, seatScores, summary } from './describe';
export { default as Glyph } from './Glyph.svelte';
export { asks, eventFields, glyphs, meanwhile, since, sinceIncludesReader, toYou } from './story';
export { beats } from './timing';
export const sounds: BoardModule['sounds'] = { move: 'water', drop: 'water' };
export const openInformation = true;
export const showsScores = true;
export { COLOURS as pictured } from './types';
/** The last frog is seen at home before the result covers the pond. */
export const ending = 1800;
export const confirmsTurn = true;
/** A trade or a drop is put together from several taps: it is always confirmed, whoever's turn it is. */
export const confirms = (move: string): boolean => !move.startsWith('move ');
export const editor: BoardModule['editor'] = () => import('./Editor.svelte');
