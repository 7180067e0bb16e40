/**
 * Proxies in front of a server: the client address that they report, and the public URL under which they publish the API.
 *
 * A proxy appends the address of its own client to `X-Forwarded-For`. Earlier elements came with the request, and the client may have
 * forged them. So the list is read from its end, beginning with the other end of the connection:
 *
 *     connection          list, from the end                       client
 *     not a trusted proxy anything                                 the other end of the connection
 *     a trusted proxy     trusted proxies, …, another address      that other address
 *     a trusted proxy     …, an element that is not an address     the last address that could be read
 *     a trusted proxy     only trusted proxies, or nothing         the first of them
 *
 * Without `X-Forwarded-For`, `Forwarded` (RFC 7239) is read in the same way. Nothing here depends on whether the client used TLS, so
 * `X-Forwarded-Proto` is not read.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import net from 'node:net';
import { blockListOf, isAddressRange, unmapped } from '../lib/text/address-ranges.ts';
import { remoteAddressOf } from './transport/remote-address.ts';

/** The proxies in front of a listener. */
export interface ProxyOptions {
  /** Path prefix of the public URL: `/maps`; '' for none. Requests may contain it, or the proxy may remove it. */
  readonly basePath: string;
  /** Proxies whose forwarding headers are trusted. Default: none. */
  readonly proxies?: Proxies;
}

/** Names of address ranges, as in other servers. */
const named: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/** Maximum number of list elements that are read, from the end: real chains are shorter, and a client may send a list of any length. */
const hopsMax = 32;

/** Maximum length of an element: an IPv6 address with a zone and a port. */
const addressLengthMax = 80;

export class Proxies {
  readonly #hops: number;
  readonly #ranges: net.BlockList | undefined;

  /** @param trusted a value that {@link validateTrustProxy} accepts */
  constructor(trusted: string) {
    this.#hops = hopsIn(trusted) ?? 0;
    this.#ranges = this.#hops > 0 ? undefined : rangesOf(trusted);
  }

  /** Whether the other end of a connection is a proxy. If only the number of proxies is known, it always is. */
  includes(address: string): boolean {
    return this.#trusts(unmapped(address), 0);
  }

  /** The client address of a request; '' if its connection is closed and no header names one. */
  clientOf(req: IncomingMessage): string {
    let client = unmapped(remoteAddressOf(req));
    const { list, addressIn } = sentIn(req.headers);
    for (let hop = 0, end = list.length; hop < hopsMax && end >= 0 && this.#trusts(client, hop); hop++) {
      const comma = list.lastIndexOf(',', end - 1);
      const address = addressIn(list.slice(comma + 1, end));
      if (address === undefined) break;
      client = address;
      end = comma;
    }
    return client;
  }

  #trusts(address: string, hop: number): boolean {
    if (this.#ranges === undefined) return hop < this.#hops;
    const family = net.isIP(address);
    return family !== 0 && this.#ranges.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }
}

/** The forwarding list of a request, and a function that reads the address of one element. */
function sentIn(headers: IncomingHttpHeaders): { list: string; addressIn: (element: string) => string | undefined } {
  const list = headers['x-forwarded-for'];
  if (list === undefined) return { list: headers.forwarded ?? '', addressIn: (element) => addressIn(forOf(element)) };
  return { list: String(list), addressIn };
}

/** The `for` value of an element of `Forwarded`. Commas within quotation marks never occur in an address, so they are not handled. */
function forOf(element: string): string {
  const pair = element.split(';').find((part) => /^\s*for=/i.test(part)) ?? '';
  return pair.slice(pair.indexOf('=') + 1).replaceAll('"', '');
}

/** Parses an address with or without a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `2001:db8::1`; otherwise `undefined`. */
function addressIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > addressLengthMax) return undefined;
  const [, inBrackets, v4, v6] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+)(?::\d+)?|([^[\]]+))$/.exec(trimmed) ?? [];
  const address = (inBrackets ?? v4 ?? v6 ?? '').split('%')[0] as string;
  const isAddress = inBrackets === undefined ? net.isIP(address) !== 0 : net.isIPv6(address);
  return isAddress ? unmapped(address) : undefined;
}

/** The number of proxies; `undefined` for a list of addresses. */
function hopsIn(trusted: string): number | undefined {
  return /^\d+$/.test(trusted) ? Number(trusted) : undefined;
}

/** Whether the proxies are given by their number, so that connections of proxies and of clients cannot be distinguished. */
export const isCount = (trusted: string): boolean => hopsIn(trusted) !== undefined;

const rangesOf = (trusted: string): net.BlockList =>
  blockListOf(trusted.split(',').flatMap((name) => named.get(name.trim()) ?? [name.trim()]));

/** Checks a list of proxies: an error message with valid examples, or `undefined` if it is valid. */
export function validateTrustProxy(trusted: string): string | undefined {
  const hops = hopsIn(trusted);
  if (hops !== undefined)
    return hops >= 1 && hops < hopsMax
      ? undefined
      : `the number of proxies is ${trusted}: write a number from 1 to ${hopsMax - 1}`;
  const wrong = trusted.split(',').find((range) => !named.has(range.trim()) && !isAddressRange(range.trim(), 1));
  if (wrong === undefined) return undefined;
  if (/\/0*$/.test(wrong.trim()))
    return `"${wrong}" trusts every address, so any client could forge its own: write the number of proxies instead, such as 1`;
  const example = 'loopback, linklocal, uniquelocal, an address, a range such as 10.0.0.0/8, or the number of proxies';
  return `"${wrong}" is not an address: write ${example}`;
}

/** A valid path prefix of a public URL: segments that no route takes for a parameter, and that need no decoding. */
const plainPath = /^(?:\/[\w.~-]+)*$/;
/** A path that contains the API's own prefix, which would be doubled. */
const withVersion = /^\/(?:api\/)?v1(?:\/|$)|\/v1$/;

/** Checks a public URL: an error message with a valid example, or `undefined` if it is valid. */
export function validatePublicUrl(text: string): string | undefined {
  const isPath = text.startsWith('/');
  const url = !isPath && URL.canParse(text) ? new URL(text) : undefined;
  if (!isPath && (url === undefined || !/^https?:$/.test(url.protocol)))
    return `"${text}" is not a URL: write one such as https://maps.example.com, or a path such as /maps`;
  const origin = url?.origin ?? '';
  if (url !== undefined && (url.username !== '' || url.search !== '' || url.hash !== '' || /[?#]/.test(text)))
    return `"${text}" has more than scheme, host, port and path: write ${origin}${url.pathname}`;
  const path = basePathOf(text);
  if (withVersion.test(path))
    return `"${text}" includes the path of the API: write it without that path, ${origin}${path.replace(/(?:\/api)?\/v1(?:\/.*)?$/, '')}`;
  return plainPath.test(path) && !/\/\.\.?(?:\/|$)/.test(path)
    ? undefined
    : `the path of "${text}" has characters other than letters, digits and . _ ~ - between slashes: write one such as ${origin}/maps`;
}

/** A public URL without a trailing slash. */
export const withoutSlash = (publicUrl: string): string =>
  (publicUrl.startsWith('/') ? publicUrl : new URL(publicUrl).href).replace(/\/+$/, '');

/** A path without that of the public URL, which a proxy may have removed already. */
export function belowBasePath(path: string, basePath: string): string {
  return path === basePath || path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

/** The path prefix of a public URL: `/maps`; '' for none. */
export const basePathOf = (publicUrl: string): string =>
  (publicUrl.startsWith('/') ? publicUrl : new URL(publicUrl).pathname).replace(/\/+$/, '');
