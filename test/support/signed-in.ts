/** A browser without a page: it keeps the two secrets of a session as browsers do, and asks with them. */
import http from 'node:http';

/** Where it asks. */
interface Origin {
  readonly port: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** `{}` for a body that is no JSON object or array. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly json: any;
  readonly bytes: Buffer;
}

interface Sent {
  readonly body?: unknown;
  readonly headers?: http.OutgoingHttpHeaders;
}

/** Sends a request as it is: the routes of the console are not in the description of the API. */
export function ask({ port }: Origin, method: string, target: string, { body, headers = {} }: Sent = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const options = { host: '127.0.0.1', port, method, path: target, headers: { ...type, ...headers }, agent: false };
    const req = http.request(options, (res) => {
      // A stream does not end; its head is enough.
      if (res.headers['content-type'] === 'text/event-stream') {
        res.destroy();
        resolve({ status: res.statusCode ?? 0, headers: res.headers, json: {}, bytes: Buffer.alloc(0) });
        return;
      }
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('end', () => {
        const bytes = Buffer.concat(parts);
        const isJson = /json/.test(res.headers['content-type'] ?? '') && bytes.length > 0;
        resolve({ status: res.statusCode ?? 0, headers: res.headers, json: isJson ? JSON.parse(bytes.toString()) : {}, bytes });
      });
    });
    req.on('error', reject);
    req.end(typeof body === 'string' || body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}

/** The code in an address of the console. */
export const codeIn = (address: string): string => (/#code=([\w-]+)/.exec(address)?.[1] ?? '') as string;

export class SignedIn {
  readonly origin: Origin;
  /** For `Cookie`; '' for none. */
  cookie = '';
  /** For `Mapwright-Session`; '' for none. */
  secret = '';

  constructor(origin: Origin) {
    this.origin = origin;
  }

  /** Signs in with the code in an address, or with a code alone. */
  async enter(address: string): Promise<Answered> {
    const code = codeIn(address) || address;
    const answer = await this.ask('POST', `/console/session?shard=${code.charAt(0)}`, { code });
    if (answer.status === 200) {
      const [set = ''] = answer.headers['set-cookie'] ?? [];
      this.cookie = set.slice(0, set.indexOf(';'));
      this.secret = answer.json.secret;
    }
    return answer;
  }

  get headers(): http.OutgoingHttpHeaders {
    return {
      ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      ...(this.secret === '' ? {} : { 'mapwright-session': this.secret }),
    };
  }

  ask(method: string, target: string, body?: unknown): Promise<Answered> {
    return ask(this.origin, method, target, { body, headers: this.headers });
  }

  /** Invites a person, and signs another browser in as this person. */
  async invite(wish: object): Promise<SignedIn & { id: string }> {
    const { status, json } = await this.ask('POST', '/console/people', wish);
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(json)}`);
    const other = new SignedIn(this.origin);
    const entered = await other.enter(json.path);
    if (entered.status !== 200) throw new Error(`${entered.status} ${JSON.stringify(entered.json)}`);
    return Object.assign(other, { id: json.id as string });
  }
}

/** What makes addresses that sign in. */
interface Addresses {
  readonly port: number;
  readonly server: { consoleAddress(account: string, options?: object): Promise<{ readonly path: string }> };
}

/** A browser in which the owner of an account is signed in, or another person. */
export async function signIn(mapwright: Addresses, account = 'ann', options: object = {}): Promise<SignedIn> {
  const browser = new SignedIn(mapwright);
  const { status, json } = await browser.enter((await mapwright.server.consoleAddress(account, options)).path);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return browser;
}
