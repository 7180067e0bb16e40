/** Checks whether public maps have tiles whose policy allows that. */
import { needsTileAdvice, tileWords } from '../../api/pages/tile-advice.ts';
import { type Check, ok, warn } from './check.ts';

export const tilesCheck: Check = {
  name: 'tiles',
  run({ publicUrl, tiles }) {
    if (needsTileAdvice({ publicUrl, tiles })) return warn(tileWords.found, tileWords.advice);
    return ok(tiles === undefined ? 'from openstreetmap.org, for this machine and its network' : 'as --tiles says');
  },
};
