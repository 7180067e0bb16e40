/** The worker thread that reads the log for followers. */
import { type Attempt, attempt } from '../lib/failure.ts';
import { nodeFiles } from '../lib/files.ts';
import { type LogPiece, type LogRequest, readLog } from './read-log.ts';

export default function readInWorker(request: LogRequest): Attempt<LogPiece | undefined> {
  return attempt(() => readLog(nodeFiles, request));
}
