/** Checks that the database keeps what it acknowledges. Each finding says what to change. */
import type { Connection } from './database-connection.ts';
import { ClusterSettingsError } from './database-errors.ts';

/** The first release of each major version that waits for the standby after a restart. Earlier major versions are not supported. */
const oldest: ReadonlyMap<number, number> = new Map([
  [15, 13],
  [16, 9],
  [17, 5],
]);
const newestChecked = 17;

interface Settings {
  readonly version: number;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly names: string;
}

interface Standby {
  readonly name: string;
  /** `null` if the user may not see it. */
  readonly state: string | null;
}

/** The standbys that are connected, by name. */
export async function readStandbys(connection: Connection): Promise<readonly Standby[]> {
  return await connection.query<Standby & Record<string, unknown>>(
    'SELECT application_name AS name, sync_state AS state FROM pg_stat_replication ORDER BY application_name',
  );
}

/** The version of PostgreSQL, and its timeouts that are not 0, as text; `null` if all are 0. */
export async function readVersion(
  connection: Connection,
): Promise<{ readonly version: string; readonly timeouts: string | null } | undefined> {
  const [row] = await connection.query<{ version: string; timeouts: string | null }>(
    `SELECT current_setting('server_version') AS version, string_agg(name || ' = ' || setting, ', ') FILTER (WHERE setting <> '0') AS timeouts
      FROM pg_settings WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  );
  return row;
}

/**
 * Rejects with {@link ClusterSettingsError} for settings with which an acknowledged write could be lost.
 *
 * @returns whether a synchronous standby is connected: it may be away for a while, and writes then wait
 */
export async function checkSettings(connection: Connection): Promise<{ readonly hasStandby: boolean }> {
  const [settings] = await connection.query<Settings & Record<string, unknown>>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_commit') AS synchronous_commit,
      current_setting('synchronous_standby_names') AS names`,
  );
  if (settings === undefined) throw new Error('the database did not return its settings');
  const findings = [...versionFindings(settings.version), ...settingFindings(settings)];
  if (connection.durability === 'storage') {
    if (settings.synchronous_commit === 'off') findings.push('synchronous_commit is off: set it to "on"');
    refuse(findings);
    return { hasStandby: true };
  }
  if (!['on', 'remote_apply'].includes(settings.synchronous_commit)) {
    findings.push(
      `synchronous_commit is ${settings.synchronous_commit}: set it to "on", so that a commit waits for the standby's disk`,
    );
  }
  if (settings.names === '') {
    findings.push(
      'synchronous_standby_names is empty, so nothing waits for a standby: name one, or state with --durability storage that the service replicates below PostgreSQL',
    );
  }
  refuse(findings);
  const standbys = await readStandbys(connection);
  if (standbys.length > 0 && standbys.every(({ state }) => state === null)) {
    throw new ClusterSettingsError(
      'The user of the database may not see its standbys. Grant it: GRANT pg_monitor TO the user of --cluster',
    );
  }
  return { hasStandby: standbys.some(({ state }) => state === 'sync' || state === 'quorum') };
}

function versionFindings(version: number): string[] {
  const major = Math.floor(version / 10_000);
  const minor = version % 10_000;
  const minorMin = oldest.get(major) ?? (major > newestChecked ? 0 : Number.POSITIVE_INFINITY);
  if (minor >= minorMin) return [];
  const wanted = [...oldest].map(([first, second]) => `${first}.${second}`).join(', ');
  return [`it is PostgreSQL ${major}.${minor}, which may acknowledge too early after a restart: update to ${wanted} or later`];
}

function settingFindings({ fsync, full_page_writes }: Settings): string[] {
  const findings: string[] = [];
  if (fsync !== 'on') findings.push('fsync is off: set it to "on"');
  if (full_page_writes !== 'on') findings.push('full_page_writes is off: set it to "on"');
  return findings;
}

function refuse(findings: readonly string[]): void {
  if (findings.length > 0) throw new ClusterSettingsError(`The database could lose acknowledged writes. ${findings.join('; ')}.`);
}
