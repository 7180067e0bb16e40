/** Checks of the addresses of the server, and of options that are unsuitable for production. */
import { once } from 'node:events';
import net from 'node:net';
import { isInUse } from '../../server/lifecycle/data-folder.ts';
import { listenAddressFrom } from '../../server/telemetry/metrics-listener.ts';
import { type Check, type CheckContext, type CheckFinding, fail, ok, warn } from './check.ts';

export const portCheck: Check = {
  name: 'port',
  async run(context) {
    const found = await checkPort(context);
    return found.verdict === 'ok' ? ((await checkMetricsPort(context)) ?? found) : found;
  },
};

/** The problem with the address of `--metrics-listen`; `undefined` if it is unset, free, or used by the server of this folder. */
async function checkMetricsPort({ metricsListen, data }: CheckContext): Promise<CheckFinding | undefined> {
  const address = metricsListen === undefined ? undefined : listenAddressFrom(metricsListen);
  if (address === undefined || address.port === 0) return undefined;
  const code = await listenError(address.host, address.port);
  if (code === undefined || (code === 'EADDRINUSE' && isInUse(data))) return undefined;
  const why = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used: ${code}`;
  return fail(`${metricsListen}, for /metrics, ${why}`, 'Set --metrics-listen to another address.');
}

async function checkPort(context: CheckContext): Promise<CheckFinding> {
  const { host, port } = context;
  if (port === 0) return ok('any free port');
  const where = `${port} on ${host}`;
  const code = await listenError(host, port);
  if (code === undefined) return ok(`${where} is free`);
  if (code === 'EADDRINUSE')
    return (await ownServer(context)) ?? fail(`${where} is in use by another program`, 'Stop it, or set --port to another port.');
  if (code === 'EACCES')
    return fail(
      `${where} needs privileges that this process does not have`,
      'Use a port above 1024, and let a proxy listen on the other one.',
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fail(`this machine has no address ${host}`, 'Set --host to another address.');
  return fail(`${where} cannot be used: ${code}`, `Use another address with --host, or see what prevents its use: ${code}.`);
}

/** The error code of an attempt to listen at an address; `undefined` if it succeeds. */
async function listenError(host: string, port: number): Promise<string | undefined> {
  const server = net.createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
}

/** Timeout for a response of the program at the port, in milliseconds. */
const responseTimeoutMs = 2000;

/** The state of the server at the port, if a server has the data folder open. */
async function ownServer({ host, port, data }: CheckContext): Promise<CheckFinding | undefined> {
  if (!isInUse(data)) return undefined;
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${name}:${port}/readyz`, { signal: AbortSignal.timeout(responseTimeoutMs) });
    const { status } = (await response.json()) as { status?: unknown };
    if (response.ok) return ok(`the server on port ${port} is ready`);
    return typeof status === 'string' ? warn(`the server on port ${port} is ${status}`, 'See its log.') : undefined;
  } catch {
    return undefined;
  }
}

const loopback = /^(127\.|::1$|localhost$)/;

export const reachCheck: Check = {
  name: 'reach',
  run({ host, publicUrl, trustProxy }) {
    if (loopback.test(host)) {
      const through = publicUrl === undefined ? '' : `, and at ${publicUrl} through a proxy`;
      if (publicUrl === undefined || trustProxy !== undefined) return ok(`this machine only${through}`);
      return warn(
        `this machine only${through}, whose headers are not trusted`,
        'Name the proxy with --trust-proxy, so that audit.log shows the addresses of clients instead of its own.',
      );
    }
    if (publicUrl?.startsWith('https:')) return ok(`other machines, at ${host}; clients use ${publicUrl}`);
    return warn(
      `other machines, at ${host}, without TLS`,
      'Put a proxy with TLS in front, and give its address with --public-url. Every request carries a key.',
    );
  },
};

export const optionCheck: Check = {
  name: 'options',
  run({ sync, auditLog }) {
    if (sync !== 'always')
      return warn(`--sync ${sync}`, 'A crash loses acknowledged writes. Use this only for bulk loads and measurements.');
    if (process.getuid?.() === 0)
      return warn('this is root', 'Run the server as a separate user that owns only the data folder.');
    if (!auditLog) return warn('--no-audit-log', 'Attempts to use wrong keys are not recorded.');
    const variables = Object.keys(process.env).filter((name) => name.startsWith('MAPWRIGHT_'));
    return ok(
      variables.length === 0
        ? 'defaults, apart from the flags given here'
        : `from the environment: ${variables.sort().join(', ')}`,
    );
  },
};
