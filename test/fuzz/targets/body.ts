/** Bodies as they arrive: headers that describe them, and bytes in pieces, more or fewer than may be. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ProgressTimer } from '../../../src/http/guard/progress-timer.ts';
import { Problem } from '../../../src/http/problem.ts';
import { ClientGoneError, declaredLength, parseJsonBody, refusedByHeaders } from '../../../src/http/request/body.ts';
import { receive } from '../../../src/http/request/receive.ts';
import { must, refusal, type Target } from '../target.ts';

const bytesMax = 4096;
const watch = new ProgressTimer(60_000);

/** Input: content type, content coding and length, a line each; then how it is cut, a line; then the body. */
const input = (type: string, coding: string, length: string, pieces: string, body: string): Buffer =>
  Buffer.from([type, coding, length, pieces, body].join('\n'), 'latin1');

export function body(): Target {
  return {
    name: 'body',
    inputs: 15_000,
    seeds: [
      input('application/json', '', '13', '3,4', '{"name":"ann"}'),
      input('application/json; charset="utf-8"', '', '', '', '[1,2]'),
      input('APPLICATION/JSON;charset=utf8', '', '99999', '1', '{}'),
      input('text/plain', 'gzip', '2', '', '{}'),
      input('', '', '', '7,gone', '{"a":"b","c":1}'),
      input('application/json', '', '', '5', `{"a":"${'x'.repeat(5000)}"}`),
      input('application/json', '', '', '', ''),
    ],
    words: ['application/json', ';', 'charset=', 'utf-8', 'latin1', '"', '\n', 'gone', ',', '{', '}', '[', '__proto__'],
    outcomes: ['an object', 'refused: Problem', 'refused: ClientGoneError'],
    async run(bytes) {
      const [type = '', coding = '', length = '', pieces = '', ...rest] = bytes.toString('latin1').split('\n');
      const sent = Buffer.from(rest.join('\n'), 'latin1');
      const headers = {
        ...(type === '' ? {} : { 'content-type': type }),
        ...(coding === '' ? {} : { 'content-encoding': coding }),
        ...(/^\d+$/.test(length) ? { 'content-length': length } : {}),
      };
      const req = Object.assign(stream(sent, pieces.split(',')), { headers }) as unknown as IncomingMessage;
      try {
        const problem = refusedByHeaders(req, bytesMax);
        if (problem !== undefined) throw problem;
        const bytesExpected = declaredLength(req);
        const read = await new Promise<Buffer>((received, failed) =>
          receive(req, { bytesMax, bytesExpected, watch, hold: () => undefined, received, failed }),
        );
        must(read.length <= bytesMax && read.equals(sent), 'another body than was sent');
        const { value } = parseJsonBody(read);
        must(typeof value === 'object' && value !== null && !Array.isArray(value), 'a body that is no object');
        return 'an object';
      } catch (error) {
        if (error instanceof Problem) must([400, 413, 415].includes(error.status), `a refusal with ${error.status}`);
        return refusal(error, Problem, ClientGoneError);
      } finally {
        req.destroy();
      }
    },
  };
}

/** The bytes in pieces of these lengths; `gone` breaks off. */
function stream(bytes: Buffer, pieces: readonly string[]): Readable {
  let [at, next] = [0, 0];
  return new Readable({
    read() {
      const piece = pieces[next++];
      if (piece === 'gone') {
        this.destroy();
        return;
      }
      const length = Math.max(1, Number.parseInt(piece ?? '', 10) || bytes.length);
      this.push(at >= bytes.length ? null : bytes.subarray(at, at + length));
      at += length;
    },
  });
}
