/**
 * The URL of the cluster's database, with several hosts, as libpq has it: `postgres://user:password@a:5432,b:5433/maps?sslmode=require`.
 * A host without a port has 5432.
 */
import type { ConnectionOptions } from 'node:tls';
import { ClusterSettingsError } from './database-errors.ts';

export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
  readonly database: string;
  readonly ssl: boolean | ConnectionOptions;
}

export interface DatabaseUrl {
  readonly hosts: readonly DatabaseHost[];
  /** The URL without its password, for messages. */
  readonly text: string;
}

const pattern = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]+)\/([^?]+)(?:\?(.*))?$/;
const example = 'postgres://user:password@db1,db2/maps';

/** The value of the parameter `sslmode`: whether to encrypt, and whether to verify the server. */
const sslModes: Readonly<Record<string, boolean | ConnectionOptions>> = {
  disable: false,
  require: { rejectUnauthorized: false },
  'verify-ca': { checkServerIdentity: () => undefined },
  'verify-full': true,
};

/** Throws a {@link ClusterSettingsError} for a text that is no such URL. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const match = pattern.exec(text);
  if (match === null) {
    throw new ClusterSettingsError(
      `The URL of the database is not valid. Write it as ${example}; the name after the slash is required.`,
    );
  }
  const [, user, password, hosts = '', database = '', query = ''] = match;
  const sslmode = new URLSearchParams(query).get('sslmode') ?? 'disable';
  const ssl = sslModes[sslmode];
  if (ssl === undefined) {
    throw new ClusterSettingsError(`sslmode=${sslmode} is not known. Use one of: ${Object.keys(sslModes).join(', ')}.`);
  }
  const common = {
    ...(user && { user: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    database: decodeURIComponent(database),
    ssl,
  };
  return {
    hosts: hosts.split(',').map((host) => ({ ...hostAndPort(host), ...common })),
    text: `postgres://${user ? `${user}@` : ''}${hosts}/${database}`,
  };
}

function hostAndPort(text: string): { host: string; port: number } {
  const [, bracketed, plain, port = '5432'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535) {
    throw new ClusterSettingsError(`"${text}" in the URL of the database is no host. Write it as ${example}.`);
  }
  return { host, port: Number(port) };
}
