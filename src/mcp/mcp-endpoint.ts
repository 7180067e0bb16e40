/** `POST /mcp`: the Model Context Protocol for agents, with the API keys that exist. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../api/authorize.ts';
import { isLoopbackAddress, withoutPort } from '../http/guard/loopback.ts';
import { problems } from '../http/problem.ts';
import { parsingBody } from '../http/request/body.ts';
import type { BodyPieces } from '../http/request/body-stream.ts';
import type { Reply } from '../http/response/reply.ts';
import type { ApiRequest, PrivateEndpoint } from '../http/route.ts';
import type { Caller } from '../http/transport/transport.ts';
import { runCooperatively } from '../lib/async/cooperative.ts';
import { Turns } from '../lib/async/turns.ts';
import { isLoopbackHost } from '../lib/draw/loopback-host.ts';
import type { Log } from '../lib/observability/logger.ts';
import { mebibyte } from '../lib/option-declaration.ts';
import { AgentVersions } from './agent-versions.ts';
import { ImportThread } from './import/import-thread.ts';
import { MapsApi, type Send } from './maps-api.ts';
import type { HandleMessage } from './protocol.ts';

export interface McpOptions {
  /** Sends a request to the admin API of this server. */
  readonly send: Send;
  readonly log: Log;
  /** Origins that may use the API from browsers; `*` for all. */
  readonly cors: readonly string[];
  /** The public URL; '' for none. */
  readonly publicUrl: string;
}

/** Largest message, in bytes: a text of an import is 5 MiB, and JSON may double it. */
const bodyBytesMax = 12 * mebibyte;

/** The endpoint, and what ends with the server. */
export class Mcp {
  readonly #options: McpOptions;
  readonly #versions = new AgentVersions();
  readonly #imports: ImportThread;
  /** Messages that are answered at a time: requests of people run between them. */
  readonly #turns = new Turns({ total: 8, perAccount: 4, waitingPerAccount: 200, what: 'messages of agents' });
  #protocol: Promise<HandleMessage> | undefined;

  constructor(options: McpOptions) {
    this.#options = options;
    this.#imports = new ImportThread(options.log);
  }

  close(): Promise<void> {
    return this.#imports.close();
  }

  endpoint<Of extends Principal>(): PrivateEndpoint<Of, Principal> {
    return {
      ...{ method: 'POST', path: '/mcp', prefixes: [''], streamsBody: 'json' },
      authorize(principal) {
        if (principal.personId === '' && principal.keyId !== '') return principal;
        throw problems.forbidden('Agents need an API key of their own: npx mapwright keys create ACCOUNT --label "Agent".');
      },
      handle: (request) => this.#handle(request),
    };
  }

  async #handle({ headers, pieces, scope, caller }: ApiRequest<Principal>): Promise<Reply> {
    this.#refuseOtherSites(headers, caller);
    const message = await messageIn(pieces, headers);
    const { Agent } = await import('./agent.ts');
    this.#protocol ??= this.#load();
    const handle = await this.#protocol;
    const api = new MapsApi(this.#options.send, 'http://in-process/v1', {
      caller: scope.keyId,
      authorization: headers.authorization ?? '',
    });
    const isGone = (): boolean => caller.over === true;
    const convert = (task: Parameters<ImportThread['plan']>[1]) => this.#imports.plan(scope.accountId, task, isGone);
    const agent = new Agent({ api, rights: scope.rights, versions: this.#versions, convert, isGone, onFault: this.#onFault });
    return await this.#turns.run(scope.accountId, async () => replyOf(await handle(protocolHeaders(headers), message, agent)));
  }

  readonly #onFault = (err: unknown): void => this.#options.log.error({ err }, 'a tool of agents failed');

  async #load(): Promise<HandleMessage> {
    const { httpProtocol } = await import('./protocol.ts');
    return httpProtocol();
  }

  /** A page of another site must not use a key that a browser has, nor reach this machine by a name that its owner made point here. */
  #refuseOtherSites({ host = '', origin }: IncomingHttpHeaders, { localAddress = '' }: Caller): void {
    const { cors, publicUrl } = this.#options;
    const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
    const isOwn = origin === undefined || [`http://${host}`, `https://${host}`, url?.origin].includes(origin);
    if (!isOwn && !cors.includes('*') && !cors.includes(origin))
      throw problems.forbidden(`Pages of ${origin} may not use this server. Name the origin with --cors, if they should.`);
    if (isLoopbackAddress(localAddress) && !isLoopbackHost(withoutPort(host)) && host !== url?.host)
      throw problems.forbidden('This host is not one of this server. Behind a proxy, set --public-url.');
  }
}

/** Headers of the protocol; all others are the business of this server. */
const protocolHeader = /^(?:mcp-|accept$|content-type$|last-event-id$)/;

function protocolHeaders(headers: IncomingHttpHeaders): Headers {
  const found = Object.entries(headers).filter(([name]) => protocolHeader.test(name));
  const own = new Headers(found.map(([name, value]) => [name, String(value)]));
  if (!own.has('content-type')) own.set('content-type', 'application/json');
  return own;
}

async function messageIn(pieces: BodyPieces | undefined, headers: IncomingHttpHeaders): Promise<unknown> {
  if (Number(headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge();
  const read: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces ?? []) {
    length += piece.length;
    if (length > bodyBytesMax) throw tooLarge();
    pieces?.holds(length);
    read.push(piece);
  }
  const { value, fieldErrors } = await runCooperatively(parsingBody(Buffer.concat(read)));
  if (fieldErrors.length > 0) throw problems.validationFailed(fieldErrors);
  return value;
}

const tooLarge = () => problems.payloadTooLarge(`A message of an agent has at most ${bodyBytesMax / mebibyte} MiB.`);

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const noStore = { 'Cache-Control': 'no-store' };
  const text = Buffer.from(await response.arrayBuffer());
  if (text.length === 0) return { kind: 'text', status, text, contentType: 'application/json', headers: noStore };
  return { kind: 'text', status, text, contentType: headers.get('content-type') ?? 'application/json', headers: noStore };
}
