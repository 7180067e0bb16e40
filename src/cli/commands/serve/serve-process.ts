/** What `serve` does with its process on one machine and as a node of a cluster: signals, errors of listening, the first key. */
import type { Log } from '../../../lib/observability/logger.ts';
import type { ConsoleAddress } from '../../../server/admin/admin-operations.ts';
import type { MapwrightServer, StartingServer } from '../../../server/server.ts';
import { UsageError } from '../../option-parsing.ts';
import { painter } from '../../output/colour.ts';
import { makeLog } from '../../output/command-log.ts';
import { shellWord } from '../../output/format-values.ts';
import { consoleAccount, firstAccount } from '../console/console-account.ts';
import { openBrowser } from '../console/open-browser.ts';
import { type ServeArguments, serveOptions } from './serve-options.ts';

/**
 * Ends the process even if a thread is blocked: `process.exit` waits for threads, and one that waits for a disk may never end. A crash
 * loses nothing that was acknowledged. (The first process of a container cannot kill itself, and continues to `process.exit`.)
 */
export function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Makes signals end the process immediately, until the returned function is called. During the start, no request needs to finish. Without
 * handlers, the first process of a container would ignore these signals.
 */
export function exitOnSignals(): () => void {
  const end = () => process.exit();
  const signals = ['SIGTERM', 'SIGINT'] as const;
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

/** The log that the flags ask for. Rejects if its file cannot be opened. */
export function makeServerLog({
  logLevel: level,
  logPretty: pretty,
  logRequests: requests,
  logFile: file,
}: ServeArguments): Promise<Log> {
  return makeLog({ level, pretty, requests, file });
}

/** Signals that do not stop the server: with a log file, SIGHUP opens it again. Without one, it says that the terminal was closed. */
export const signalsToSkip = ({ logFile }: ServeArguments): 'SIGHUP'[] => (logFile === undefined ? [] : ['SIGHUP']);

/** Rewords errors of listening; returns other errors unchanged. */
export function listenErrorOf(error: unknown, args: ServeArguments): unknown {
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  if (args.advertise !== undefined && port !== undefined && port !== args.port)
    return new Error(
      `This node cannot listen for other nodes on port ${port} of ${address}, the port of --advertise: ${code}. Give --advertise another port, or that of --port.`,
    );
  if (code === 'EADDRINUSE') return new Error(`Port ${args.port} on ${args.host} is in use. Try another: ${otherPort(args)}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`This machine has no address ${args.host}. Set --host to another address.`);
  if (code === 'EACCES')
    return new Error(`Port ${args.port} needs privileges that this process does not have. Use a port above 1024.`);
  return error;
}

function otherPort({ data, port }: ServeArguments): string {
  const folder = data === serveOptions.data.default ? '' : ` --data ${shellWord(data)}`;
  return `npx mapwright serve${folder} --port ${port < 65_535 ? port + 1 : port - 1}`;
}

/** Creates and prints a key at the first start, so that requests can be sent right away. */
export async function announceFirstKey(
  server: MapwrightServer,
  { docs }: ServeArguments,
  url: string,
  what = 'folder',
): Promise<void> {
  const { key } = await server.createKey(firstAccount);
  const paint = painter();
  process.stdout.write(`
This ${what} is new. Its first account is "${firstAccount}". Its API key, which is shown only once:

  ${paint('bold', key)}

Create a first project:

  curl -H 'Authorization: Bearer ${key}' \\
       -H 'Content-Type: application/json' -d '{"name":"My first map"}' ${url}/api/v1/projects

${docs ? `API reference, where you can also try requests: ${url}/docs\n\n` : ''}`);
}

/** An address of the console: at the first start, and with --open at any start. `undefined` if there is none. */
export async function newConsoleAddress(
  server: StartingServer,
  { open }: Pick<ServeArguments, 'open'>,
): Promise<ConsoleAddress | undefined> {
  const isFirst = server.recovery.accounts === 0;
  if (!server.hasConsole || !(isFirst || open)) return undefined;
  try {
    return await server.consoleAddress(consoleAccount((await server.accounts()).map(({ name }) => name)));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // Several accounts: the server runs, and the list says what to do.
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

/** Prints the addresses of the console, and opens the first one on request. */
export async function announceConsole(urls: readonly string[], { open }: Pick<ServeArguments, 'open'>): Promise<void> {
  const [url] = urls;
  if (url === undefined) return;
  const paint = painter();
  const lines = urls.map((each) => `  ${paint('bold', each)}`).join('\n');
  process.stdout.write(`Edit your maps in a browser. This address signs in once, within 10 minutes:\n\n${lines}\n\n`);
  const failed = open ? await openBrowser(url) : undefined;
  if (failed !== undefined) process.stdout.write(`Cannot open a browser (${failed}). Open the address yourself.\n\n`);
}
