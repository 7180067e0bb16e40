/** The worker thread that reads the log for subscribers. */

import { nodeFiles } from '../../lib/files/files.ts';
import { type FolderIdentity, filesIn } from '../../lib/files/open-folder.ts';
import { type ThreadResult, toResult } from '../../lib/threads/thread-result.ts';
import { LogReader } from '../../storage/wal/read/log-reader.ts';
import { type LogEventsRequest, type LogPiece, LogPlaces, readLogEvents } from './log-events.ts';

let reader: LogReader | undefined;
let places = new LogPlaces();

export interface LogJob {
  /** Identity of the data folder; `undefined` skips the check that the folder was not replaced. */
  readonly root: FolderIdentity | undefined;
  readonly request: LogEventsRequest;
}

export default function readInWorker({ root, request }: LogJob): ThreadResult<LogPiece | undefined> {
  return toResult(() => {
    const { folder, lineage } = request;
    if (reader?.folder !== folder || reader.lineage !== lineage) {
      reader = new LogReader(filesIn(nodeFiles, root), folder, lineage);
      places = new LogPlaces();
    }
    return readLogEvents(reader, places, request);
  });
}
