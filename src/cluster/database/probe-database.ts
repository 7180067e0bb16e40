/**
 * Finds out why a database gives no answers, over a connection of its own: those of log and lease may wait for a standby, and whatever is sent
 * after it waits with them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { checkSettings } from './check-settings.ts';
import { Connection } from './database-connection.ts';
import { ClusterSettingsError } from './database-errors.ts';
import type { DatabaseUrl } from './database-url.ts';
import type { Durability } from './tables.ts';

/** `away`: no host answers as a primary. `standby`: commits are not replicated. */
export interface DatabaseFault {
  readonly kind: 'away' | 'standby';
  readonly reason: string;
}

/** Milliseconds that a probe may take, for each host. */
const probeMs = 5_000;

/** What is wrong with the database; `undefined` if nothing is. Never rejects. */
export async function probeDatabase(url: DatabaseUrl, durability: Durability): Promise<DatabaseFault | undefined> {
  const timer = new AbortController();
  const seconds = (probeMs * url.hosts.length) / 1000;
  const late = delay(seconds * 1000, undefined, { signal: timer.signal, ref: false }).then(
    (): DatabaseFault => ({ kind: 'away', reason: `no answer in ${seconds} s` }),
  );
  try {
    return await Promise.race([probe(url, durability), late]);
  } finally {
    late.catch(() => undefined);
    timer.abort();
  }
}

async function probe(url: DatabaseUrl, durability: Durability): Promise<DatabaseFault | undefined> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(url, 'probe', durability);
    const { hasStandby } = await checkSettings(connection);
    return hasStandby ? undefined : { kind: 'standby', reason: 'no synchronous standby is connected' };
  } catch (error) {
    const { message } = error as Error;
    return { kind: error instanceof ClusterSettingsError ? 'standby' : 'away', reason: message };
  } finally {
    connection?.close();
  }
}
