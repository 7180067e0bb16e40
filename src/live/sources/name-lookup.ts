/**
 * Looks names up: in the hosts file first, then at the name servers of the system. A look-up takes no thread, callers of one name share
 * it, and it ends with the last of them.
 */
import dns from 'node:dns';
import fs from 'node:fs/promises';
import { candidatesOf, type Hosts, parseHosts, parseSearchRules, type SearchRules } from './resolver-files.ts';

/** Resolves a name to all of its addresses. Rejects with an error that has a `code`, or with the reason of the signal. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface NameLookupOptions {
  /** `address` or `address:port`. Default: those of the system. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly resolverFile?: string;
  /** Time limit of a look-up, in milliseconds; default 8000. */
  readonly limitMs?: number;
  /** Wait for the first answer of a server, in milliseconds; default 1500. The second wait is twice as long. */
  readonly queryMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** How long a name that could not be resolved is not looked up again, in milliseconds: the shortest refresh. */
const failureMs = 5000;
const failuresMax = 1000;
/** How long the files are used before they are read again, in milliseconds. */
const filesMs = 5000;

/** The name is unknown, or has no address. */
const isAbsent = (code: string | undefined): boolean => code === dns.NOTFOUND || code === dns.NODATA;
/** A server cannot answer. The library gives up then; as the resolver of the system, a look-up asks the next server. */
const serverFailures: ReadonlySet<string | undefined> = new Set([dns.SERVFAIL, dns.REFUSED, dns.NOTIMP, dns.FORMERR]);

interface Running {
  readonly done: Promise<readonly string[]>;
  readonly controller: AbortController;
  callers: number;
}

interface Files extends SearchRules {
  readonly hosts: Hosts;
  /** Their content. */
  readonly texts: readonly string[];
}

export class NameLookup {
  readonly #options: NameLookupOptions;
  readonly #now: () => number;
  readonly #running = new Map<string, Running>();
  /** The oldest first. */
  readonly #failures = new Map<string, { readonly error: Error; readonly until: number }>();
  #files: Promise<Files> | undefined;
  #filesUntil = 0;

  constructor(options: NameLookupOptions = {}) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Number of look-ups that run. */
  get running(): number {
    return this.#running.size;
  }

  /** Number of failures that are kept. */
  get failures(): number {
    return this.#failures.size;
  }

  readonly lookup: Lookup = async (name, signal) => {
    signal.throwIfAborted();
    const failure = this.#failures.get(name);
    if (failure !== undefined && failure.until > this.#now()) throw failure.error;
    const running = this.#running.get(name) ?? this.#start(name);
    running.callers++;
    let leave = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason as Error);
    });
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([running.done, aborted]);
    } finally {
      signal.removeEventListener('abort', leave);
      if (--running.callers === 0) this.#end(name, running);
    }
  };

  #start(name: string): Running {
    const controller = new AbortController();
    const { limitMs = 8000 } = this.#options;
    const limit = setTimeout(() => controller.abort(failed(dns.TIMEOUT)), limitMs);
    const done = this.#resolve(name, controller.signal).finally(() => clearTimeout(limit));
    const running: Running = { done, controller, callers: 0 };
    this.#running.set(name, running);
    // A look-up that its callers ended says nothing about the name.
    done.catch((error: Error) => running.callers > 0 && this.#keepFailure(name, error));
    return running;
  }

  #end(name: string, running: Running): void {
    if (this.#running.get(name) !== running) return;
    this.#running.delete(name);
    // Has no effect after its end.
    running.controller.abort();
  }

  #keepFailure(name: string, error: Error): void {
    const now = this.#now();
    this.#failures.delete(name);
    this.#failures.set(name, { error, until: now + failureMs });
    for (const [oldest, { until }] of this.#failures) {
      if (this.#failures.size <= failuresMax && until > now) return;
      this.#failures.delete(oldest);
    }
  }

  async #resolve(name: string, signal: AbortSignal): Promise<readonly string[]> {
    const files = await this.#readFiles();
    const bare = name.replace(/\.$/, '');
    const local = files.hosts.get(bare) ?? (isLocalhost(bare) ? ['127.0.0.1', '::1'] : undefined);
    if (local !== undefined) return local;
    let failure = failed(dns.NOTFOUND);
    for (const candidate of candidatesOf(name, files)) {
      signal.throwIfAborted();
      const found = await this.#ask(candidate, signal);
      if (Array.isArray(found)) return found;
      if (!isAbsent(codeOf(found))) failure = found as Error;
    }
    throw failure;
  }

  /** The addresses of a complete name, or why there are none. */
  async #ask(name: string, signal: AbortSignal): Promise<readonly string[] | Error> {
    const { queryMs = 1500, servers } = this.#options;
    // One for each look-up: only all queries of a resolver can be cancelled.
    const resolver = new dns.promises.Resolver({ timeout: queryMs, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const all = resolver.getServers();
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      for (let asked = 1; ; asked++) {
        const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
        signal.throwIfAborted();
        const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
        if (addresses.length > 0) return addresses;
        const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
        const failure = errors.find((error) => !isAbsent(codeOf(error)));
        if (failure === undefined || !serverFailures.has(codeOf(failure)) || asked >= all.length)
          return failure ?? failed(dns.NOTFOUND);
        resolver.setServers(all.slice(asked));
      }
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #readFiles(): Promise<Files> {
    if (this.#files !== undefined && this.#now() < this.#filesUntil) return this.#files;
    const { hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' } = this.#options;
    this.#filesUntil = this.#now() + filesMs;
    const earlier = this.#files;
    this.#files = Promise.all([textOf(hostsFile), textOf(resolverFile)]).then(async (texts) => {
      const known = await earlier;
      // A list of blocked names has hundreds of thousands of lines.
      if (known?.texts.every((text, i) => text === texts[i]) === true) return known;
      return { hosts: parseHosts(texts[0]), ...parseSearchRules(texts[1]), texts };
    });
    return this.#files;
  }
}

const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const failed = (code: string): Error => Object.assign(new Error(`no address: ${code}`), { code });

/** The content of a file; empty if it cannot be read, as for the resolver of the system. */
const textOf = (file: string): Promise<string> => fs.readFile(file, 'utf8').catch(() => '');
