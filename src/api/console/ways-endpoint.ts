/** `GET /console/ways`: how somebody who is not signed in can sign in here, for the page that says so. It needs no key. */
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackAddress, withoutPort } from '../../http/guard/loopback.ts';
import type { PublicEndpoint } from '../../http/route.ts';
import type { Caller } from '../../http/transport/transport.ts';
import { isLoopbackHost } from '../../lib/draw/loopback-host.ts';
import { json } from './console-reply.ts';

/** Beside a link and an API key, which work everywhere. */
export interface Ways {
  /** The data folder, for `mapwright console --data`; only for a browser on the machine of the server, else `null`. */
  readonly dataFolder: string | null;
  /** The provider of OpenID Connect that signs people in; `null` for none. */
  readonly oidc: { readonly name: string } | null;
}

interface Server {
  /** Absolute path; `undefined` without one. */
  readonly dataFolder: string | undefined;
  /** Whether browsers reach the server at another address: then a request from this machine may be one that a proxy passes on. */
  readonly hasPublicUrl: boolean;
  readonly provider: { readonly name: string } | undefined;
}

/** Headers of proxies. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Whether a request is one of a browser on this machine, and was not passed on. */
export function isLocal({ address }: Pick<Caller, 'address'>, headers: IncomingHttpHeaders): boolean {
  if (!isLoopbackAddress(address) || !isLoopbackHost(withoutPort(headers.host ?? ''))) return false;
  return forwarding.every((name) => headers[name] === undefined);
}

export function waysEndpoint({ dataFolder, hasPublicUrl, provider }: Server): PublicEndpoint {
  return {
    public: true,
    method: 'GET',
    path: '/console/ways',
    prefixes: [''],
    handle({ caller, headers }) {
      const isShown = dataFolder !== undefined && !hasPublicUrl && isLocal(caller, headers);
      const oidc = provider === undefined ? null : { name: provider.name };
      const ways: Ways = { dataFolder: isShown ? dataFolder : null, oidc };
      return json(ways);
    },
  };
}
