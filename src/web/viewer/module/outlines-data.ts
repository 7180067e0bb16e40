/** The type of the data of the outlines: the build puts the script with the data, `outlines-HASH.js`, in the place of this file. */
import type { OutlineData } from '../drawing/ground/outlines-contract.ts';

declare const data: OutlineData;
export default data;
