import { beforeEach, describe, expect, it } from 'vitest';
import { isSuggested, levelFor, setLevelFor } from '../src/lib/levels';
import { setPref } from '../src/lib/prefs.svelte';

describe('the level of the bots', () => {
  beforeEach(() => setPref('levels', {}));

  it('is suggested for a first game, and then stays until somebody changes it', () => {
    expect([levelFor('dojo'), isSuggested('dojo')]).toEqual(['novice', true]);
    setLevelFor('dojo', levelFor('dojo')); // a game is begun against it
    expect([levelFor('dojo'), isSuggested('dojo')]).toEqual(['novice', false]);
    setLevelFor('dojo', 'master');
    expect([levelFor('dojo'), levelFor('daruma')]).toEqual(['master', 'novice']);
  });

  it('is the regular one where the chosen one cannot play', () => {
    setLevelFor('dojo', 'net:tanuki');
    expect([levelFor('dojo'), levelFor('dojo', ['net:tanuki'])]).toEqual(['regular', 'net:tanuki']);
  });
});
