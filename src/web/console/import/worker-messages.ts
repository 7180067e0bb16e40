/** What the page and the worker of the converter send each other. */
import type { Conversion, ConvertErrorCode, ConvertOptions, Layers } from '../../convert/converter.ts';

/** Options that can be sent to a worker. */
export type PlainOptions = Omit<ConvertOptions, 'onProgress' | 'signal'>;

export type ToWorker =
  | { readonly is: 'file'; readonly bytes: Uint8Array }
  | { readonly is: 'convert'; readonly id: number; readonly options: PlainOptions }
  | { readonly is: 'abort'; readonly id: number };

export type FromWorker =
  | { readonly is: 'progress'; readonly id: number; readonly share: number }
  | { readonly is: 'done'; readonly id: number; readonly conversion: Conversion }
  | { readonly is: 'failed'; readonly id: number; readonly failure: Failure };

/** Why a file cannot be converted. */
export interface Failure {
  /** `undefined`: an error of the program. */
  readonly code: ConvertErrorCode | undefined;
  readonly message: string;
  /** Columns of the file, if the mapping must name some. */
  readonly columns: readonly string[];
  /** The layers of the file, if another one may be read. */
  readonly layers?: Layers | undefined;
}
