/** Names in a data folder that is being built. They are renamed to `journal`, `snapshots` and `blobs` when everything in them is durable. */
export const stageNames = ['journal.tmp', 'snapshots.tmp', 'blobs.tmp'] as const;
