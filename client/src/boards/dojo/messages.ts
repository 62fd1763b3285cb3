// What this board says: the game's section `[web]`.
import type { WebTexts } from '../../generated/texts';
import { web } from '../../lib/words';

export type Key = WebTexts['dojo'];
export const message = web<Key>;
