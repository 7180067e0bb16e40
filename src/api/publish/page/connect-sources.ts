/** The addresses that the page of a published map asks: `map.json`, versions, live results and visits, all below `/p/`. */
import type { Api } from '../../declaration.ts';

/** A host with a port that can stand in a policy: other characters of a `Host` header could end the directive, and IPv6 cannot be written. */
const plainHost = /^[\w.-]+(?::\d{1,5})?$/;
const ipv6Host = /^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/**
 * The sources of `connect-src`: a script in the page reaches the maps, and nothing else of the server. The page may be opened at the public
 * URL, and at the name that the request has. Without a public URL a proxy may have changed that name, so the whole origin is allowed.
 *
 * @param host of the request; `undefined` for none
 */
export function connectSources({ publicUrl, basePath }: Pick<Api, 'publicUrl' | 'basePath'>, host: string | undefined): string {
  if (!publicUrl.startsWith('http') || (host !== undefined && ipv6Host.test(host))) return "'self'";
  const named = host !== undefined && plainHost.test(host) ? [`http://${host}${basePath}`, `https://${host}${basePath}`] : [];
  return [...new Set([publicUrl, ...named])].map((root) => `${root}/p/`).join(' ');
}

/** A policy whose page may ask these sources. */
export const withConnections = (policy: string, sources: string): string => `${policy}; connect-src ${sources}`;
