import type { Component } from 'svelte';
import type { BoardModule, BoardProps, View } from '../../lib/board';
import Board from './Board.svelte';
import { COLUMN_TROPHIES } from './logic';
import { COUNT } from './motion';
import type { DojoView } from './types';

export { brief, describe, summary } from './describe';
export { default as Glyph } from './Glyph.svelte';
export { asks, glyphs, heading, meanwhile, opens, since, sinceIncludesReader, coveredLater, toYou } from './story';
export default Board as unknown as Component<BoardProps>;
export { default as picture } from './Picture.svelte';

const ANCHORS: Record<string, string> = {
  give: 'recruitment',
  challenge: 'challenge',
  throw: 'throw',
  swap: 'exchange',
  place: 'training',
  trophy: 'trophy',
  over: 'score',
};

export const anchors = (view: View): string[] => [ANCHORS[view.phase] ?? 'round'];
export const seatScores = (view: View): number[] => (view as DojoView).dojos.map((dojo) => dojo.count.points);
export { beats } from './motion';
export const ending = COUNT.ms;
export const sounds: BoardModule['sounds'] = { place: 'wood', trophy: 'wood', challenge: 'bell' };
export const showsScores = true;
export const explains = (trophy: string): string => `trophy-${trophy}`;
export const pictured = [...COLUMN_TROPHIES, 'raccoon', 'incense', 'assistant'];
