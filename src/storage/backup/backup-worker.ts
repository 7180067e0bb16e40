/** The worker thread for backups. It has the lowest priority, so that requests and snapshots run first. */

import { nodeFiles } from '../../lib/files/files.ts';
import { type FolderIdentity, filesIn } from '../../lib/files/open-folder.ts';
import { takePriority } from '../../lib/threads/priority.ts';
import { type ThreadResult, toResult } from '../../lib/threads/thread-result.ts';
import { type JobName, type JobRequest, type JobResult, perform } from './jobs.ts';

export interface BackupTask<N extends JobName = JobName> {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
  readonly name: N;
  readonly request: JobRequest<N>;
}

export default function backupInWorker<N extends JobName>({ root, name, request }: BackupTask<N>): ThreadResult<JobResult<N>> {
  takePriority('lowest');
  return toResult(() => perform(filesIn(nodeFiles, root), name, request));
}
