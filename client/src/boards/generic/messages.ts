// What this board says: the common section `[web]`, also where a game has one of its own.
import type { WebTexts } from '../../generated/texts';
import { web, type Fields, type Words } from '../../lib/words';

export const message = (words: Words, key: WebTexts['common'], fields?: Fields): string => web({ lang: words.lang, own: words.common }, key, fields);
