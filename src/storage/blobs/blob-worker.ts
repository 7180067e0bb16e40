/** The threads of blobs; see blob-threads.ts. */
import { nodeFiles } from '../../lib/files/files.ts';
import { type FolderIdentity, filesIn } from '../../lib/files/open-folder.ts';
import { takePriority, urgently } from '../../lib/threads/priority.ts';
import { type ThreadResult, toResult } from '../../lib/threads/thread-result.ts';
import { BlobFiles, type BlobJob, type BlobJobResult, type JobKind } from './blob-files.ts';

export interface BlobTask<K extends JobKind = JobKind> {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
  /** The folder of blobs. */
  readonly folder: string;
  readonly job: BlobJob<K>;
}

/** The uploads of this thread; it serves one folder. */
let blobs: BlobFiles | undefined;

/** Entry point of the thread: runs a job and returns its result, or the error of the disk. */
export default function blobWork<K extends JobKind>({ root, folder, job }: BlobTask<K>): ThreadResult<BlobJobResult<K>> {
  if (blobs === undefined && !process.argv.includes(urgently)) takePriority('lowest');
  blobs ??= new BlobFiles(filesIn(nodeFiles, root), folder);
  const work = blobs;
  return toResult(() => work.perform(job));
}
