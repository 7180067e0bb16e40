/** One request and its whole answer, as it was sent: to seed a server and to see that it answers right. */
import http from 'node:http';

export interface Request {
  readonly method: string;
  /** Below the address of the API: `/projects`. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** In addition to those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Who is asked. */
export interface Target {
  /** Address of the API, without a slash at the end. */
  readonly url: string;
  /** Sent with every request. */
  readonly key: string;
}

export interface Answer {
  readonly status: number;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** The path of the address of a target, without a slash at the end: '' for a whole server. */
export const basePathOf = ({ url }: Target): string => new URL(url).pathname.replace(/\/$/, '');

/** The headers that every request carries. */
export const headersOf = ({ key }: Target, { body, headers }: Request): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  ...headers,
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
});

/** Rejects when the connection breaks before the whole answer is there. */
export function ask(target: Target, request: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, path, body } = request;
    const req = http.request(target.url + path, { method, headers: headersOf(target, request), agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => resolve({ status: res.statusCode ?? 0, rawHeaders: res.rawHeaders, body: Buffer.concat(chunks) }));
    });
    req.on('error', reject);
    if (body !== undefined) req.setHeader('content-length', Buffer.byteLength(body));
    req.end(body);
  });
}

/** A request that must succeed; its JSON, `undefined` when there is none. */
export async function call<Shown = { readonly id: string }>(
  target: Target,
  method: string,
  path: string,
  body?: unknown,
): Promise<Shown> {
  const answer = await ask(target, { method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = answer.body.toString();
  if (answer.status !== 200 && answer.status !== 204)
    throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  return (text === '' ? undefined : JSON.parse(text)) as Shown;
}
