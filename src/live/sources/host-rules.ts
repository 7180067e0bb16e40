/**
 * Which addresses a data source may be fetched from: public ones, and those that `--data-hosts` names.
 *
 *     sensors.internal      every address that this name resolves to
 *     sensors.internal:9000 the same, on one port
 *     10.0.0.0/8, ::1       addresses and ranges, under any name
 *     127.0.0.1:9000        the same, on one port; IPv6 in brackets: [::1]:9000, [fd00::/8]:9000
 */
import type { BlockList } from 'node:net';
import { domainToASCII } from 'node:url';
import { blockListOf, canonicalAddress, isAddressRange, listContains } from '../../lib/text/address-ranges.ts';

/** IPv4 that is not public: private, loopback, link-local, shared, documentation, benchmarks, multicast, reserved, and Azure's host. */
const closedIPv4 = blockListOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** Of IPv6 only global unicast is public, without Teredo and other protocols (2001::/23), documentation, and 6to4, which contains IPv4. */
const openIPv6 = blockListOf(['2000::/3']);
const closedIPv6 = blockListOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/**
 * Whether an address may be fetched from without a rule.
 *
 * @param address in the form of `canonicalAddress`
 */
export function isPublicAddress(address: string): boolean {
  if (!address.includes(':')) return !listContains(closedIPv4, address);
  return listContains(openIPv6, address) && !listContains(closedIPv6, address);
}

interface Rule {
  readonly host: string | BlockList;
  /** `undefined` for every port. */
  readonly port: number | undefined;
}

export class HostRules {
  readonly #rules: readonly Rule[];

  /** @param allowed a value that {@link validateDataHosts} accepts; '' for no rule */
  constructor(allowed = '') {
    this.#rules = entriesOf(allowed).map((entry) => {
      const rule = ruleOf(entry);
      if (typeof rule === 'string') throw new Error(rule);
      return rule;
    });
  }

  /**
   * Whether a rule names this target.
   *
   * @param host of the URL, in its form: lower case, IPv6 in brackets
   * @param address that the host is or resolves to, in the form of `canonicalAddress`
   */
  allows(host: string, port: number, address: string): boolean {
    const name = withoutDot(host);
    return this.#rules.some(
      (rule) =>
        (rule.port === undefined || rule.port === port) &&
        (typeof rule.host === 'string' ? rule.host === name : listContains(rule.host, address)),
    );
  }
}

/** Checks a value of `--data-hosts`: an error message that names the wrong entry, or `undefined` if it is valid. */
export function validateDataHosts(allowed: string): string | undefined {
  return entriesOf(allowed)
    .map(ruleOf)
    .find((rule) => typeof rule === 'string');
}

/** Splits at commas. Empty entries stay, since they are errors; an empty list has none. */
const entriesOf = (allowed: string): string[] => (allowed.trim() === '' ? [] : allowed.split(',').map((entry) => entry.trim()));

const accepted =
  'write a name such as sensors.internal, an address, or a range such as 10.0.0.0/8, each with or without a port (127.0.0.1:9000, [::1]:9000), separated by commas';

const namePattern = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** Names in URLs never end in a number: the parser takes `127.1` for 127.0.0.1. */
const numericHost = /(?:^|\.)\d+$/;

/** A rule, or the reason why an entry is none. */
function ruleOf(entry: string): Rule | string {
  const wrong = (reason: string): string => `"${entry}" ${reason}: ${accepted}`;
  if (entry === '') return wrong('is an empty entry');
  if (entry.includes('//')) return wrong('is a URL, not a host');
  // An IPv6 address without brackets has no port.
  if (isAddressRange(entry, 0)) return { host: blockListOf([entry]), port: undefined };
  const [, brackets, plain, portText] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:]*))?$/.exec(entry) ?? [];
  const host = withoutDot((brackets ?? plain ?? entry).toLowerCase());
  const port = portText === undefined ? undefined : portOf(portText);
  if (portText !== undefined && port === undefined) return wrong('has a port that is not a number from 1 to 65535');
  if (isAddressRange(host, 0)) return { host: blockListOf([host]), port };
  if (brackets !== undefined || host.includes('/') || host.includes(':')) return wrong('is not an address or a range');
  const name = domainToASCII(host);
  if (!namePattern.test(name)) return wrong('is not a host name (wildcards are not supported)');
  if (numericHost.test(name)) return wrong(`is not an address in dotted decimal form, which may be ${name}`);
  return { host: name, port };
}

function portOf(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** `example.com.` is `example.com`. */
const withoutDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/** Whether an address in canonical form is a wildcard, to which listeners bind: 0.0.0.0 or ::. */
export const isUnspecified = (address: string): boolean => address === '0.0.0.0' || address === '::';

/** Splits `host:port` or `[address]:port`; an address is returned in canonical form. */
export function splitHostPort(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(':');
  const host = text.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return { host: canonicalAddress(host) ?? host.toLowerCase(), port: Number(text.slice(colon + 1)) };
}
