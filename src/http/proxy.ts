/**
 * What stands in front of a server: proxies, which say whom they ask for, and an address of theirs that leads here.
 *
 * A proxy appends the address that it was asked from to `X-Forwarded-For`. What stands before that came with the request, and anybody may
 * have made it up. So the list is read from its end, beginning with the other end of the connection:
 *
 *     connection          in the list, from the end               the client is
 *     no proxy of ours    whatever                                the other end of the connection
 *     a proxy of ours     a proxy of ours, …, another address     that other address
 *     a proxy of ours     …, what is no address                   the last one that could be read
 *     a proxy of ours     only proxies of ours, or nothing        the first of them
 *
 * `Forwarded` (RFC 7239) is read in the same way where there is no `X-Forwarded-For`. Nothing here depends on whether a client spoke TLS to its
 * proxy, so `X-Forwarded-Proto` is not read.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import net from 'node:net';

/** What a listener is told of it. */
export interface ProxyOptions {
  /** What the public address has before our paths: `/maps`; '' for nothing. Requests may carry it, or have it taken off. */
  readonly basePath: string;
  /** Whose word counts about whom a request comes from; by default nobody's. */
  readonly proxies?: Proxies;
}

/** Names of ranges, as other servers have them. */
const named: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/** Addresses of a list that are looked at, from its end: nobody has more proxies, and a client may send a list as long as it likes. */
const hopsMax = 32;

/** Longest element that is looked into: an address of IPv6 with a zone and a port. */
const addressLengthMax = 80;

export class Proxies {
  readonly #hops: number;
  readonly #ranges: net.BlockList | undefined;

  /** @param trusted as {@link validateTrustProxy} lets it pass */
  constructor(trusted: string) {
    this.#hops = hopsIn(trusted) ?? 0;
    this.#ranges = this.#hops > 0 ? undefined : rangesOf(trusted);
  }

  /** Whether the other end of a connection is a proxy and no client. By their number alone, it always is. */
  includes(address: string): boolean {
    return this.#trusts(unmapped(address), 0);
  }

  /** Address of the client that a request comes from; '' when its connection is closed and nobody is named. */
  clientOf({ socket, headers }: IncomingMessage): string {
    let client = unmapped(socket.remoteAddress ?? '');
    const { list, addressIn } = sentIn(headers);
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

/** The list that a request carries, and how one of its elements names an address. */
function sentIn(headers: IncomingHttpHeaders): { list: string; addressIn: (element: string) => string | undefined } {
  const list = headers['x-forwarded-for'];
  if (list === undefined) return { list: headers.forwarded ?? '', addressIn: (element) => addressIn(forOf(element)) };
  return { list: String(list), addressIn };
}

/** What an element of `Forwarded` says behind `for`. Commas within quotation marks would be in no address, so none are looked for. */
function forOf(element: string): string {
  const pair = element.split(';').find((part) => /^\s*for=/i.test(part)) ?? '';
  return pair.slice(pair.indexOf('=') + 1).replaceAll('"', '');
}

/** An address, with or without a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `2001:db8::1`; `undefined` for anything else. */
function addressIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > addressLengthMax) return undefined;
  const [, inBrackets, v4, v6] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+)(?::\d+)?|([^[\]]+))$/.exec(trimmed) ?? [];
  const address = (inBrackets ?? v4 ?? v6 ?? '').split('%')[0] as string;
  const isAddress = inBrackets === undefined ? net.isIP(address) !== 0 : net.isIPv6(address);
  return isAddress ? unmapped(address) : undefined;
}

/** An IPv4 address that is written as one of IPv6, as it is otherwise written. */
function unmapped(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}

/** How many proxies there are; `undefined` for a text that says which. */
function hopsIn(trusted: string): number | undefined {
  return /^\d+$/.test(trusted) ? Number(trusted) : undefined;
}

/** Whether proxies are told by their number, so that none can be told from a client. */
export const isCount = (trusted: string): boolean => hopsIn(trusted) !== undefined;

function rangesOf(trusted: string): net.BlockList {
  const ranges = new net.BlockList();
  for (const range of trusted.split(',').flatMap((name) => named.get(name.trim()) ?? [name.trim()])) {
    const [address = '', bits] = range.split('/');
    const family = net.isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) ranges.addAddress(address, family);
    else ranges.addSubnet(address, Number(bits), family);
  }
  return ranges;
}

/** What is wrong with a list of proxies, and what to write; `undefined` when nothing is. */
export function validateTrustProxy(trusted: string): string | undefined {
  const hops = hopsIn(trusted);
  if (hops !== undefined)
    return hops >= 1 && hops < hopsMax ? undefined : `${trusted} proxies: write a number from 1 to ${hopsMax - 1}`;
  const wrong = trusted.split(',').find((range) => !named.has(range.trim()) && !isRange(range.trim()));
  if (wrong === undefined) return undefined;
  if (/\/0*$/.test(wrong.trim()))
    return `"${wrong}" is everybody, and anybody would be believed: write how many proxies there are, such as 1`;
  const example = 'loopback, linklocal, uniquelocal, an address, a range such as 10.0.0.0/8, or how many proxies there are';
  return `"${wrong}" is no address: write ${example}`;
}

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (more.length > 0 || address.includes('%') || net.isIP(address) === 0 || unmapped(address) !== address) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (net.isIPv4(address) ? 32 : 128));
}

/** What a public address may have before our paths: words that no route takes for a parameter, and nothing that has to be decoded. */
const plainPath = /^(?:\/[\w.~-]+)*$/;
/** A path with the API's own prefix in it, which would be there twice. */
const withVersion = /^\/(?:api\/)?v1(?:\/|$)|\/v1$/;

/** What is wrong with a public address, and what to write; `undefined` when nothing is. */
export function validatePublicUrl(text: string): string | undefined {
  const isPath = text.startsWith('/');
  const url = !isPath && URL.canParse(text) ? new URL(text) : undefined;
  if (!isPath && (url === undefined || !/^https?:$/.test(url.protocol)))
    return `"${text}" is no address: write one such as https://maps.example.com, or a path such as /maps`;
  const origin = url?.origin ?? '';
  if (url !== undefined && (url.username !== '' || url.search !== '' || url.hash !== '' || /[?#]/.test(text)))
    return `"${text}" has more than scheme, host, port and path: write ${origin}${url.pathname}`;
  const path = basePathOf(text);
  if (withVersion.test(path))
    return `"${text}" is that of the API: write the one before it, ${origin}${path.replace(/(?:\/api)?\/v1(?:\/.*)?$/, '')}`;
  return plainPath.test(path) && !/\/\.\.?(?:\/|$)/.test(path)
    ? undefined
    : `"${text}" has a path that is not of letters, digits and . _ ~ - between slashes: write one such as ${origin}/maps`;
}

/** A public address without a slash at its end. */
export const withoutSlash = (publicUrl: string): string =>
  (publicUrl.startsWith('/') ? publicUrl : new URL(publicUrl).href).replace(/\/+$/, '');

/** What it has before our paths: `/maps`; '' for nothing. */
export const basePathOf = (publicUrl: string): string =>
  (publicUrl.startsWith('/') ? publicUrl : new URL(publicUrl).pathname).replace(/\/+$/, '');
