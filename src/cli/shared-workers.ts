/**
 * The worker threads of the bundle that have most of their modules in common: as one script they take a third of the space. The bundle has
 * a file for each, by the name that the engine asks for, which exports its function.
 */

export { default as pageContentWorker } from '../api/publish/page/page-content-worker.ts';
export { default as feedWorker } from '../engine/feed/feed-worker.ts';
export { default as recognizeWorker } from '../lib/pictures/recognize-worker.ts';
export { default as evaluateWorker } from '../live/runs/evaluate-worker.ts';
export { default as importWorker } from '../mcp/import/import-worker.ts';
export { default as backupWorker } from '../storage/backup/backup-worker.ts';
export { default as blobWorker } from '../storage/blobs/blob-worker.ts';
export { default as snapshotRunWorker } from '../storage/snapshot/run/snapshot-run-worker.ts';
