/** fast-check with the seed of this run, for every property that does not set one. */
import fc from 'fast-check';
import { seed } from './tier.ts';

fc.configureGlobal({ seed });

export default fc;
