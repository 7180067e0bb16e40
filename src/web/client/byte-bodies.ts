/** Bodies of bytes, for the upload of files. */

/** The bytes of an upload. A stream can be read only once: such a request is not retried. */
export type Bytes = Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** The name of a body's class, also of one that this page does not have. */
const classOf = (body: unknown): string => Object.prototype.toString.call(body).slice(8, -1);

/** Whether a body can be sent only once. */
export const isStream = (body: unknown): boolean =>
  classOf(body) === 'ReadableStream' || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body);

/** How bytes are sent; `undefined` for a body of JSON. The server recognizes pictures itself. */
export function sendingOf(body: unknown): { readonly type: string; readonly init: object } | undefined {
  const isBytes = ['Blob', 'File', 'ArrayBuffer'].includes(classOf(body)) || ArrayBuffer.isView(body);
  if (!isBytes && !isStream(body)) return undefined;
  const { type } = body as { readonly type?: unknown };
  return {
    type: typeof type === 'string' && type !== '' ? type : 'application/octet-stream',
    init: { bodySerializer: (bytes: unknown) => bytes, ...(isBytes ? {} : { duplex: 'half' }) },
  };
}
