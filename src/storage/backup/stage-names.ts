/** Names in a data folder that is being built. They are renamed to `journal` and `snapshots` when everything in them is durable. */
export const stageNames = ['journal.tmp', 'snapshots.tmp'] as const;
