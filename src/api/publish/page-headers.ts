/** Headers of pages that show maps. */
import { publicHeaders } from '../pages/viewer-endpoint.ts';

export const pageHeaders = (policy: string) => ({
  ...publicHeaders,
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
});
