/** The worker thread that recognizes pictures. Its priority is low: other requests run first. */
import { takePriority } from '../threads/priority.ts';
import { threadNumber } from '../threads/processor-time.ts';
import { type ThreadResult, toResult } from '../threads/thread-result.ts';
import type { Recognized } from './picture-types.ts';
import { recognizePicture } from './recognize.ts';

/** A path, or the bytes; `undefined` only loads the modules. */
export type RecognizeTask = { readonly source: string | Uint8Array | undefined };

export default function recognizeInWorker({ source }: RecognizeTask): ThreadResult<Recognized | number | undefined> {
  return toResult(() => {
    if (source !== undefined) return recognizePicture(source);
    takePriority('low');
    return threadNumber();
  });
}
