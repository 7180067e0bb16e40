/** The worker thread for backups: of lowest priority, so that requests and folds go first. */
import os from 'node:os';
import { nodeFiles } from '../lib/files.ts';
import { type JobName, type JobOutcome, type JobRequest, perform } from './jobs.ts';

const lowestPriority = 19;

export interface BackupTask<N extends JobName = JobName> {
  readonly name: N;
  readonly request: JobRequest<N>;
}

export default function work<N extends JobName>({ name, request }: BackupTask<N>): JobOutcome<N> {
  // On Linux this is the calling thread's priority alone; elsewhere it would be the whole server's.
  if (process.platform === 'linux') os.setPriority(0, lowestPriority);
  return perform(nodeFiles, name, request);
}
