/**
 * Decides to which addresses a fetch may connect: resolves a host, checks every address of the result, and returns those that the
 * connection is then pinned to. A name that resolves to another address a moment later has no effect.
 */
import net from 'node:net';
import os from 'node:os';
import { canonicalAddress } from '../../lib/text/address-ranges.ts';
import { type HostRules, isPublicAddress, isUnspecified, splitHostPort } from './host-rules.ts';
import { type Lookup, NameLookup } from './name-lookup.ts';
import { SourceFailure } from './source-problem.ts';

export interface GuardOptions {
  readonly hosts: HostRules;
  /** `host:port` of the server's own listeners, its peers and its database, which no rule allows. A host may be a wildcard or a name. */
  readonly forbidden: () => readonly string[];
  /** Default: hosts file and name servers of the system. */
  readonly lookup?: Lookup;
  /** Addresses of this machine. Default: those of its network interfaces. */
  readonly ownAddresses?: () => readonly string[];
}

const systemNames = new NameLookup();

/** Addresses of one name that a fetch tries: a name server could otherwise make it connect to thousands of hosts. */
const addressesMax = 16;

/** How long the addresses of this machine are used before they are read again, in milliseconds. */
const ownMs = 5000;
let own: { readonly addresses: ReadonlySet<string>; readonly until: number } | undefined;

function interfaceAddresses(): ReadonlySet<string> {
  const now = performance.now();
  if (own !== undefined && now < own.until) return own.addresses;
  const all = Object.values(os.networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
  own = { addresses: canonical(all), until: now + ownMs };
  return own.addresses;
}

const canonical = (addresses: readonly string[]): Set<string> =>
  new Set(addresses.map((address) => canonicalAddress(address) ?? address));

/**
 * Resolves the host of a URL to the addresses that a fetch may try. Throws a SourceFailure unless every address of the host is allowed, and
 * the reason of the signal once it is aborted.
 */
export async function guardedAddresses(url: URL, options: GuardOptions, signal: AbortSignal): Promise<readonly string[]> {
  signal.throwIfAborted();
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = portOf(url);
  const own = options.ownAddresses === undefined ? interfaceAddresses() : canonical(options.ownAddresses());
  const literal = canonicalAddress(host);
  const resolved = literal === undefined ? await lookedUp(host) : [literal];
  // Addresses with a zone have no canonical form, and none is allowed.
  const addresses = resolved.map((address) => canonicalAddress(address) ?? address);
  for (const address of addresses) {
    const isAllowed = net.isIP(address) !== 0 && !address.includes('%') && allows(address);
    if (!isAllowed) throw refused(url, literal !== undefined);
  }
  for (const entry of options.forbidden()) await refuseForbidden(entry);
  return addresses.slice(0, addressesMax);

  async function lookedUp(name: string): Promise<readonly string[]> {
    const { lookup = systemNames.lookup } = options;
    try {
      const found = await lookup(name, signal);
      if (found.length > 0) return found;
    } catch (error) {
      signal.throwIfAborted();
      throw notFound(name, (error as NodeJS.ErrnoException).code);
    }
    throw notFound(name, 'ENOTFOUND');
  }

  function allows(address: string): boolean {
    return options.hosts.allows(url.hostname, port, address) || (isPublicAddress(address) && !own.has(address));
  }

  async function refuseForbidden(entry: string): Promise<void> {
    const forbidden = splitHostPort(entry);
    if (forbidden.port !== port) return;
    const named = net.isIP(forbidden.host) === 0;
    // If the name cannot be resolved, this may be its address: refuse.
    const theirs = named ? await lookedUp(forbidden.host).catch(() => undefined) : [forbidden.host];
    const isTheirs = (address: string): boolean =>
      theirs === undefined || theirs.some((their) => isSame(canonicalAddress(their) ?? their, address));
    if (addresses.some(isTheirs)) throw refusedAlways(url);
  }

  /** Whether a connection to `address` may reach a listener at `listening`. */
  function isSame(listening: string, address: string): boolean {
    if (listening === address) return true;
    return (isUnspecified(listening) && isOwn(address)) || (isUnspecified(address) && isOwn(listening));
  }

  function isOwn(address: string): boolean {
    return isUnspecified(address) || address === '::1' || address.startsWith('127.') || own.has(address);
  }
}

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

const notFound = (name: string, code = 'unknown error'): SourceFailure =>
  new SourceFailure(
    'name_not_found',
    `The name ${name} cannot be resolved (${code}). Check the host of the URL, and that the server can resolve names.`,
  );

function refused(url: URL, isLiteral: boolean): SourceFailure {
  const what = isLiteral ? 'is an address' : 'resolves to an address';
  return new SourceFailure(
    'address_refused',
    `${url.hostname} ${what} that is not public (private, loopback, link-local, reserved, or of this server). The server's operator can allow it: --data-hosts ${url.host}. Or push responses with PUT.`,
  );
}

const refusedAlways = (url: URL): SourceFailure =>
  new SourceFailure(
    'address_refused',
    `${url.hostname} with port ${portOf(url)} may belong to this server, its cluster or its database. These are never fetched, and --data-hosts cannot allow them. Use another URL.`,
  );
