/** A client of the API that hides nothing: no retries, no connection kept. */
import http from 'node:http';

// biome-ignore lint/suspicious/noExplicitAny: answers of a server under test; each test says what it expects
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** `undefined` when the body is none or not JSON. */
  readonly json: Json;
}

/** Sends one request; rejects when the connection breaks before the whole answer is there. */
export function ask(
  { url, key, agent = false }: { url: string; key?: string; agent?: http.Agent | false },
  method: string,
  route: string,
  body?: unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = {};
    if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const req = http.request(url + route, { method, headers, agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = res.headers['content-type']?.includes('json') === true && text !== '';
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: isJson ? JSON.parse(text) : undefined });
      });
    });
    req.on('error', reject);
    req.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
