/** The worker thread that reads the log for followers. */
import { LogReader } from '../journal/log-reader.ts';
import { type Attempt, attempt } from '../lib/failure.ts';
import { nodeFiles } from '../lib/files.ts';
import { type LogPiece, LogPlaces, type LogRequest, readLog } from './read-log.ts';

let reader: LogReader | undefined;
let places = new LogPlaces();

export default function readInWorker(request: LogRequest): Attempt<LogPiece | undefined> {
  return attempt(() => {
    const { folder, lineage } = request;
    if (reader?.folder !== folder || reader.lineage !== lineage) {
      reader = new LogReader(nodeFiles, folder, lineage);
      places = new LogPlaces();
    }
    return readLog(reader, places, request);
  });
}
