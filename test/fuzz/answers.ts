/** Reads what a server sent over a connection, strictly: whole answers, one after the other, and nothing else. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { must } from './target.ts';

/** Statuses that the server gives. 5xx are among them only where they say that the server is busy or full. */
const statuses = new Set([
  100, 200, 204, 206, 304, 400, 401, 403, 404, 405, 408, 409, 412, 413, 414, 415, 416, 417, 422, 429, 431, 503, 507,
]);

const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n:]+:[^\r\n]*\r\n)*)\r\n/;

/**
 * The statuses of the answers, in order. Throws for anything that is no sound answer.
 *
 * @param perhapsHead one of the requests may have been a HEAD, whose answer has the headers of a body and none
 */
export function responsesIn(received: string, perhapsHead: boolean): number[] {
  const answers: number[] = [];
  for (let rest = received; rest !== ''; ) {
    const match = head.exec(rest);
    must(match !== null, `no answer: ${JSON.stringify(rest.slice(0, 200))}`);
    const [whole, code, lines = ''] = match;
    const status = Number(code);
    must(statuses.has(status), `an answer with ${JSON.stringify(rest.slice(0, 400))}`);
    answers.push(status);
    const headers = new Map(
      lines
        .split('\r\n')
        .filter((line) => line !== '')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    rest = rest.slice(whole.length);
    if (status === 100 || status === 204 || status === 304) continue;
    const [sent, after] = bodyOf(headers, rest, perhapsHead);
    const body = sent === undefined ? undefined : decoded(headers.get('content-encoding'), sent);
    if (body === undefined) {
      must(perhapsHead && (rest === '' || rest.startsWith('HTTP/1.1 ')), `half an answer: ${JSON.stringify(rest.slice(0, 200))}`);
      continue;
    }
    // A picture is no JSON either.
    if (perhapsHead && !isJson(body) && (rest === '' || rest.startsWith('HTTP/1.1 '))) continue;
    rest = after;
    checkBody(status, headers.get('content-type') ?? '', body);
  }
  return answers;
}

/** A body as it was before it was coded; `undefined` when it is not what it is said to be. */
function decoded(coding: string | undefined, body: string): string | undefined {
  if (coding === undefined) return body;
  const bytes = Buffer.from(body, 'latin1');
  try {
    if (coding === 'br') return brotliDecompressSync(bytes).toString('latin1');
    if (coding === 'gzip') return gunzipSync(bytes).toString('latin1');
  } catch {
    // Of a HEAD, what follows is the next answer.
  }
  return undefined;
}

/** The body and what follows it; `undefined` when it is not whole. */
function bodyOf(
  headers: ReadonlyMap<string, string>,
  text: string,
  perhapsHead: boolean,
): [body: string | undefined, rest: string] {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? Number.NaN);
    if (perhapsHead && headers.has('content-encoding') && Number.isNaN(length)) return [undefined, text];
    must(Number.isInteger(length), `an answer of unknown length: ${JSON.stringify([...headers])}`);
    return text.length < length ? [undefined, text] : [text.slice(0, length), text.slice(length)];
  }
  let body = '';
  for (let at = 0; ; ) {
    const size = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20));
    if (size === null) return [undefined, text];
    const length = Number.parseInt(size[1] as string, 16);
    const start = at + size[0].length;
    if (text.slice(start + length, start + length + 2) !== '\r\n') return [undefined, text];
    at = start + length + 2;
    if (length === 0) return [body, text.slice(at)];
    body += text.slice(start, start + length);
  }
}

function checkBody(status: number, type: string, body: string): void {
  if (status >= 400) {
    must(type === 'application/problem+json', `a refusal as ${type}`);
    const problem = JSON.parse(body) as { status?: unknown; code?: unknown; detail?: unknown };
    must(
      problem.status === status && typeof problem.code === 'string' && typeof problem.detail === 'string',
      `a problem that is none: ${body.slice(0, 300)}`,
    );
  } else if (type.includes('json')) {
    must(isJson(body), `no JSON: ${body.slice(0, 300)}`);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(Buffer.from(text, 'latin1').toString());
    return true;
  } catch {
    return false;
  }
}
