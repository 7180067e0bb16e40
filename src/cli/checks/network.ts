/** Checks of how the server would be reached, and of options that are not for a server that others rely on. */
import { once } from 'node:events';
import net from 'node:net';
import { isInUse } from '../../server/data-folder.ts';
import { listenAddressFrom } from '../../server/metrics-listener.ts';
import { type Asked, type Check, type Finding, fail, ok, warn } from './check.ts';

export const portCheck: Check = {
  name: 'port',
  async look(asked) {
    const found = await lookAtPort(asked);
    return found.verdict === 'ok' ? ((await lookAtMetricsPort(asked)) ?? found) : found;
  },
};

/** What is wrong with the address of `--metrics-listen`; `undefined` where there is none, nothing, or a server of this folder there. */
async function lookAtMetricsPort({ metricsListen, data }: Asked): Promise<Finding | undefined> {
  const address = metricsListen === undefined ? undefined : listenAddressFrom(metricsListen);
  if (address === undefined || address.port === 0) return undefined;
  const code = await whyNotOn(address.host, address.port);
  if (code === undefined || (code === 'EADDRINUSE' && isInUse(data))) return undefined;
  const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be listened on: ${code}`;
  return fail(`${metricsListen}, for /metrics, ${why}`, 'Name another address, with --metrics-listen.');
}

async function lookAtPort(asked: Asked): Promise<Finding> {
  const { host, port, data } = asked;
  if (port === 0) return ok('any that is free');
  const where = `${port} on ${host}`;
  const code = await whyNotOn(host, port);
  if (code === undefined) return ok(`${where} is free`);
  if (code === 'EADDRINUSE')
    return (await taken(asked)) ?? fail(`${where} is taken by another program`, 'Stop that, or take another port, with --port.');
  if (code === 'EACCES')
    return fail(
      `${where} needs privileges that this process does not have`,
      'Take a port above 1024, and let a proxy have the other one.',
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fail(`this machine has no address ${host}`, 'Name another address, with --host.');
  return fail(`${where} cannot be listened on: ${code}`, `Name another address, with --host, for ${data}.`);
}

/** Why nobody can listen there; `undefined` when one can. */
async function whyNotOn(host: string, port: number): Promise<string | undefined> {
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

/** How long whoever has the port gets to answer, in milliseconds. */
const answerMs = 2000;

/** A server of ours that has the folder open is who should be there. */
async function taken({ host, port, data }: Asked): Promise<Finding | undefined> {
  if (!isInUse(data)) return undefined;
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/readyz`, { signal: AbortSignal.timeout(answerMs) });
    const { status } = (await answer.json()) as { status?: unknown };
    if (answer.ok) return ok(`a server answers on ${port}, and is ready`);
    return typeof status === 'string' ? warn(`a server answers on ${port}, and is ${status}`, 'See its log.') : undefined;
  } catch {
    return undefined;
  }
}

const loopback = /^(127\.|::1$|localhost$)/;

export const frontCheck: Check = {
  name: 'reach',
  look({ host, publicUrl, trustProxy }) {
    if (loopback.test(host)) {
      const through = publicUrl === undefined ? '' : `, and at ${publicUrl} through a proxy`;
      if (publicUrl === undefined || trustProxy !== undefined) return ok(`this machine only${through}`);
      return warn(
        `this machine only${through}, of which nothing is believed`,
        'Name it with --trust-proxy: audit.log then has the addresses of clients, and not its own.',
      );
    }
    if (publicUrl?.startsWith('https:')) return ok(`others than this machine, at ${host}; clients at ${publicUrl}`);
    return warn(
      `others than this machine, at ${host}, without TLS`,
      'Put a proxy in front that speaks TLS, and say where clients reach it with --public-url; keys are sent with every request.',
    );
  },
};

export const optionCheck: Check = {
  name: 'options',
  look({ sync, auditLog }) {
    if (sync !== 'always')
      return warn(`--sync ${sync}`, 'A crash loses writes that were answered: this is for bulk loads and measurements.');
    if (process.getuid?.() === 0)
      return warn('this is root', 'Run the server as a user of its own, who owns the data folder and nothing else.');
    if (!auditLog) return warn('--no-audit-log', 'Nobody can be told later who tried which keys.');
    const variables = Object.keys(process.env).filter((name) => name.startsWith('MAPWRIGHT_'));
    return ok(
      variables.length === 0
        ? 'as they are by default, but for those given here'
        : `from the environment: ${variables.sort().join(', ')}`,
    );
  },
};
