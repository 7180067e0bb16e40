/** The worker thread that reads the log for followers. */

import { nodeFiles } from '../../lib/files/files.ts';
import { type FolderIdentity, filesIn } from '../../lib/files/open-folder.ts';
import { type Attempt, attempt } from '../../lib/threads/thread-result.ts';
import { LogReader } from '../../wal/read/log-reader.ts';
import { type LogPiece, LogPlaces, type LogRequest, readLog } from './log-events.ts';

let reader: LogReader | undefined;
let places = new LogPlaces();

export interface LogJob {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
  readonly request: LogRequest;
}

export default function readInWorker({ root, request }: LogJob): Attempt<LogPiece | undefined> {
  return attempt(() => {
    const { folder, lineage } = request;
    if (reader?.folder !== folder || reader.lineage !== lineage) {
      reader = new LogReader(filesIn(nodeFiles, root), folder, lineage);
      places = new LogPlaces();
    }
    return readLog(reader, places, request);
  });
}
