/** Opens a file for the converter, which is loaded now. The same file can be converted again with other options. */
import type { Conversion } from '../../convert/converter.ts';
import { lateTexts } from '../late-texts.ts';
import { serverRoot } from '../server/server-root.ts';
import type * as Script from './converter-script.ts';
import type { Failure, FromWorker, PlainOptions, ToWorker } from './worker-messages.ts';

export type ConverterScript = typeof Script;

/** Bytes up to which a file is converted in the page: a worker takes longer to start. */
const inPageMax = 1_000_000;
/** Bytes of a file that are read at most: the converter refuses much smaller ones with a better message. */
const fileBytesMax = 512 * 1024 * 1024;

/** A conversion has failed; {@link failure} says why. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

interface Running {
  readonly signal: AbortSignal;
  onProgress(share: number): void;
}

export interface OpenFile {
  readonly script: ConverterScript;
  /** Rejects with an {@link ImportError}. */
  convert(options: PlainOptions, running: Running): Promise<Conversion>;
  close(): void;
}

const scriptAddress = (): string => `${serverRoot()}console/convert.js`;

let loaded: Promise<ConverterScript> | undefined;

function loadConverter(): Promise<ConverterScript> {
  loaded ??= import(scriptAddress()).catch((error) => {
    loaded = undefined;
    throw new Error(lateTexts.imports.noConverter, { cause: error });
  });
  return loaded;
}

/** Rejects with a message for the user. */
export async function openFile(file: File): Promise<OpenFile> {
  if (file.size > fileBytesMax) throw new Error(lateTexts.imports.tooLarge(file.name));
  const script = await loadConverter();
  const bytes = await file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => {
      throw new Error(lateTexts.imports.unreadable(file.name));
    },
  );
  if (bytes.byteLength > inPageMax) return new FileInWorker(script, bytes);
  return {
    script,
    convert: async (options, running) => {
      try {
        return await script.convert(bytes, { ...options, ...running });
      } catch (error) {
        throw new ImportError(script.failureOf(error));
      }
    },
    close: () => undefined,
  };
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): URL };
}

let workerAddress: URL | string | undefined;

/** The script as an address that a worker may be made of. */
function trustedAddress(): URL | string {
  const types = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes;
  workerAddress ??=
    types === undefined
      ? scriptAddress()
      : types.createPolicy('mapwright-convert', { createScriptURL: scriptAddress }).createScriptURL('');
  return workerAddress;
}

interface Waiting extends Running {
  resolve(conversion: Conversion): void;
  reject(error: ImportError): void;
}

class FileInWorker implements OpenFile {
  readonly script: ConverterScript;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(script: ConverterScript, bytes: Uint8Array<ArrayBuffer>) {
    this.script = script;
    this.#worker = new Worker(trustedAddress(), { type: 'module' });
    this.#worker.onmessage = (event: MessageEvent<FromWorker>) => this.#take(event.data);
    this.#worker.onerror = ({ message }) => this.#fail({ code: undefined, message, columns: [] });
    this.#send({ is: 'file', bytes }, [bytes.buffer]);
  }

  #send(message: ToWorker, moved: Transferable[] = []): void {
    this.#worker.postMessage(message, moved);
  }

  #take(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (message.is === 'progress') waiting?.onProgress(message.share);
    else {
      this.#waiting.delete(message.id);
      if (message.is === 'done') waiting?.resolve(message.conversion);
      else waiting?.reject(new ImportError(message.failure));
    }
  }

  #fail(failure: Failure): void {
    for (const { reject } of this.#waiting.values()) reject(new ImportError(failure));
    this.#waiting.clear();
  }

  convert(options: PlainOptions, running: Running): Promise<Conversion> {
    const id = ++this.#last;
    running.signal.addEventListener('abort', () => this.#send({ is: 'abort', id }));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { ...running, resolve, reject });
      this.#send({ is: 'convert', id, options });
    });
  }

  close(): void {
    this.#worker.terminate();
    this.#fail({ code: 'aborted', message: '', columns: [] });
  }
}
