/** The upload of one file: with its progress, and again with the same `Idempotency-Key` after a lost connection. */
import type { ProjectFile } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { newRequestKey } from '../document/project-api.ts';
import { serverRoot } from '../server/server-root.ts';

/** A refusal of the server, in its own words. */
export class UploadError extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

interface UploadOptions {
  /** Headers of the session; asked before each attempt, because the user may have signed in again. */
  headers(): Readonly<Record<string, string>>;
  readonly projectId: string;
  readonly name: string;
  readonly bytes: Blob;
  readonly signal: AbortSignal;
  /** @param share from 0 to 1; `undefined` while the connection is lost */
  onProgress(share: number | undefined): void;
}

const pauseMs = { first: 1000, most: 15_000 };

/** Resolves with the file. Rejects with {@link UploadError}, or with the reason of the signal. */
export async function sendFile(options: UploadOptions): Promise<ProjectFile> {
  const requestKey = newRequestKey();
  for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.most)) {
    const { status, body } = await attempt(options, requestKey);
    if (status === 200) return body as ProjectFile;
    // No answer, too many requests, or a server that starts or ends.
    const isTemporary = status === 0 || status === 429 || status === 502 || status === 503 || status === 504;
    if (!isTemporary) throw new UploadError(status, detailOf(body));
    options.onProgress(undefined);
    await wait(pause, options.signal);
  }
}

function attempt(options: UploadOptions, requestKey: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const { projectId, name, bytes, signal, onProgress } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // `fetch` does not say how much of a body was sent.
    const request = new XMLHttpRequest();
    // A body that is no JSON becomes `null`.
    request.responseType = 'json';
    const abort = (): void => request.abort();
    request.open(
      'POST',
      `${serverRoot()}api/v1/projects/${encodeURIComponent(projectId)}/files?name=${encodeURIComponent(name)}`,
    );
    for (const [name, value] of Object.entries(options.headers())) request.setRequestHeader(name, value);
    request.setRequestHeader('Idempotency-Key', requestKey);
    // The server recognizes the type by the bytes; the browser goes by the end of the name.
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onabort = () => reject(signal.reason as Error);
    request.onloadend = () => {
      signal.removeEventListener('abort', abort);
      resolve({ status: request.status, body: request.response });
    };
    signal.addEventListener('abort', abort);
    request.send(bytes);
  });
}

function detailOf(body: unknown): string {
  const { detail } = (body ?? {}) as { readonly detail?: unknown };
  return typeof detail === 'string' ? detail : texts.signIn.notMapwright;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
