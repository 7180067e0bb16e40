/** Errors of the cluster's database. */
import { SettingsError } from '../../lib/errors.ts';

/** The database cannot be reached, or has no primary (503). Nothing is known about statements under way. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** Every host of the database refuses the user, the password or the name of the database: at the start a wrong setting (exit code 2). */
export class DatabaseRefusedError extends DatabaseUnavailableError {}

/** A setting of the database, of the cluster or of this node does not allow to start (exit code 2). The message says what to change. */
export class ClusterSettingsError extends SettingsError {
  override readonly name = 'ClusterSettingsError';
}

/** A package that only a cluster needs is not installed. The message has the command that installs it. */
export class MissingPackageError extends ClusterSettingsError {}

/** An acknowledged batch is missing in the database, or it differs: no node serves before `mapwright cluster fork`. */
export class LostRecordsError extends Error {
  override readonly name = 'LostRecordsError';
}

/** The log or a snapshot in the database is damaged (exit code 3). */
export class DamagedClusterError extends Error {
  override readonly name = 'DamagedClusterError';
}

/** The database has no cluster. */
export class NoClusterError extends ClusterSettingsError {}
