/** The converter as a script of its own: a module for the page and, loaded as a worker, a service for messages. */
import { ConvertError, convert } from '../../convert/converter.ts';
import type { Failure, FromWorker, ToWorker } from './worker-messages.ts';

export { convert, importBatches, paletteNames, planImport, withPictures } from '../../convert/converter.ts';

/** What of a worker's global object is used: the types of pages do not have it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
}

/** The reason in an error, as plain data. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ConvertError) {
    const { code, message, columns, layers } = error;
    return { code, message, columns, layers };
  }
  return { code: undefined, message: error instanceof Error ? error.message : String(error), columns: [] };
}

function serve(scope: WorkerScope): void {
  let bytes = new Uint8Array();
  const running = new Map<number, AbortController>();
  const run = async ({ id, options }: Extract<ToWorker, { is: 'convert' }>): Promise<void> => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const onProgress = (share: number): void => scope.postMessage({ is: 'progress', id, share });
      const conversion = await convert(bytes, { ...options, onProgress, signal: abort.signal });
      scope.postMessage({ is: 'done', id, conversion });
    } catch (error) {
      scope.postMessage({ is: 'failed', id, failure: failureOf(error) });
    } finally {
      running.delete(id);
    }
  };
  scope.onmessage = ({ data }) => {
    if (data.is === 'file') bytes = new Uint8Array(data.bytes);
    else if (data.is === 'abort') running.get(data.id)?.abort();
    else void run(data);
  };
}

if (typeof document === 'undefined') serve(globalThis as unknown as WorkerScope);
