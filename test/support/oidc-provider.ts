/** A provider of OpenID Connect on loopback (`oidc-provider`), and a browser that signs in there: fetch, with cookies by hand. */
import { generateKeyPairSync } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Configuration, Provider } from 'oidc-provider';
import type { Test } from 'tap';

/** What the provider says about a user. */
export interface User {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface TestProvider {
  readonly issuer: string;
  /** By `sub`; a test changes them. */
  readonly users: Map<string, User>;
  /** Options of a server that uses it. */
  readonly options: { readonly oidcIssuer: string; readonly oidcClient: string; readonly oidcSecret: string };
  /** Paths that it was asked for. */
  readonly asked: string[];
  /** Browsers that come from now on are signed in as `sub`. */
  signInAs(sub: string): void;
  /** Signs in as `sub` at an address of the provider; returns the address to which it sends the browser back. */
  visit(address: string, sub: string): Promise<URL>;
  /** The user does not agree. */
  refuse(address: string): Promise<URL>;
  close(): Promise<void>;
}

const signingKeys = { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] };

/** Loads and makes something without its warnings that a provider for tests is none for production. */
async function quietly<Made>(make: () => Made | Promise<Made>): Promise<Made> {
  const { warn, info } = console;
  Object.assign(console, { warn() {}, info() {} });
  try {
    return await make();
  } finally {
    Object.assign(console, { warn, info });
  }
}

/** @param callback address to which browsers are sent back */
export async function startProvider(t: Test, callback: string): Promise<TestProvider> {
  const users = new Map<string, User>();
  const asked: string[] = [];
  let as = '';
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (id: string) => ({ client_id: id, client_secret: `secret of ${id}`, redirect_uris: [callback] });
  const library = await quietly(() => import('oidc-provider'));
  const configuration: Configuration = {
    clients: [client('maps'), client('other')],
    jwks: signingKeys,
    cookies: { keys: ['test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...users.get(id) }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId ?? '', accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Grant: 600, Interaction: 600, Session: 600 },
  };
  const provider: Provider = await quietly(() => new library.Provider(issuer, configuration));
  const handle = provider.callback();
  server.on('request', (req, res) => {
    const { url = '' } = req;
    asked.push(url.split('?', 1)[0] as string);
    if (!url.startsWith('/interaction/')) return void handle(req, res);
    const result = as === '' ? { error: 'access_denied', error_description: '<b>no</b>' } : { login: { accountId: as } };
    return void provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.teardown(close);
  const visit = async (address: string, sub: string): Promise<URL> => {
    as = sub;
    const jar = new Map<string, string>();
    let url = new URL(address);
    for (let hops = 0; hops < 10 && url.origin === issuer; hops++) {
      const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`);
      url = new URL(location, url);
    }
    return url;
  };
  return {
    ...{ issuer, users, asked, close, visit },
    signInAs(sub) {
      as = sub;
    },
    refuse: (address) => visit(address, ''),
    options: { oidcIssuer: issuer, oidcClient: 'maps', oidcSecret: 'secret of maps' },
  };
}
