/** A client of the API that hides nothing: no retries, no connection kept. What goes over the wire is held against the description. */
import http from 'node:http';
import { undescribed } from './described.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of a server under test; each test says what it expects
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** `undefined` when the body is none or not JSON. */
  readonly json: Json;
}

export interface Asked {
  /** Root of the server; behind a proxy, where it is found. */
  readonly url: string;
  readonly key?: string;
  readonly agent?: http.Agent | false;
  /** Whether its exchanges are held against the description; `false` for a server that has one of its own. */
  readonly described?: false;
}

/** Sends one request; rejects when the connection breaks before the whole answer is there, and when the description knows no such exchange. */
export function ask(server: Asked, method: string, route: string, body?: unknown): Promise<Answer> {
  const { url, key, agent = false, described = true } = server;
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = {};
    if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const req = http.request(url + route, { method, headers, agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, headers } = res;
        const exchange = { method, target: route, body: sent, status, headers, text };
        const fault = described ? undescribed(exchange) : undefined;
        if (fault !== undefined) reject(new Error(fault));
        const isJson = headers['content-type']?.includes('json') === true && text !== '';
        resolve({ status, headers, text, json: isJson ? JSON.parse(text) : undefined });
      });
    });
    req.on('error', reject);
    req.end(sent);
  });
}
