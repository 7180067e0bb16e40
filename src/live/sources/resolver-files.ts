/** What `/etc/hosts` and `/etc/resolv.conf` say, as in hosts(5) and resolv.conf(5). */
import net from 'node:net';

/** Addresses by name, in lower case. */
export type Hosts = ReadonlyMap<string, readonly string[]>;

export interface SearchRules {
  /** Domains that are appended to a name. */
  readonly search: readonly string[];
  /** A name with fewer dots is looked up with these domains before it is looked up as it is. */
  readonly ndots: number;
}

/** As in glibc. */
const searchMax = 6;
const ndotsMax = 15;

export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = wordsOf(line);
    if (net.isIP(address) === 0) continue;
    for (const name of names) {
      const known = hosts.get(name.toLowerCase());
      if (known === undefined) hosts.set(name.toLowerCase(), [address]);
      else known.push(address);
    }
  }
  return hosts;
}

export function parseSearchRules(text: string): SearchRules {
  let search: string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = wordsOf(line);
    // The last one counts. The root as a domain is the name as it is.
    if (keyword === 'search') search = values;
    else if (keyword === 'domain') search = values.slice(0, 1);
    else if (keyword === 'options') {
      const given = values.map((value) => /^ndots:(\d+)$/.exec(value)?.[1]).find((number) => number !== undefined);
      if (given !== undefined) ndots = Math.min(ndotsMax, Number(given));
    }
  }
  const domains = search.map((domain) => domain.toLowerCase().replace(/^\.+|\.+$/g, '')).filter((domain) => domain !== '');
  return { search: domains.slice(0, searchMax), ndots };
}

/** The names to look up, in their order, until one exists. A name that ends with a dot is complete. */
export function candidatesOf(name: string, { search, ndots }: SearchRules): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const longer = search.map((domain) => `${name}.${domain}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...longer] : [...longer, name];
}

const wordsOf = (line: string): string[] =>
  line
    .replace(/[#;].*/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
