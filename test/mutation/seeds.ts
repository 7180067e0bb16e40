/**
 * Deliberate mistakes, each of which some test must notice, for the right reason. Nothing in `src` knows of them. A seed is a fault at an
 * interface (faults.ts) if one has the same effect. Otherwise it changes the text of functions of `src`: if the text is no longer found,
 * a test fails, and the seed must be updated.
 */
import type { Rule } from '../crash/rules.ts';
import type { FaultName } from './faults.ts';
import type { Change } from './plant.ts';

export type Detector =
  /** The enumerator, on one workload, names one of these rules. */
  | { readonly workload: string; readonly rules: readonly Rule[] }
  /** A test file below `test`, without its ending, fails in a test of which this is the name, or a part of it. */
  | { readonly test: string; readonly name: string };

export interface Seed {
  readonly name: string;
  /** A fault at an interface, or else changes of functions of `src`. */
  readonly plants: FaultName | readonly Change[];
  readonly caughtBy: Detector;
}

const edit = (module: string, inside: string, text: string, becomes: string): Change => ({ module, inside, text, becomes });
/** A function without a part of its text. */
const without = (module: string, inside: string, text: string): Change => edit(module, inside, text, '');
/** A condition that never holds. */
const never = (module: string, inside: string, text: string): Change => edit(module, inside, text, 'false');
/** A condition that always holds. */
const always = (module: string, inside: string, text: string): Change => edit(module, inside, text, 'true');

/** Seeds by name that one detector must catch. */
const caughtBy = (detector: Detector, planted: Readonly<Record<string, FaultName | Change | readonly Change[]>>): Seed[] =>
  Object.entries(planted).map(([name, plants]) => ({
    name,
    caughtBy: detector,
    plants: typeof plants === 'string' || 'length' in plants ? plants : [plants],
  }));
const workload = (name: string, ...rules: Rule[]): Detector => ({ workload: name, rules });
const inTest = (file: string, name: string): Detector => ({ test: file, name });

/** The exploration of the cluster's protocol. */
const protocol = inTest('cluster/protocol', 'no step loses an acknowledged batch or answers with a stale state');

/** The only test of its file. */
const theModel = 'the responses equal a model of the API through random writes, snapshots, restarts and crashes';

export const seeds: readonly Seed[] = [
  ...caughtBy(inTest('server/clock-behind', 'a start warns of a clock that is more than a day behind the newest record'), {
    'a clock that went back is not noticed': without('engine/open-engine', 'openWithin', 'warnOfClock(newestMs, options);'),
  }),

  // The log in a file.
  ...caughtBy(inTest('cli/log-file', 'SIGHUP opens the log file again after it was renamed'), {
    'a log file is not opened again after a rotation': 'a log file is never opened again',
  }),

  // What another program wrote.
  ...caughtBy(inTest('golden/older', 'an older folder is refused by every command'), {
    'what an older program wrote is called damage': never(
      'storage/snapshot/replay-record',
      'refuseOtherForm',
      'revision === noRevision',
    ),
  }),
  ...caughtBy(inTest('golden/older', 'is refused before anything is decoded'), {
    'the format revision of a file is not checked': 'a file has a revision that can be read',
  }),

  // The flusher and its acknowledgements.
  ...caughtBy(workload('single writes', 'acknowledged'), {
    'a write is acknowledged when it is queued': 'it answers before the record is durable',
    'a frame is not synced': 'syncs of the segment that is being written are lost',
  }),
  ...caughtBy(workload('never synced', 'recovers', 'acknowledged'), {
    'a clean stop syncs nothing': 'syncs of the segment that is being written are lost',
  }),
  ...caughtBy(inTest('wal/op-channel', 'an unknown operation is an error that names the known ones'), {
    'an op that the flusher does not know stops it': edit(
      'storage/wal/write/op-channel',
      'OpChannel.receive',
      'if (code === opCodes.stop) return',
      'return',
    ),
  }),
  ...caughtBy(inTest('wal/stall', 'each wait for durability has its own timeout'), {
    'who came late is answered with who came first': 'waits that overlap are one',
  }),
  ...caughtBy(inTest('wal/stall', 'suspended'), {
    'a disk is slow for as long as the process was suspended': edit(
      'storage/wal/write/stall-watch',
      'StallWatch.stalled',
      'watched.ticks >= stalledTicks',
      'performance.now() - watched.since >= this.#parts.stallMs',
    ),
  }),
  ...caughtBy(workload('a record larger than a segment', 'acknowledged'), {
    "a large record's frame is not synced": 'syncs of the segment of a large record are lost',
  }),
  ...caughtBy(workload('a record larger than a segment', 'recovers', 'acknowledged'), {
    'a large record gets its name before it is synced': 'syncs of the segment of a large record are lost before it has its name',
  }),
  ...caughtBy(workload('a record larger than a segment', 'recovers'), {
    'a large record that was not appended is taken for damage': 'a segment without a frame is read as torn',
  }),
  ...caughtBy(workload('rotations', 'recovers', 'acknowledged'), {
    'no sync of the folder after the rename of a rotation':
      'the sync of the folder of the log is lost after a segment got its name',
    'a spare gets its name before its header is synced': 'the sync of the header of a new segment is lost',
  }),

  // A first start.
  ...caughtBy(workload('a first start', 'recovers', 'acknowledged'), {
    'no sync of the folder in which the journal is made':
      'the sync of the data folder is lost after the folder of the log was made',
  }),
  ...caughtBy(workload('a first start on a full disk', 'recovers', 'acknowledged'), {
    'no sync of the folder after the first segment got its name':
      'the sync of the folder of the log is lost after the first segment got its name',
  }),
  ...caughtBy(workload('snapshots in a folder whose snapshots were removed', 'recovers', 'acknowledged', 'folded'), {
    'no sync of the folder in which the snapshots are made':
      'the sync of the data folder is lost after the folder of snapshots was made',
  }),

  // A start that fails, and deletions that do.
  ...caughtBy(inTest('server/failed-start', 'a failed start of the engine closes the log again'), {
    'a start that fails leaves the log open': 'nothing that was opened is closed',
  }),
  ...caughtBy(inTest('server/failed-start', 'after a failed start another server opens the folder once the cause is gone'), {
    'a server that cannot start keeps the folder': 'nothing that was opened is closed',
  }),
  ...caughtBy(
    inTest(
      'engine/cleanup',
      'undeletable files do not fail a snapshot or keep other files, and are deleted once that is possible',
    ),
    {
      'a file that cannot be deleted keeps those after it': 'deletions end with the first file that cannot be deleted',
      'what could not be deleted is not tried again': 'files that cannot be deleted are not reported',
      'a gap in the log below the snapshots is damage': 'verification does not know what the snapshots cover',
    },
  ),
  ...caughtBy(
    inTest(
      'engine/disk-full',
      'a snapshot on a full disk covers the sealed segments first, and with the space they free the rest',
    ),
    {
      'a disk full of log is not folded': 'a seal on a full disk fails as on a broken one',
      'a disk full of log is folded into one snapshot, which frees nothing': 'the journal does not say that the disk is full',
    },
  ),
  ...caughtBy(inTest('backup/repair', 'a project whose withdrawal is in a damaged record is not public after a repair'), {
    'a repair makes a project public that was made private later': edit(
      'storage/backup/repair/repair-folder',
      'listRecords',
      'restrictAccess(state, change); unpublish(state, change);',
      'restrictAccess(state, change);',
    ),
  }),
  ...caughtBy(inTest('backup/repair', 'a key whose revocation is in a damaged record is not valid after a repair'), {
    'a repair keeps a key that a later record deleted': without(
      'storage/backup/repair/repair-folder',
      'restrictAccess',
      "if (change.op === 'delete-key') state.keys.delete(change.keyId);",
    ),
  }),
  ...caughtBy(inTest('backup/repair', 'a project that only an older snapshot contains is not public after a repair'), {
    'a repair takes a public address from an older snapshot': without(
      'storage/backup/repair/salvage-snapshot',
      'Salvage.#takeProject',
      'this.#unpublish(before);',
    ),
  }),
  ...caughtBy(inTest('backup/folder', 'a start refuses a missing backup folder, and creates nothing'), {
    'a start does not ask for the folder of backups': 'every path is a folder of backups',
  }),

  // Exports and imports with files.
  ...caughtBy(
    inTest('api/transfer-files', 'any files survive export and import, wherever the list of files is in the document'),
    {
      'an import keeps the old addresses of files': 'files of a copy keep their addresses',
    },
  ),
  ...caughtBy(inTest('api/transfer-files', 'an export never sends damaged bytes as a whole document'), {
    'an export does not check the digests of files': 'every verified blob is right',
  }),
  ...caughtBy(
    inTest('api/transfer-files', 'a file of a document that is not what it says is refused with its place, and nothing is kept'),
    {
      'an import does not check the digests of files': never(
        'engine/files/imported-files',
        'ImportedFiles.#store',
        "file['digest'] !== undefined && file['digest'] !== blob.digest",
      ),
    },
  ),
  ...caughtBy(inTest('api/transfer-files', 'an export has another tag when a file is added, renamed or deleted'), {
    'the tag of an export ignores its files': 'a project does not depend on its files',
  }),

  // Addresses of files as references.
  ...caughtBy(
    inTest('api/file-addresses', 'a strict write refuses new addresses that name no file, each with its place in the body'),
    {
      'strict writes miss addresses in HTML': 'HTML has no addresses of files',
    },
  ),
  ...caughtBy(inTest('api/file-addresses', 'addresses elsewhere are never references'), {
    'addresses on other hosts are references': edit(
      'model/references/file-references',
      'fileAddress',
      'isBelow ? text.slice(base.length) : text',
      "isBelow ? text.slice(base.length) : text.replace(/^(?:https?:)?[/][/][^/]*/, '')",
    ),
  }),
  ...caughtBy(inTest('api/file-addresses', 'an address that names no file of the project is a problem, wherever it is'), {
    'the list of problems is the same after a file was deleted': 'a project does not depend on its files',
  }),

  // Published maps as blobs.
  ...caughtBy(inTest('engine/publish', 'the record of a publication is appended when its map is durable under its name'), {
    'a publication is recorded before its map has its name': 'a file is named after the answer',
  }),
  ...caughtBy(inTest('engine/publish', 'the bytes of a map are held from their upload until its record is applied'), {
    'a map is not held until its record is applied': 'the hold of an upload ends when its bytes are stored',
  }),
  ...caughtBy(
    inTest('engine/blob-deletion', 'a file that only a published map shows is kept, and goes when the project is made private'),
    {
      'a blob is deleted while a publication shows it': 'a publication does not refer to the blobs of its files',
    },
  ),
  ...caughtBy(
    inTest('api/published-page', 'a damaged content is reported, and the page is there without it until it is published again'),
    {
      'a damaged page stays damaged': 'no blob is known to be damaged',
    },
  ),
  ...caughtBy(inTest('engine/map-names', 'a name that was given up stays the account\u2019s for a year'), {
    'a name that was given up can be taken by every account': 'a name is asked for two years later',
    'the name of a deleted project goes on to lead somewhere': 'no name is given up',
  }),
  ...caughtBy(
    inTest(
      'engine/map-names',
      'a name that another shard has is taken, and one whose place is taken meanwhile is not overwritten',
    ),
    {
      'a name that is taken while it is reserved is overwritten': without(
        'engine/projects/publish-project',
        'commitChanges',
        'mayCommit();',
      ),
    },
  ),
  ...caughtBy(inTest('engine/map-names', 'a name leads to one map, and no other map can have it'), {
    'an answer that a name leads nowhere does not wait for the record that gave it up':
      'put-name leaves the version of publications as it is',
  }),
  ...caughtBy(inTest('engine/map-names', 'names survive restarts and snapshots, and go with their account'), {
    'a snapshot forgets the names of maps': 'an account has no names of maps',
  }),
  ...caughtBy(inTest('cluster/routing', 'the path of the public URL may precede every path'), {
    'a map below the path of the public URL is looked for in the wrong shard': 'paths keep that of the public URL',
  }),
  ...caughtBy(inTest('api/page-content', 'texts of a map are never markup'), {
    'a text of a map is markup of its page': 'texts are not escaped',
  }),
  ...caughtBy(inTest('server/publications', 'a backup and its restore contain the publications'), {
    'a backup is without the maps that are public': without(
      'storage/snapshot/writer',
      'SnapshotWriter.add',
      'for (const { digest, bytes } of blobsOfMaps(entry.publication)) this.#blobs.set(digest, bytes);',
    ),
  }),

  // Visits.
  ...caughtBy(inTest('api/visits', 'made-up identifiers grow nothing'), {
    'identifiers of visits are not looked up in the published map': 'every place is on the map',
  }),
  ...caughtBy(inTest('engine/visit-counts', 'a visit without anything leaves no trace'), {
    'made-up identifiers make records': without(
      'engine/visits/visit-counts',
      'VisitCounts.add',
      '|| opened + searches + places.length === 0',
    ),
  }),
  ...caughtBy(inTest('api/visits', 'a beacon gets the same answer whatever it is, and counts as a whole or not at all'), {
    'Global Privacy Control is ignored by the server': without(
      'api/publish/visits/seen-endpoint',
      'seenEndpoint',
      "request.headers['sec-gpc'] !== '1' &&",
    ),
  }),
  ...caughtBy(inTest('api/visits', 'the table of addresses is bounded, and forgets'), {
    'the table of addresses grows without bound': never(
      'api/publish/visits/address-limit',
      'AddressLimit.admits',
      'this.#counts.size > addressesMax',
    ),
  }),
  ...caughtBy(inTest('engine/visit-counts', 'counts of a map that was made private are dropped, also when it is public again'), {
    'visits outlive their publication': 'delete-publication leaves the visits',
  }),
  ...caughtBy(inTest('server/visits', 'a stop stores what was counted; a crash loses what was not stored yet'), {
    'a stop drops the visits that wait': 'a stop stores no visits',
  }),
  ...caughtBy(inTest('server/visits', 'snapshots keep visits, also when nothing or something else of the project changes'), {
    'a snapshot is without visits': 'a project has no visits',
  }),
  ...caughtBy(inTest('engine/visit-counts', 'what cannot be stored stays in memory'), {
    'what cannot be stored is forgotten': edit(
      'engine/visits/visit-counts',
      'VisitCounts.#storeSome',
      'return false;\n    }\n    for',
      '}\n    for',
    ),
  }),
  ...caughtBy(inTest('engine/publish', 'the log names the blobs of the maps that its records publish'), {
    'an archived log is without the maps that it publishes': 'a publication refers to no blobs',
  }),
  ...caughtBy(inTest('server/publications', 'a map with other bytes on disk is a 500 and an alarm'), {
    'a damaged map raises no alarm': 'the collector notes no damage',
  }),

  // The bytes of files in backups.
  ...caughtBy(inTest('backup/file-bytes', 'a restored folder gets its journal only when its files are durable'), {
    'a backup is without the bytes of its files': 'a backup keeps no bytes of files',
    'a restored folder gets its journal before its files are durable': 'syncs of the folders of restored blobs are lost',
  }),
  ...caughtBy(inTest('backup/file-bytes', 'a backup has its name only when the files beside it are durable'), {
    'a backup has its name before the files beside it are durable': 'the sync of the folder is lost after a blob got its name',
  }),
  ...caughtBy(inTest('backup/file-bytes', 'verify finds every file whose bytes are missing, cut or changed'), {
    'the digest of a file is not checked': never('storage/blobs/blob-source', 'verified', "hash.digest('hex') !== digest"),
  }),
  ...caughtBy(inTest('backup/file-bytes', 'archived log has its name only when its files are beside it'), {
    'archived log is without its files': 'the log names no files',
  }),
  ...caughtBy(inTest('backup/file-bytes', 'pruning keeps the files of backups and of archived log, and all of them in doubt'), {
    'pruning deletes files that archived log needs': 'the log names no files',
    'pruning deletes files that a backup lists': edit(
      'storage/backup/blobs/prune-blobs',
      'spareListed',
      'if (pieces === undefined) candidates.delete(digest);',
      'continue;',
    ),
  }),

  // Recovery.
  ...caughtBy(workload('records over several sectors', 'prefix', 'recovers'), {
    'the checksum of a payload is not checked': 'a frame has the checksum of whatever payload it has',
  }),
  ...caughtBy(workload('single writes', 'prefix', 'recovers'), {
    'the checksum of a frame is not checked': edit(
      'storage/wal/format/frame',
      'isFrameHeader',
      'return crc32(bytes.subarray(offset, offset + 60), salt) === bytes.readUInt32LE(offset + 60);',
      'return true;',
    ),
  }),
  ...caughtBy(inTest('wal/recovery', 'recovery refuses the log: the last frame is of another chain'), {
    'a frame need not continue the frame before it': never(
      'storage/wal/read/read-segment',
      'wrongIn',
      'previous !== undefined && frame.previousCrc !== previous.crc',
    ),
  }),
  ...caughtBy(inTest('wal/recovery', 'recovery refuses the log: the last frame skips an LSN'), {
    'LSNs may have gaps': never('storage/wal/read/read-segment', 'wrongIn', 'frame.firstLsn !== nextLsn'),
  }),
  ...caughtBy(workload('torn tails', 'recovers'), {
    'a torn tail is taken for damage': 'a torn end is read as a gap',
    'a torn tail is cut too little: the log goes on behind it': 'a torn end is read 512 bytes after its beginning',
  }),
  ...caughtBy(workload('torn tails', 'acknowledged', 'shown'), {
    'a torn tail is cut too far: with the frame before it': 'the frame before a torn end is not read',
  }),
  ...caughtBy(workload('killed amid writes', 'recovers', 'shown', 'acknowledged'), {
    'what recovery keeps is not synced': 'syncs of segments are lost in recovery',
  }),
  ...caughtBy(workload('a failed sync', 'recovers', 'shown', 'acknowledged'), {
    'recovery trusts the page cache after a failed sync': 'writes of bytes that a segment has already are lost in recovery',
  }),
  ...caughtBy(workload('killed in rotations', 'recovers'), {
    'recovery seals before the name of the successor is durable': 'the sync of the folder of the log is lost in recovery',
  }),
  ...caughtBy(workload('clean stops and restarts', 'numbers', 'recovers'), {
    'an LSN is used twice': 'the next record has the LSN of the last one',
  }),
  ...caughtBy(workload('never synced', 'lineage'), {
    'a tag is used twice: the lineage goes on although answers were lost': 'the lineage continues whatever was found',
  }),

  // Snapshots.
  ...caughtBy(workload('a snapshot', 'undamaged', 'recovers'), {
    'a snapshot gets its name without a sync': 'syncs of snapshots are lost',
  }),
  ...caughtBy(workload('a snapshot', 'folded'), {
    'a snapshot is reported before its name is durable': 'the sync of the folder is lost after a snapshot got its name',
  }),
  ...caughtBy(workload('snapshots, retention and trims', 'recovers', 'acknowledged', 'folded'), {
    'what a snapshot covers is deleted before its rename is durable':
      'syncs of the folder are lost after a snapshot got its name, and after deletions',
  }),
  ...caughtBy(inTest('snapshot/run', 'damage in the previous snapshot or the log is reported and never copied into a snapshot'), {
    'rot is copied forward by a fold': 'a chunk has the checksum that its head says',
  }),
  ...caughtBy(workload('snapshots of every collection', 'prefix', 'recovers'), {
    'a fold drops a collection': 'a project lacks its first collection',
  }),
  ...caughtBy(workload('a snapshot', 'prefix', 'recovers'), {
    'a fold skips a record': 'a record in five changes nothing',
  }),
  ...caughtBy(workload('keys made, revoked and deleted', 'prefix'), {
    'a fold forgets which keys were revoked': 'a snapshot is written of keys that are not revoked',
  }),
  ...caughtBy(inTest('snapshot/retention', 'the log from the older one on is there'), {
    'the log is deleted up to the newest snapshot, so that the one before it is of no use':
      'the log is covered up to the newest snapshot',
  }),
  ...caughtBy(workload('snapshots that refer to older ones', 'recovers', 'undamaged', 'kept'), {
    'a file is deleted that a snapshot refers to': edit(
      'storage/snapshot/snapshot-folder',
      'unneeded',
      'for (const lsn of parts) needed.add(lsn);',
      'needed.add(newest);',
    ),
  }),
  ...caughtBy(workload('snapshots that refer to older ones', 'kept'), {
    'a file is deleted that the snapshot before the newest refers to': edit(
      'storage/snapshot/snapshot-folder',
      'unneeded',
      'for (const part of filesOf(files, folder, lsn)) needed.add(part);',
      'needed.add(lsn);',
    ),
  }),
  ...caughtBy(workload('snapshots that give up older files', 'recovers', 'undamaged', 'kept', 'folded'), {
    'older files are deleted before the name of the snapshot that needs them no more is durable':
      'the sync of the folder is lost after a snapshot got its name',
  }),
  ...caughtBy(inTest('snapshot/incremental', 'each snapshot equals the state in memory'), {
    'the root does not say in which older files the projects of a group are':
      'the root does not say in which older files projects are',
  }),
  ...caughtBy(workload('snapshots that refer to older ones', 'prefix', 'kept'), {
    'a part of the index stays as it was although records touched it':
      'a snapshot is written without the projects that records touched',
  }),
  ...caughtBy(inTest('snapshot/incremental', 'mostly dead snapshot files are compacted, and their number stays small'), {
    'a living chunk is dropped when its file is given up': edit(
      'storage/snapshot/writer',
      'SnapshotWriter.#untouched',
      'leaves: held.leaves.map((leaf) => this.#keptLeaf(leaf))',
      'leaves: held.leaves.filter((leaf) => leaf.file === this.#keptLeaf(leaf).file)',
    ),
  }),
  ...caughtBy(workload('snapshots that give up older files', 'prefix', 'kept'), {
    'a deleted project comes back with the group that it was in': 'a snapshot is written without the deletions of projects',
  }),
  ...caughtBy(inTest('snapshot/incremental', 'share no file'), {
    'a fold goes on from the newest snapshot, so that the two that are kept share their files':
      'the snapshot before the newest is the newest',
  }),
  ...caughtBy(
    inTest('snapshot/incremental', 'the parts of a quarantined newest snapshot are no snapshots and are deleted with it'),
    {
      'a part of the newest snapshot passes for the one before it': 'parts of the newest snapshot are snapshots of their own',
    },
  ),

  // Answers.
  ...caughtBy(workload('reads among writes', 'shown'), {
    'a read does not wait for the disk': 'reads wait for nothing',
  }),
  ...caughtBy(
    inTest('api/execution', 'responses of any status wait until the changes that they show are durable, and others do not wait'),
    {
      'a rejection does not wait for the disk': edit(
        'engine/write/write',
        'Writer.#transact',
        'this.#locks.release(lock); } const durable = this.#journal.durable(lsn);',
        "this.#locks.release(lock); } const durable = outcome.outcome === 'done' ? this.#journal.durable(lsn) : undefined;",
      ),
    },
  ),
  ...caughtBy(inTest('api/conditions', 'concurrent editors that write with If-Match lose no update'), {
    'a condition of a write is not looked at': 'a command has no precondition',
  }),
  ...caughtBy(
    inTest('api/batch', 'a batch with one invalid operation changes nothing, and the error has the index of the operation'),
    {
      'a batch changes what it was decided on': 'a copy of a collection is the collection',
    },
  ),
  ...caughtBy(inTest('api/idempotency', 'a repeated create of any kind gets the first response again, also after a crash'), {
    'a fold forgets the answers that are to be given again': 'the root has no stored responses',
  }),
  ...caughtBy(inTest('api/idempotency', 'repeats that arrive while the first request waits for a lock take effect once'), {
    'a repeated request is carried out beside the first': never(
      'engine/write/idempotency',
      'Idempotency.run',
      'this.#inFlight.has(name)',
    ),
  }),
  ...caughtBy(
    inTest('server/control', 'keys created and revoked through the control socket change immediately and survive a restart'),
    {
      'a revoked key is forgotten': 'put-key leaves a key that exists as it is',
    },
  ),
  ...caughtBy(inTest('server/embed', 'a folder in use is refused with the process that holds it, and is free after close'), {
    'a lock that another server holds is taken for a stale one': 'every lock is free',
  }),
  ...caughtBy(inTest('server/replaced-folder', 'a server stops if its folder is replaced, and both folders open'), {
    'another folder at the path of the data folder is taken for the same': always(
      'lib/files/open-folder',
      'findOther',
      'found.dev === device && found.ino === inode',
    ),
  }),
  ...caughtBy(inTest('server/replaced-folder', 'a server stops at the next check if its newest segment is deleted'), {
    'a segment that was deleted is still written to': 'every open file is at its path',
  }),
  ...caughtBy(inTest('cli/transfer', 'an export does not write through links at its file names'), {
    'a command writes through a prepared link': [
      edit('cli/output/new-file', 'openTemporary', `\`\${path}.\${randomBytes(4).toString('hex')}.tmp\``, `\`\${path}.tmp\``),
      edit('cli/output/new-file', 'openTemporary', 'O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW', 'O_WRONLY | O_CREAT'),
    ],
  }),
  ...caughtBy(inTest('api/transfer', 'the file name of an export is a safe form of the project name'), {
    'names of devices are taken for names of files': never('lib/files/file-name', 'isDeviceName', 'device.test(name)'),
  }),

  // The feed.
  ...caughtBy(inTest('engine/feed', 'the feed publishes records in log order, and none before it is durable'), {
    'a change is sent before it is durable': 'a wait without a limit ends before the record is durable',
  }),
  ...caughtBy(inTest('engine/feed', 'a sync that takes too long fails its write but ends no subscriber'), {
    'a slow disk ends those who follow': 'a wait without a limit ends when the disk takes too long',
  }),
  ...caughtBy(inTest('api/events', 'the feed has an event for each change, with the version for If-Match'), {
    'a follower may go on from within a record': edit(
      'engine/feed/event-encoder',
      'recordTexts',
      'texts = joinTexts(texts, textsOf(before));',
      'texts = joinTexts(texts, textsOf(before, version));',
    ),
  }),
  ...caughtBy(inTest('engine/feed', 'a subscriber that changes from the log to live records misses none and repeats none'), {
    'who comes from the log is live before it has read all of it': never(
      'engine/feed/catch-up',
      'CatchUp.#arrives',
      'subscriber.position < subscriber.joinedAt',
    ),
  }),
  ...caughtBy(
    inTest('engine/feed', 'revoking a key or deleting an account ends its subscribers in the same turn of the event loop'),
    {
      'a revoked key goes on following': 'the feed gets no changes of keys',
    },
  ),

  // What a client can make the server hold.
  ...caughtBy(inTest('http/compressed-cache', 'is cached at the second request'), {
    "a compressed answer is found by another account's key": 'all keys see the same content',
  }),
  ...caughtBy(inTest('http/compressed-cache', 'cache keys count against the size of the cache'), {
    'keys of the compressed cache take no room': edit('http/response/compressed-cache', 'bytesOf', '2 * key.length', '0'),
  }),
  ...caughtBy(inTest('http/gunzip', 'clients that read nothing hold counted memory'), {
    'memory for decompression is not limited': 'the memory for responses has no limit',
    'a body is decompressed ahead of its client': edit(
      'http/response/body-pump',
      'BodyPump.#write',
      "this.#res.write(piece, 'latin1', this.#taken)",
      "(this.#res.write(piece, 'latin1'), queueMicrotask(this.#taken))",
    ),
  }),
  ...caughtBy(
    inTest('http/gunzip', 'at most eight decompression steps run at a time, first in, first out, without cancelled ones'),
    {
      'any number of bodies are decompressed at a time': 'no step of decompression waits',
    },
  ),
  ...caughtBy(inTest('http/refusal-order', 'only one Authorization header with a valid Bearer key is accepted'), {
    'a key is remembered once for each spelling': edit(
      'http/guard/authentication',
      'Authenticator.principalOf',
      'canonical === value ? undefined : this.#cached(canonical)',
      'undefined',
    ),
    'a key works until its record would be looked up again': 'changes of keys are not noticed',
  }),
  ...caughtBy(inTest('http/upgrade', 'no request in a packet before its response is executed'), {
    'a request after one that asks for another protocol is carried out': without(
      'http/connection',
      'Connection.begin',
      'if (asksForUpgrade(req)) this.#endWith(req);',
    ),
  }),
  ...caughtBy(
    inTest('engine/feed', 'a write succeeds although the feed fails after the append; its subscribers get a reset and end'),
    {
      'an error in the feed fails a write that was applied': 'failures of the feed are thrown',
    },
  ),
  ...caughtBy(
    inTest('engine/feed', 'a record whose events cannot be encoded gives its subscribers a reset, and the others continue'),
    {
      'a subscriber misses a record silently': 'failures of the feed are not reported',
    },
  ),
  ...caughtBy(inTest('engine/feed', 'a subscriber whose writes fail is disconnected, and the others get every event'), {
    'an error ends the loop that reads the log for good': edit(
      'engine/feed/catch-up',
      'CatchUp.#run',
      'finally { this.#running = false; }',
      'finally { }',
    ),
  }),
  ...caughtBy(
    inTest('engine/feed', 'writing to many subscribers yields to the event loop, when they catch up and when they get a change'),
    {
      'subscribers that catch up are served in one turn': 'a slice of a turn never ends',
    },
  ),

  // The command.
  ...caughtBy(inTest('cli/code-cache', 'a cache below a folder that others may write'), {
    'code is executed from a folder that another user can exchange': edit(
      'lib/files/private-folder',
      'realFolder',
      'if (!isTrusted(stats)) return undefined;',
      'if (!stats.isDirectory()) return undefined;',
    ),
  }),
  ...caughtBy(inTest('cli/code-cache', 'only a regular file that others may not write is read as cached code'), {
    'code is executed from a file that others may write': edit(
      'cli/code-cache',
      'privateBytes',
      'isPrivateFile(fd) ? fs.readFileSync(fd)',
      'fs.fstatSync(fd).isFile() ? fs.readFileSync(fd)',
    ),
  }),
  ...caughtBy(inTest('cli/code-cache', 'stack traces of two installations name their own files, and what is old goes'), {
    'code is cached for all installations': edit('cli/code-cache', 'CacheFile.constructor', 'digestOf(script)', "digestOf('')"),
  }),

  // Inside other programs.
  ...caughtBy(inTest('server/body-parsers', 'the JSON that a parser of Express has read is taken'), {
    'a body that another program has read is waited for': edit(
      'http/request/receive',
      'pipeBody',
      'else if (req.readableEnded)',
      'else if (false)',
    ),
  }),
  ...caughtBy(inTest('server/body-parsers', 'a body that was read and not kept gets a 500 at once, which names the cause'), {
    'a body that was read and not kept is taken for an empty one': without(
      'http/pipeline',
      'readBody',
      'if (lost !== undefined) throw lost;',
    ),
  }),
  ...caughtBy(
    inTest(
      'server/body-parsers',
      'requests of one connection that a parser passes on in another order are all answered, in theirs',
    ),
    {
      'a request that a parser has delayed waits for one that was sent after it': edit(
        'http/connection',
        'Connection.begin',
        'isFree || (this.#isHeldBack && isLate({ req, res }))',
        'isFree',
      ),
    },
  ),
  ...caughtBy(inTest('server/embed', 'the handler passes on what is not its own, and the paths say what is'), {
    'the handler passes nothing on': edit(
      'http/connection',
      'Connections.#isOwn',
      'if (router.find(url) !== undefined) return true;',
      'return true;',
    ),
  }),
  ...caughtBy(
    inTest(
      'cli/bundle',
      'without pg and undici, a cluster names the command that installs them, as does each check of the doctor once',
    ),
    {
      'a missing package of a cluster is named only outside the bundle': edit(
        'cluster/database/load-packages',
        'loadPackage',
        "!missing.includes((error as NodeJS.ErrnoException).code ?? '')",
        "(error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND'",
      ),
    },
  ),

  // Single sign-on.
  ...caughtBy(inTest('server/oidc', 'an answer counts once, for the browser and the attempt that it belongs to'), {
    'an answer of the provider for another attempt signs in': without(
      'server/console/oidc/single-sign-on',
      'SingleSignOn.#finish',
      "if (new URLSearchParams(search).get('state') !== attempt.state) return 'other';",
    ),
    'an answer of the provider counts twice': without(
      'server/console/oidc/single-sign-on',
      'SingleSignOn.#isFirst',
      'this.#used.set(state, until);',
    ),
  }),
  ...caughtBy(inTest('server/oidc', 'owners connect the provider while they are signed in, and only then'), {
    'a session that has ended connects a provider': 'a request without a session is of the last person',
    'an e-mail address makes an owner': always('server/console/oidc/decide-person', 'decideNamed', "role !== 'owner'"),
  }),
  ...caughtBy(inTest('server/oidc', 'an address that the provider does not confirm, or that nobody invited, signs nobody in'), {
    'an address that is not confirmed signs in': 'the provider confirms every address',
  }),
  ...caughtBy(inTest('server/oidc', 'a domain lets people in with its role, and never as owners'), {
    'a removed person comes back by their domain': [
      edit('server/console/oidc/decide-person', 'decidePerson', 'gone ?? decideByDomain', 'decideByDomain'),
      without(
        'server/console/oidc/decide-person',
        'decideByDomain',
        "if (former.some(({ accountId }) => accountId === account.id)) return refuse('removed');",
      ),
    ],
    'the end of a domain counts as the domain': edit(
      'server/console/oidc/decide-person',
      'ruleFor',
      'each.domain === domain',
      'domain.endsWith(each.domain)',
    ),
  }),
  ...caughtBy(inTest('server/oidc', 'the way back leads to a project or nowhere'), {
    'the way back from a provider leads anywhere': without('api/console/oidc-endpoints', 'wishIn', '!isScreen || '),
  }),
  ...caughtBy(
    inTest(
      'server/oidc-trouble',
      'only an ID token of this issuer, for this client and this attempt, with its signature, counts',
    ),
    {
      'the signature of an ID token is not checked': without(
        'server/console/oidc/provider',
        'Provider.#discover',
        'library.enableNonRepudiationChecks(configuration);',
      ),
    },
  ),
  ...caughtBy(inTest('server/oidc-trouble', 'a discovery document that is missing, wrong, large or late signs nobody in'), {
    'a provider answers without an end': never('server/console/oidc/provider', 'readWithin', 'length > answerBytesMax'),
  }),

  // Publications.
  ...caughtBy(inTest('server/sessions', 'a code is valid for ten minutes'), {
    'a code of the console works for ever': 'a code is looked up at the beginning of 1970',
  }),
  ...caughtBy(inTest('server/sessions', 'after ten wrong codes'), {
    'wrong codes of the console are not counted': 'wrong codes are minutes apart',
    'ten wrong codes of the console lock out the right one': edit(
      'server/console/sessions',
      'ConsoleSessions.exchange',
      'const text = textOfShard(shard, code);',
      'this.#wrong.note(address, now); const text = textOfShard(shard, code);',
    ),
    'a clock that is set back prolongs the wait after wrong codes of the console': 'the clock of wrong codes is never set back',
  }),
  ...caughtBy(inTest('server/sessions', 'a session is deleted a day after its end'), {
    'the console deletes keys of programs': without(
      'server/console/sessions',
      'ConsoleSessions.deleteEnded',
      "if (key.kind === 'key') return false;",
    ),
  }),
  ...caughtBy(inTest('server/sessions', 'either half alone opens nothing'), {
    'a session needs any cookie, not its own': edit('engine/session-keys', 'sessionDigest', '[text, cookie]', '[text]'),
  }),
  ...caughtBy(inTest('server/sessions', 'a session works for 30 days from its last use'), {
    'a session ends although it is used': 'a use extends no session',
  }),
  ...caughtBy(inTest('server/sessions', 'only the page of this server signs in'), {
    'a page of another site signs a browser in': never(
      'api/console/session-endpoints',
      'refuseOtherSites',
      "site !== 'same-origin'",
    ),
  }),
  ...caughtBy(inTest('server/people', 'the last owner is neither removed nor made less'), {
    'the last owner of an account is removed': without('engine/change-persons', 'isLastOwner', ' || other.id === id'),
  }),
  ...caughtBy(inTest('server/people', 'a role counts from the moment of its change'), {
    'an open feed keeps the role of before': 'the feed gets no changes of people',
  }),
  ...caughtBy(inTest('server/people', 'a restored backup has nobody signed in'), {
    'a restored folder has the sessions of its backup': without('storage/backup/build', 'buildFolder', 'dropSessions(state);'),
  }),
  ...caughtBy(inTest('server/people', 'versions, events and reports name the person'), {
    'a version forgets who is a former user': edit('engine/actors', 'nameOfActor', '?? formerUser', '?? label'),
    'a new name of a person is not seen in versions that a client knows': edit(
      'api/declaration',
      'bind',
      'given.engine.state.personsVersion',
      '0',
    ),
  }),
  ...caughtBy(inTest('server/sessions', 'invalid requests to /console/session are refused with their status'), {
    'anybody may send a long body to sign in': edit(
      'http/request-body',
      'bodyBytesMaxOf',
      'endpoint?.bodyBytesMax ?? limits.bodyBytesMax',
      'limits.bodyBytesMax',
    ),
  }),
  ...caughtBy(inTest('api/docs', 'the policy of the reference allows'), {
    'the pages may send requests to other hosts': 'pages may connect to every host',
  }),
  ...caughtBy(inTest('console/project', 'each deleted resource can commit its edits for its own time'), {
    'the end of one deleted resource ends those that were deleted later': edit(
      'web/console/document/conflicts',
      'Conflicts.lose',
      'this.#lost.delete(id)',
      'this.#lost.clear()',
    ),
  }),
  ...caughtBy(inTest('console/document', 'a step whose answer was lost is made once'), {
    'a batch of the console that is sent again is executed twice': 'a batch that is sent again has another key',
  }),
  ...caughtBy(inTest('console/document', 'typed while it is saved'), {
    'a saved value of the console replaces what was typed meanwhile': 'no write of the document is begun',
  }),
  ...caughtBy(inTest('lib/css-colour', 'a text that is no colour'), {
    'hexadecimal digits without # are a colour': without('lib/draw/css-colour', 'form', '(?![a-f]+$)'),
  }),
  ...caughtBy(inTest('viewer/labels', 'the point of a polygon with holes is beside them'), {
    'the name of a polygon is written in its hole': 'polygons have no holes',
  }),
  ...caughtBy(inTest('viewer/labels', 'texts keep their place'), {
    'a name covers a text': edit(
      'web/viewer/drawing/labels/place-labels',
      'placeLabels',
      'taken.add(centred(each), each.id);',
      ';',
    ),
  }),
  ...caughtBy(inTest('viewer/labels', 'a larger name is farther from its spot'), {
    'a large name touches its spot': 'names have the usual distance from their spots',
  }),
  ...caughtBy(inTest('viewer/scale-bar', 'a bar is as long as its label says'), {
    'the scale of a printed map is that of the equator': 'the middle of a map is at the equator',
  }),
  ...caughtBy(inTest('viewer/map-address', 'a view is a box of four numbers'), {
    'an address turns the view of a map over': without(
      'web/viewer/element/navigation/map-address',
      'viewIn',
      'box[0] < box[2] && ',
    ),
  }),
  ...caughtBy(inTest('viewer/wall-words', 'the words say if the data are current'), {
    'a wall calls old data current': 'stale data are fresh',
  }),
  ...caughtBy(inTest('viewer/wall-words', 'a time of another day has its day'), {
    'a wall leaves out the day of old data': 'all times are of today',
  }),
  ...caughtBy(inTest('viewer/labels', 'a map zooms in until a spot is alone'), {
    'a spot that is searched for stays in its group': 'no spot is in a group',
  }),
  ...caughtBy(inTest('viewer/content-bounds', 'content is cut where it exceeds a bound'), {
    'a popup with a hundred thousand elements is parsed': edit(
      'web/viewer/element/content-bounds',
      'ContentScan.#exceeded',
      'counts[name] > contentBounds[name]',
      'counts[name] > 100 * contentBounds[name]',
    ),
  }),
  ...caughtBy(
    inTest('viewer/content-bounds', 'text that a browser does not parse as a tag neither opens nor closes an element'),
    {
      'an end tag in an attribute of a popup counts': edit(
        'web/viewer/element/content-bounds',
        'ContentScan.#tag',
        `if (quote === '"' || quote === "'") {`,
        `if (quote === '"') {`,
      ),
    },
  ),
  ...caughtBy(inTest('viewer/facets', 'counts follow all conditions but their own'), {
    'a count of the panel leaves out its own filter and one more': edit(
      'web/viewer/element/panel/facets',
      'Facets.count',
      'if (misses > 1) continue;',
      'if (misses > 2) continue;',
    ),
  }),
  ...caughtBy(inTest('viewer/facets', 'the filter of the map and the counts of the panel agree'), {
    'a filter hides the walls of a plan': 'every object is a place',
  }),
  ...caughtBy(inTest('viewer/map-address', 'parameters of others are kept, in their order'), {
    'a map takes the parameters of its page out of the address': 'the address of a map had no parameters before',
  }),
  ...caughtBy(inTest('api/model', theModel), {
    'settings and data sources are public': 'settings and data sources are public members',
    'a member beyond the contract is shown with its default': without('model/generate', 'isOtherCode', "encoding === 'array' ||"),
    'a public map has the keys of its objects': 'objects have no private members',
    'the source of identifiers does not note those of clients': 'identifiers of clients are not noted',
    'a restore does not keep the state before': 'no decision keeps a version',
    'a restore leaves what was created since': 'a restore deletes nothing',
    'a restore does not bring an artboard back that was deleted': 'a restore creates no artboard',
  }),
  ...caughtBy(inTest('api/publications', 'a map gets 404 after its publication, project or account is deleted'), {
    'a map that was made private stays readable': 'delete-publication leaves the address',
  }),
  ...caughtBy(inTest('api/searches', 'a GET whose precondition fails starts no search'), {
    'a list is searched before its precondition is evaluated': always(
      'api/crud/conditional-read',
      'replyTo',
      "headers['if-none-match'] === undefined && headers['if-match'] === undefined",
    ),
  }),
  ...caughtBy(inTest('server/publications', 'the list of publications never reuses an entity tag for other content'), {
    'publications of a snapshot keep the version of their account': 'an account has no version of its publications',
  }),
  ...caughtBy(inTest('api/searches', 'a list of publications that changes during its search shows one version'), {
    'a list of publications misses what changes while it is searched': never(
      'store/list/project-page',
      'searchProjectPage',
      'now.value !== account || now.version !== version',
    ),
  }),

  // Runs.
  ...caughtBy(inTest('server/old-copy', 'an old copy of a folder reuses no entity tag or event id of the lost writes'), {
    'the start of a run is not logged': 'no record has the start of the run',
  }),
  ...caughtBy(
    inTest('server/old-copy', 'a copy of a running server reuses no entity tag or event id of lost writes, also after snapshots'),
    {
      'a snapshot has no runs': 'the root has no runs',
    },
  ),
  ...caughtBy(inTest('server/old-copy', 'a new run is recorded also if its first write is larger than a segment'), {
    'a project that is too large for one turn does not start the run': 'no record has the start of the run',
  }),
  ...caughtBy(inTest('http/admission', 'an account without a request or a stream takes no memory in admission control'), {
    'an account is counted for as long as the process lives': without(
      'http/guard/admission',
      'AdmissionControl.#forgetIdle',
      'if (requests === 0 && streams === 0) this.#accounts.delete(accountId);',
    ),
  }),
  ...caughtBy(inTest('store/state', 'the index by name agrees after creating, renaming and deleting accounts'), {
    'a renamed account is found by its old name': 'put-account leaves the index by name as it is',
  }),

  // Members beyond the contract.
  ...caughtBy(
    inTest('model/optional-members', 'an optional member is stored, survives other changes, and is removed by its default'),
    {
      'a member beyond the contract is not stored': edit(
        'model/generate',
        'rowItem',
        '=== undefined ? null :',
        '!== undefined ? null :',
      ),
    },
  ),
  ...caughtBy(inTest('api/filters', 'filters and sort orders treat an absent member as its default'), {
    'a filter finds nothing where a member has its default': edit(
      'store/list/filters',
      'scalarOf',
      '(value[name] ?? fallback)',
      '(value[name])',
    ),
  }),
  ...caughtBy(inTest('api/merge-patch', 'the result is checked, and only then written'), {
    'a merge patch is not checked': without(
      'engine/write/resolve-patch',
      'resolvePatch',
      "yield* check(resource, 'update', body, fieldErrors, also);",
    ),
  }),
  ...caughtBy(inTest('api/merge-patch', 'the settings of a project are merged as RFC 7396 says'), {
    'null in a merge patch is stored': edit(
      'model/bodies/merge-patch',
      'merged',
      'if (value === null)',
      'if (value === undefined)',
    ),
  }),
  ...caughtBy(inTest('http/coded-bodies', 'a body that is larger than the limit when it is decoded is refused'), {
    'a decoded body may have any length': edit('http/request/coded-body', 'decoded', 'if (bytes > bytesMax)', 'if (bytes < 0)'),
  }),
  ...caughtBy(inTest('http/coded-bodies', 'what decoders hold counts for the bodies of the account'), {
    'what a decoder holds is not counted': edit(
      'http/request/coded-body',
      'decodePieces',
      'pieces.holds(ofReader + ofDecoder)',
      'pieces.holds(ofReader)',
    ),
  }),
  ...caughtBy(inTest('http/coded-bodies', 'bytes after the end of the content are damage'), {
    'bytes after the end of a coded body are ignored': edit(
      'http/request/coded-body',
      'decoded',
      '!hasEnded || decoder.bytesWritten !== sentBytes',
      'bytes < 0',
    ),
  }),
  ...caughtBy(inTest('api/operators', 'a cursor is valid only with the operators and values it was made for'), {
    'a cursor is valid with another operator': edit('api/crud/cursor', 'boundTo', '[name, value, operator]', '[name, value]'),
  }),
  ...caughtBy(inTest('api/me', 'a key for reading sees its access'), {
    'a key of certain projects sees what the account uses': edit(
      'api/me-endpoint',
      'show',
      'projects === undefined ? useOf(account, bytes) : null',
      'useOf(account, bytes)',
    ),
  }),
  ...caughtBy(inTest('lib/pictures', 'a header without pixels is refused'), {
    'a header without pixels is a picture': never('lib/pictures/recognize', 'recognized', '!hasPixels(type, head)'),
  }),

  // What one request, and one answer, may be.
  ...caughtBy(inTest('api/transfer', 'an import larger than the memory of an account gets 413 with the limit'), {
    'a request that can never be held gets 429': edit(
      'http/guard/admission',
      'AdmissionControl.check',
      'if (heldBytes + bytes > requestBytesMax) {',
      'if (false) {',
    ),
  }),
  ...caughtBy(inTest('api/batch', 'a batch whose results exceed their size limit gets 413 and changes nothing'), {
    'the results of a batch have no limit': never('api/batch-endpoint', 'resultsWithin', 'bytes > bytesMax'),
  }),

  // Requests in the process.
  ...caughtBy(inTest('server/in-process', 'an account that is deleted during an upload gets 401 and nothing is written'), {
    'an account that is deleted while a body arrives still writes': without(
      'http/pipeline',
      'reauthenticate',
      'authenticate(exchange);',
    ),
  }),
  ...caughtBy(inTest('server/people', 'a right that is lost while a body arrives'), {
    'a person who lost a right while a body arrives still has it': edit(
      'http/pipeline',
      'reauthenticate',
      'return authorize(exchange);',
      "return 'next';",
    ),
  }),
  ...caughtBy(inTest('server/sessions', 'a link of somebody else changes who is signed in only'), {
    'a link of another person changes who is signed in': 'each link may replace a session',
  }),
  ...caughtBy(inTest('server/oidc', 'owners connect the provider while they are signed in'), {
    'a planted cookie connects a provider': never(
      'server/console/sessions',
      'ConsoleSessions.exchange',
      'replaced?.id !== connection.session',
    ),
  }),
  ...caughtBy(inTest('server/in-process', 'no header names the account, the address or the frame of a body'), {
    'a header of a request in the process names its address': edit(
      'http/request/addresses',
      'Addresses.of',
      "if (req.socket === undefined) return '';",
      "if (req.socket === undefined) return String(req.headers['x-forwarded-for']);",
    ),
  }),
  ...caughtBy(inTest('server/in-process', 'the bytes of the caller and those of the server are never shared'), {
    'a response in the process has the bytes of the server itself': edit(
      'http/transport/in-process-response',
      'InProcessResponse._write',
      'enqueue(new Uint8Array(piece))',
      'enqueue(piece)',
    ),
  }),
  ...caughtBy(inTest('server/in-process', 'a program that awaits one response after the other lets timers run'), {
    'a request in the process ends only in a later turn': edit(
      'http/transport/in-process-response',
      'InProcessResponse._destroy',
      "queueMicrotask(() => this.emit('close'))",
      "setImmediate(() => this.emit('close'))",
    ),
  }),

  // Large bodies.
  ...caughtBy(inTest('http/json', 'a document with too many distinct object shapes is refused before parsing'), {
    'shapes are not counted': edit('lib/json/json-scan', 'JsonScan.run', 'shapes.count > jsonShapesMax', 'shapes.count < 0'),
  }),
  ...caughtBy(inTest('http/body-queue', 'a large body waits for the response to the previous one of its account'), {
    'large bodies of an account do not wait for each other': 'no body waits for another one',
  }),
  ...caughtBy(inTest('cluster/forwarder', 'a follower repeats a request only if the owner has not carried it out'), {
    'a POST whose connection broke is sent to the next owner': always(
      'cluster/forward/forwarded-request',
      'ForwardedRequest.onError',
      "this.#state === 'sending' || this.#client.isRead",
    ),
  }),

  // Shards of a cluster.
  ...caughtBy(inTest('cluster/shards/nodes', 'a node refuses forwarded requests for shards that it does not own'), {
    'a receiver answers for a shard that it does not own': 'every shard is of this node',
  }),
  ...caughtBy(
    inTest('cluster/shards/nodes', 'readable addresses are unique in the cluster, and lead to their maps through every node'),
    {
      'the name of a map is not reserved in the cluster': 'every name of a map is free',
    },
  ),

  // Files in a cluster.
  ...caughtBy(inTest('blobs/origin', 'an upload is finished when the origin has its bytes'), {
    'an upload to a cluster is acknowledged before the database has its bytes': 'it answers before it has the bytes',
  }),
  ...caughtBy(inTest('cluster/owner-blobs', 'rows are stored until the last write is acknowledged'), {
    'an upload counts although its bytes are not replicated': 'answers say that standbys are configured',
  }),
  ...caughtBy(inTest('blobs/origin', 'damaged or missing bytes of the origin are an error'), {
    'a node caches bytes that do not have the digest of the blob': 'the expected digest is the answer, whatever the bytes are',
  }),
  ...caughtBy(inTest('cluster/files-in-cluster', 'only the owner stores and deletes rows'), {
    'a former owner deletes the bytes of files': edit(
      'cluster/database/stored-blobs',
      'BlobRows.delete',
      'USING mine, unnest',
      'USING unnest',
    ),
    'a late deletion deletes bytes that were uploaded again': without(
      'cluster/database/stored-blobs',
      'BlobRows.delete',
      ' AND b.put = found.put',
    ),
  }),

  // The protocol of the cluster.
  ...caughtBy(protocol, {
    'an equal row is taken as durable': edit(
      'cluster/protocol/append',
      'onCheck',
      "return moved(appender, isUnsettled ? 'unsettled' : 'verified', changes);",
      "if (batch !== undefined && isAt(found.newest, batch.end)) return acknowledge({ ...appender, ...changes, timeline: found.timeline, phase: 'looking' }); return moved(appender, isUnsettled ? 'unsettled' : 'verified', changes);",
    ),
    'a WARNING is ignored': 'answers arrive without their WARNING',
    'removed standbys are not noticed': 'answers say that standbys are configured',
    'the lease holds by the monotonic clock alone': 'the wall clock stands still from each renewal on',
    'a claimer watches for half a lease': 'the monotonic clock of a claimer is 2.5 times as fast',
    'an unsure settle counts': 'the answer to a settle says that it is replicated',
    'a claimer keeps the lineage in another timeline': 'a confirmed row has the lineage of the row before it',
    'an owner that releases answers': 'an owner that releases is asked as one that does not',
    'a renewal from before the question proves it': 'the time of a question is 8 ms too early',
    'a batch that is appended is durable whatever was answered': 'the answer to an append says that it is replicated',
    'an absent batch counts as durable': 'the answer to a look has the batch that was not acknowledged',
  }),
  ...caughtBy(inTest('cluster/protocol', 'a lease ends by the monotonic clock, the wall clock, or a clock that goes backwards'), {
    'the lease holds by the wall clock alone': 'the monotonic clock stands still from each renewal on',
  }),
  ...caughtBy(inTest('cluster/protocol', 'a heartbeat that repeats after a failover counts as a new one'), {
    'a claimer takes a beat that a failover took back for the one that comes again':
      'an observation has the timeline of the one before it',
  }),
  ...caughtBy(inTest('cluster/protocol', 'a lease counts from a renewal only if the renewal is acknowledged'), {
    'an unsure renewal counts': 'the answer to a renewal says that it is replicated',
  }),

  // Data sources.
  ...caughtBy(inTest('live/addresses', 'a name is resolved once for a request'), {
    'an address is not checked after a redirect': 'only the first addresses of a fetch are checked',
  }),
  ...caughtBy(inTest('live/addresses', 'every range that is not public is refused'), {
    'a looked-up address is not checked': 'addresses of names are not checked',
  }),
  ...caughtBy(inTest('live/addresses', 'a name with one refused address among its addresses is refused'), {
    'only the first address of a name is checked': 'only the first address of a name is checked',
  }),
  ...caughtBy(inTest('live/addresses', 'listeners, peers and the database of the server are refused'), {
    'a listener on all addresses is forbidden under none of them': 'listeners on all addresses are on none',
  }),
  ...caughtBy(inTest('live/name-lookup', 'leads no fetch to an address that was not checked'), {
    'addresses of a name are kept for its next requests': 'a name keeps its first addresses',
  }),
  ...caughtBy(inTest('live/name-lookup', 'a name server that answers late'), {
    'a look-up goes on after its fetch has ended': 'a look-up does not end with its fetch',
  }),
  ...caughtBy(inTest('live/name-lookup', 'a look-up ends with its last caller, and that is no failure of the name'), {
    'a look-up that a fetch ended counts as a failure of the name': without(
      'live/sources/name-lookup',
      'NameLookup.#start',
      'running.callers > 0 && ',
    ),
  }),
  ...caughtBy(inTest('lib/turns', 'the end of one piece starts all work that it held up'), {
    'work that ends starts only one that waits for its lane or account': edit(
      'lib/async/turns',
      'Turns.#free',
      'waiting.start();\n        break;',
      'waiting.start();\n        return;',
    ),
  }),
  ...caughtBy(inTest('live/sources', 'a thousand data sources on one host are asked at a pace'), {
    'fetches of one host by an account have no pace': 'a rate limit delays nothing',
  }),
  ...caughtBy(inTest('live/sources', 'a slow host leaves half of all fetches to others, also to accounts that wait for it'), {
    'one host takes all fetches': 'lanes have no limit',
  }),
  ...caughtBy(inTest('lib/turns', 'work that waits for its lane holds no place that other work needs'), {
    'work for a full lane delays other work of its account': edit(
      'lib/async/turns',
      'Turns.#free',
      'if (this.#isFull(next, waiting.lane)) continue;',
      'if (this.#isFull(next, waiting.lane)) break;',
    ),
  }),
  ...caughtBy(inTest('live/sources', 'fetches that are due together start in turns of the event loop of their own'), {
    'fetches that are due together start in one turn of the event loop': 'the next slice is in the same turn',
  }),
  ...caughtBy(inTest('live/sources', 'a repeated watch within the refresh does not look at the data sources'), {
    'each viewer of a live map costs a look at all of its data sources': 'each viewer has a list of data sources of its own',
  }),
  ...caughtBy(inTest('api/live', 'an evaluation and a live map ask only the data sources that variables read'), {
    'an evaluation asks data sources that no variable reads': edit(
      'live/evaluate/asked-sources',
      'askedSources',
      'if (read.has(source.id)) asked.push(source);',
      'asked.push(source);',
    ),
  }),
  ...caughtBy(inTest('api/live', 'beyond 1,000 data sources that variables read, an evaluation names those that are not asked'), {
    'an evaluation asks any number of data sources': edit(
      'live/evaluate/asked-sources',
      'askedSources',
      'asked.length >= bounds.askedSources',
      'asked.length < 0',
    ),
  }),
  ...caughtBy(inTest('live/fetch', 'nothing is sent when the connection leads to another address'), {
    'the address at the other end of a connection is not compared': 'each connection leads to the address that was wanted',
  }),
  ...caughtBy(
    inTest('live/fetch', 'a source that sends no JSON at a place that the parser does not name is refused without a quotation'),
    {
      'a problem of a data source quotes its response': 'problems of JSON quote the document',
    },
  ),
  ...caughtBy(inTest('cli/commands', 'no command keeps only one of two values of an option'), {
    'the first of two values of a flag is dropped': never('cli/arguments', 'checkedArguments', '!isList(name)'),
  }),
  ...caughtBy(inTest('cli/publish', 'publish --out --live writes the present evaluation'), {
    'a written live.json has old data though a source never answered': edit(
      'cli/commands/support/evaluated-once',
      'evaluatedOnce',
      'undefined, isUnusable)',
      'undefined, false)',
    ),
  }),
  ...caughtBy(inTest('live/fetch', 'a source that sends a gzip bomb is too large'), {
    'the size of a response is checked before decompression only': 'compressed responses have no limit',
  }),
  ...caughtBy(inTest('live/fetch', 'another origin never gets them'), {
    'headers follow a redirect to another origin': 'a redirect stays at the origin of its source',
  }),
  ...caughtBy(inTest('live/fetch', 'a redirect away and back does not bring the headers back'), {
    'headers come back after a redirect to another origin': edit(
      'live/sources/fetch-source',
      'Fetch.run',
      'if (this.#url.origin !== this.#request.url.origin) this.#isAtOrigin = false;',
      'this.#isAtOrigin = this.#url.origin === this.#request.url.origin;',
    ),
  }),
  ...caughtBy(inTest('live/fetch', 'a redirect from https to http is refused'), {
    'a redirect leads from https to http': 'every redirect comes from http',
  }),
  ...caughtBy(inTest('api/failing-sources', 'settings that nothing uses any more are not listed'), {
    'a failure with settings that the project has no more is listed': always(
      'api/live/failing-sources',
      'sorted',
      'settingsKey(source) === failing.settings',
    ),
  }),
  ...caughtBy(inTest('api/failing-sources', 'a push ends the failure'), {
    'a push does not end the failure of a data source': edit(
      'live/sources/response-store',
      'ResponseStore.failing',
      'push.sequence > sequence',
      'push.sequence < 0',
    ),
  }),
  ...caughtBy(inTest('api/failing-sources', 'is listed with the reason and its last good time'), {
    'a data source fails since its newest failure': 'a data source fails since its newest response',
  }),
  ...caughtBy(inTest('console/record-choice', 'a row is identified by id, key, name'), {
    'a row is identified by a column that a filter finds equal in another one': edit(
      'web/console/live/record-choice',
      'isUnique',
      'numberIn(value) ?? value',
      'value',
    ),
  }),
  ...caughtBy(inTest('live/sources', 'a push replaces a fetch that runs'), {
    'a fetch that runs overwrites a push': 'a push ends no fetch',
  }),
  ...caughtBy(inTest('live/sources', 'that is deleted while it is fetched and watched leaves nothing behind'), {
    'a deleted source keeps the response of its fetch': 'deleted data sources stay tracked',
  }),
  ...caughtBy(inTest('live/sources', 'a source is fetched at most once per refresh'), {
    'a source is fetched twice per refresh': 'a data source is watched with half the refresh',
  }),

  // Live maps: each case of the table is held against the evaluation.
  ...caughtBy(inTest('live/cases', 'every case of the table has its expected result'), {
    'the condition "less-or-equal" does not hold for equal values': edit(
      'live/evaluate/values/comparison',
      'lessOrEqual',
      'found <= 0',
      'found < 0',
    ),
    'a value is written into HTML as it is': edit(
      'live/evaluate/expressions/text-template',
      'escapedText',
      '/[&<>"\'`=]/.test(text) ? text.replace(/[&<>"\'`=]/g, reference) : text',
      'text',
    ),
    'a script is the link of a button': edit(
      'live/evaluate/expressions/text-template',
      'address',
      "if (raw.trim() === '' || addressOf(raw, use, anyPage) !== undefined) return safe;",
      'if (addressOf !== undefined) return safe;',
    ),
    'variables in a circle are evaluated': edit(
      'live/evaluate/variables/evaluation-order',
      'evaluationOrder',
      "} else if (state.get(read) === 'open') {",
      '} else if (read < 0) {',
    ),
    'a property of the prototype is a member of a response': edit(
      'live/evaluate/values/data-path',
      'step',
      'Object.hasOwn(value, name)',
      'name in value',
    ),
  }),
  ...caughtBy(inTest('live/bounds', 'no more than 10,000 objects are created'), {
    'objects are created without a bound': edit(
      'live/evaluate/actions/create-objects',
      'createObjects',
      'created.list.length >= bounds.createdObjects',
      'created.list.length > 2 * bounds.createdObjects',
    ),
  }),
  ...caughtBy(inTest('live/runs', 'a published evaluation hides items, actions, values and problems'), {
    'the identifier of an item is published': edit(
      'live/runs/public-evaluation',
      'withoutItem',
      ".digest('hex').slice(0, hiddenLength)",
      ".digest('hex') && key",
    ),
  }),
  ...caughtBy(inTest('live/runs', 'an account has 64 projects that wait, and takes no place of another account'), {
    'an account takes the evaluations of all others': 'all accounts are one',
  }),
  ...caughtBy(inTest('live/runs', 'equal requests share one run, which begins after all of them'), {
    'an evaluation that has begun is shared with a later request': edit(
      'live/runs/evaluation-runs',
      'EvaluationRuns.run',
      'if (!hasBegun)',
      'if (made)',
    ),
    'an evaluation is shared between requests with different inputs': 'evaluations have the same inputs',
  }),
  ...caughtBy(inTest('live/runs', 'after an overrun a project is not evaluated during a pause, and runs that wait are refused'), {
    'evaluations that wait are run although one of their project was ended': edit(
      'live/runs/evaluation-runs',
      'EvaluationRuns.#inTurn',
      'this.#check(lane, of); return this.#timed',
      'return this.#timed',
    ),
  }),
  ...caughtBy(inTest('lib/job-thread', 'a job that is kept from the processor is no overrun, and is ended as busy'), {
    'a run that a busy machine delays is an overrun': edit(
      'lib/threads/job-thread',
      'JobThread.#watch',
      'processorMs(number) - usedBefore',
      'performance.now() - beganMs',
    ),
  }),
  ...caughtBy(
    inTest('lib/job-thread', 'a thread without a job is not waited for: at the lowest priority its end may take long'),
    {
      'an idle thread is waited for': edit(
        'lib/threads/job-thread',
        'JobThread.#stopNow',
        'if (isAwaited) await ended;',
        'await ended;',
      ),
    },
  ),
  ...caughtBy(inTest('lib/job-thread', 'a job that pauses is cancelled, and its thread not waited for'), {
    'a pause does not end when its job is cancelled': without(
      'lib/threads/job-thread',
      'JobThread.#stopNow',
      'Atomics.notify(cancelled, 0);',
    ),
  }),
  ...caughtBy(inTest('lib/job-thread', 'a job that waits for a thread that dies in the job before fails, too'), {
    'jobs that wait for a thread that died wait without end': without(
      'lib/threads/job-thread',
      'JobThread.#runIn',
      'void this.#end(started);',
    ),
  }),
  ...caughtBy(inTest('convert/bad-input', 'XML whose tree takes much more than its text is refused before it is parsed'), {
    'documents of any number of namespaces are parsed': without(
      'web/convert/read/xml/sound-xml',
      'refuseMany',
      'prefixes.add(prefix);',
    ),
  }),
  ...caughtBy(inTest('convert/bad-input', 'names of members of every object are no columns, units or classes of their own'), {
    'a property of the prototype is a unit of length': edit(
      'web/convert/read/svg/svg-matrix',
      'lengthOf',
      'Object.hasOwn(units, unit) ? units[unit] : undefined',
      'units[unit]',
    ),
  }),
  ...caughtBy(inTest('lib/pictures', 'a picture that a busy machine delays is no fault of the picture'), {
    'a picture that a busy machine delays is refused for what it is': edit(
      'lib/pictures/picture-recognizer',
      'PictureRecognizer.#recognize',
      'error instanceof OverrunError',
      "error.name !== 'StoppedError'",
    ),
  }),
  ...caughtBy(
    inTest('live/live-maps', 'a live map keeps its last result while an evaluation is refused, and is evaluated soon after'),
    {
      'a response that arrives before a refused evaluation waits for the refresh': without(
        'live/live-maps',
        'LiveMaps.result',
        'map.hasNewResponse = true;',
      ),
    },
  ),
  ...caughtBy(inTest('live/live-maps', 'a result that could not be replaced says since when, in one answer until that changes'), {
    'a result that could not be replaced goes on saying that it is fresh': edit(
      'live/live-maps',
      'LiveMaps.#keep',
      'await restated(newest, state)',
      'newest',
    ),
  }),
  ...caughtBy(inTest('live/sources', 'a source is fresh, stale or failed by its newest attempt and its last good answer'), {
    'a source that fails is fresh while its last answer is young': 'the newest fetch of a data source has succeeded',
    'a push grows old': 'every data source is fetched',
  }),
  ...caughtBy(inTest('live/sources', 'the worst of some states is one of them in any order, and of stale ones the oldest'), {
    'of two sources the younger answer counts': 'of two states the other is the worse one',
  }),
  ...caughtBy(
    inTest('viewer/data-age', 'nothing is fresh but a fresh answer of the last two refreshes, and every such answer is'),
    {
      'a network that is lost leaves the data fresh': 'the network is never lost',
      'data without answers stay young': 'the refresh of a map is a thousand times as long',
    },
  ),
  ...caughtBy(inTest('viewer/document', 'the age of data that a map allows is a whole number of minutes, up to a week'), {
    'an age of no whole minute is taken from a document': 'every number is an age of data',
  }),

  // Places: the projection, the conversion of bodies, and what is computed for responses.
  ...caughtBy(
    inTest('api/places', 'collections of a project and of an artboard take places, for new and for present artboards'),
    {
      'places are converted with the artboard as it was before the write': edit(
        'engine/write/place-objects',
        'Placing.#artboard',
        'return artboards.merge(current, body);',
        'return current;',
      ),
    },
  ),
  ...caughtBy(inTest('api/places', 'pixels and places in one body are accepted if they agree, and the pixels are kept'), {
    'pixels are accepted that are another place than the one sent': without(
      'engine/write/place-converter',
      'PlaceConverter.#agree',
      'onOneCopy <= agreementPixels &&',
    ),
  }),
  ...caughtBy(inTest('api/keep-places', 'a PATCH with keep_places moves the objects in one record, and one without moves none'), {
    'an object that keeps its place gets another radius': edit(
      'engine/write/keep-places',
      'movedObject',
      'objects.merge(value, { ...centre,',
      "objects.merge(value, { ...centre, radius: 2 * value['radius'],",
    ),
  }),
  ...caughtBy(
    inTest('api/places', 'the tag of places changes with the object and with its artboard, and a write compares both'),
    {
      'the tag of places ignores the artboard': edit(
        'api/places/object-places',
        'joined',
        'Math.max(version, artboard.version)',
        'version',
      ),
    },
  ),
  ...caughtBy(inTest('api/geojson', 'the pixels of all objects follow from the export'), {
    'an export leaves out pixels that do not follow from its geometry': edit(
      'api/places/geojson-endpoint',
      'placeGeometry',
      'isExact: back.every((each, i) => areNear(each, sent[i] as readonly Pixel[])),',
      'isExact: back.length > 0,',
    ),
  }),

  // Keys of objects.
  ...caughtBy(inTest('api/object-keys', 'an operation of a batch sees the keys of those before it'), {
    'a batch does not check keys of objects that it changed itself': edit(
      'engine/write/check-keys',
      'checkKeys',
      'if (objects === undefined) return 0;',
      'if (objects === undefined || objects.version === Number.MAX_SAFE_INTEGER) return 0;',
    ),
  }),
  ...caughtBy(
    inTest('api/object-keys', 'a whole collection may exchange keys, and is refused at the second object with one key'),
    {
      'a collection may have a key twice': edit(
        'engine/write/check-keys',
        'checkList',
        'if (before === undefined) named.set',
        'if (before !== key) named.set',
      ),
      'an object that takes a key in the same change loses it again': edit(
        'store/indexes/key-index',
        'KeyIndex.#has',
        'return this.#ids.get(key) === member?.id;',
        'return true;',
      ),
    },
  ),
  ...caughtBy(inTest('api/object-keys', 'a key is free again after a deletion, after a change and after a restart'), {
    'the key of a deleted object stays taken': without(
      'store/collection',
      'Collection.delete',
      'this.#keys?.replace(this.#list.memberAt(place)?.value, undefined);',
    ),
  }),
  ...caughtBy(
    inTest('store/key-index', 'the memory of an index is admitted before it is built, and refused if it does not fit'),
    {
      'the memory of an index of keys is not counted when it is built': 'keys of objects take no memory',
    },
  ),
  ...caughtBy(
    inTest('engine/memory', 'an index of keys counts: when it is built, and when objects with keys are put and deleted'),
    {
      'a key that a new object adds to an index is not counted': 'keys of objects take no memory',
    },
  ),

  // Identifiers, places and artboards from batches.
  ...caughtBy(inTest('api/batch-places', 'a batch deletes a resource and creates another one with its identifier'), {
    'a value that was put before a deletion takes that of what is created after it': edit(
      'engine/write/decide-batch',
      'MergedChanges.add',
      "if (change.path.collection === 'artboards')",
      'if (false)',
    ),
  }),
  ...caughtBy(inTest('api/batch-places', 'a quota counts what a batch deletes and creates again'), {
    'a quota takes what is created after a deletion for what was there': without(
      'store/operations/shared/quota-growth',
      'CollectionGrowth.drop',
      'this.#isDropped = true;',
    ),
  }),
  ...caughtBy(
    inTest('engine/memory', 'growth is the size of the new members minus the replaced and deleted ones, with their objects'),
    {
      'the memory of what a record deletes and creates again is subtracted twice': without(
        'store/operations/shared/members-after',
        'MembersAfter.drop',
        'changed.isDropped = true;',
      ),
    },
  ),
  ...caughtBy(inTest('api/batch-places', 'a strict batch knows what was deleted, created again and moved'), {
    'a strict batch loses an object that moved from a deleted artboard': edit(
      'engine/write/integrity/integrity',
      'goneWith',
      "if (!changed.puts('objects', id))",
      'if (true)',
    ),
  }),
  ...caughtBy(
    inTest('api/batch-places', 'an identifier that is malformed, ahead, taken or misplaced is refused with its pointer'),
    {
      'an identifier may be any time ahead': edit('engine/write/given-ids', 'idProblem', 'time > now + aheadMaxMs', 'time < 0'),
    },
  ),
  ...caughtBy(inTest('api/batch-places', 'a restore brings an object back to its former artboard, for a replica too'), {
    'a restore puts before it deletes': 'a restore deletes last',
  }),
  ...caughtBy(inTest('store/collection', 'a collection equals an array after every step'), {
    'members around a place get ranks that leave none free': edit(
      'store/list/spread',
      'spreadBefore',
      'free = first + distance * count++',
      'free = first + distance * count',
    ),
  }),
  ...caughtBy(inTest('api/versions', 'a comparison names objects that moved to another artboard'), {
    'a comparison does not see that an object moved': never(
      'engine/versions/compare',
      'differing',
      'before.artboardId !== after.artboardId',
    ),
  }),
  ...caughtBy(inTest('console/document', 'what came back stays, although the feed is late'), {
    'the console takes late news of a deletion for one of what came back': 'the document is never later than the feed',
  }),
  ...caughtBy(inTest('console/document', 'typed before the last one is refused replaces it'), {
    'a value that replaces a refused one is in conflict with it': always(
      'web/console/document/pending-writes',
      'PendingWrites.keep',
      '!this.#baseLater(write, ref.id, member, base)',
    ),
  }),
  ...caughtBy(inTest('console/document', 'has its place before it, although the feed is late'), {
    'the console puts what others did before its own step after it': 'orders of the feed never count',
  }),
  ...caughtBy(inTest('console/document', 'moved out of an artboard after a restart stays'), {
    'versions of two starts of the server are in no order': 'versions of two runs are in no order',
  }),
  ...caughtBy(inTest('console/document', 'what is typed after an undo that waits is not taken back by it'), {
    'what is typed after an undo goes before it': 'no write of the document is begun',
  }),
  ...caughtBy(inTest('console/document', 'undo of an earlier change leaves what waits for a decision'), {
    'undo replaces a later value that waits for a decision': 'nothing in the document waits for a decision',
  }),
  ...caughtBy(inTest('console/document', 'of a conflict about what was then deleted, and is given up'), {
    'values of a deleted object are left to save after they were given up': without(
      'web/console/document/outcomes',
      'Outcomes.lose',
      'this.#pending.show([ref.id]);',
    ),
  }),
  ...caughtBy(inTest('console/document', 'placed before it was moved to another artboard is there once'), {
    'the console shows an object on two artboards': edit(
      'web/console/document/project-store',
      'ProjectStore.reorder',
      'present.has(id)',
      'this.#entries.has(id)',
    ),
  }),
  ...caughtBy(inTest('console/document', 'read before the feed brought something newer'), {
    'the console takes a project that is older than what its feed has brought': 'no version is before another one',
  }),

  // The converter of files.
  ...caughtBy(
    inTest('convert/bad-input', 'entities in XML are refused before the document is parsed, a document type without any is not'),
    {
      'entities in XML are read': edit('lib/html/document-type', 'declaring', '(?:DOCTYPE|ENTITY)', '(?:DOCTYPE)'),
    },
  ),
  ...caughtBy(
    inTest('convert/svg', 'the background has what remains, without scripts, handlers and links to other hosts, which are named'),
    {
      'a style with an escaped name loads a picture of another host': edit(
        'web/convert/read/svg/svg-background',
        'loads',
        '@import|\\\\|',
        '@import|',
      ),
    },
  ),
  ...caughtBy(inTest('convert/bad-input', 'files that would grow without bound are refused, or cut with a note'), {
    'a path that is used many times has corners without bound': edit(
      'web/convert/read/svg/svg-drawing',
      'SvgReader.#outlines',
      'if (this.#corners > cornersMax)',
      'if (this.#corners < 0)',
    ),
  }),
  ...caughtBy(inTest('convert/geojson', 'each geometry becomes objects, and multi-geometries become several of one name'), {
    'holes of polygons are filled': 'converted polygons have no holes',
  }),
  ...caughtBy(inTest('convert/geojson', 'an exported line whose pixels do not follow from its places keeps them'), {
    'an exported line becomes a polygon where its pixels are exported': edit(
      'web/convert/read/read-geojson',
      'closedOf',
      "geometry['type'] === 'LineString'",
      "geometry['type'] === 'Line'",
    ),
  }),
  ...caughtBy(inTest('convert/csv', 'decimal commas and thousands are read per column'), {
    'a decimal comma separates thousands': edit(
      'web/convert/read/number-text',
      'numberIn',
      ".replace(',', '.')",
      ".replace(',', '')",
    ),
  }),
  ...caughtBy(
    inTest(
      'convert/bad-input',
      'coordinates of another system are refused by the name of the system or by value, with the remedy',
    ),
    {
      'coordinates of another system are taken for degrees': edit(
        'web/convert/read/read-geojson',
        'refuseOtherSystem',
        'throw otherSystem(',
        'void (',
      ),
    },
  ),
  ...caughtBy(
    inTest('convert/mapping', 'values become colours of classes with equally many objects, or of equal width, with a legend'),
    {
      'a class of values has one value too many': edit(
        'web/convert/map/value-colors',
        'quantileLimits',
        '(i + 1) * sorted.length) / count)',
        '(i + 1) * sorted.length) / count) + 1',
      ),
    },
  ),
  ...caughtBy(inTest('convert/mapping', 'the area of a spot grows with its value'), {
    'the radius of a spot grows with its value': edit(
      'web/convert/map/build-objects',
      'radiusReader',
      'Math.sqrt(Math.max(0, value) / greatest)',
      'Math.max(0, value) / greatest',
    ),
  }),
  ...caughtBy(inTest('convert/mapping', 'templates make popups: values are escaped in the content, and are text in the title'), {
    'a value in a popup is markup': 'texts are not escaped',
  }),
  ...caughtBy(
    inTest('convert/plan', 'a second import updates objects by key, without their style, and keeps or deletes the missing ones'),
    {
      'an import deletes objects without a key': 'every present object has a key',
    },
  ),
  ...caughtBy(
    inTest('convert/round-trip', 'an export that is imported into its own artboard restores the objects that have a key'),
    {
      'an import keeps what an export leaves out': edit(
        'web/convert/map/build-objects',
        'exportedBody',
        '{ ...unexported, ...place',
        '{ ...place',
      ),
    },
  ),
  ...caughtBy(
    inTest('convert/geojson', 'an exported object whose place was damaged is left out with a note, not moved to the corner'),
    {
      'an exported object without a place is made at the corner': edit(
        'web/convert/map/build-objects',
        'buildObjects',
        'if (shapes.length === item.shapes.length) drafts.push(',
        'drafts.push(',
      ),
    },
  ),
  ...caughtBy(inTest('convert/round-trip', 'an export without an artboard to go to makes its artboard and its objects again'), {
    'the new artboard of an export has another centre': edit(
      'web/convert/convert',
      'withTarget',
      "artboard.type === 'osm' && !keepsArea",
      "artboard.type === 'osm'",
    ),
  }),

  // Blobs.
  ...caughtBy(inTest('blobs/crash', 'no crash loses a blob or shows a part of one: one upload'), {
    'an upload gets its name before its bytes are synced': 'syncs of uploads are lost',
    'no sync of the folder after the rename of an upload': 'the sync of the folder is lost after a blob got its name',
  }),
  ...caughtBy(
    inTest('blobs/crash', 'a process that is killed while it creates the folders leaves folders that the next one makes durable'),
    {
      'no sync of the folder in which the folders of blobs are made':
        'the sync of the folder is lost in which the folders of blobs are made',
    },
  ),
  ...caughtBy(inTest('blobs/store', 'a blob is written, synced, renamed, and its folder is synced before finish() resolves'), {
    'the last piece of an upload is not written': 'the last piece of an upload is lost',
    'the record of a version is appended before its blob has its name': 'a file is named after the answer',
  }),
  ...caughtBy(inTest('lib/job-thread', 'a job that only reads is not waited for, however long it runs'), {
    'a stop waits for jobs that only read': edit(
      'lib/threads/job-thread',
      'JobThread.#stopNow',
      'jobs.size > 0 && this.#options.onlyReads !== true',
      'jobs.size > 0',
    ),
  }),
  ...caughtBy(inTest('blobs/store', 'a hold that is taken while a deletion waits for another one spares the blob'), {
    'a hold does not spare a blob whose deletion waits for another one': 'a later hold does not reach a deletion that waits',
  }),
  ...caughtBy(
    inTest(
      'engine/account-uploads',
      'bytes that are refused while others are deleted go together, and those that a record refers to meanwhile stay',
    ),
    {
      'refused bytes are deleted although a record refers to them by now': always(
        'engine/files/account-uploads',
        'AccountUploads.#delete',
        'files.unreferenced().get(digest)?.isFresh === true',
      ),
    },
  ),
  ...caughtBy(inTest('engine/blob-deletion', 'a blob that a record refers to again while others are deleted stays'), {
    'a blob is deleted although a record refers to it again': edit(
      'engine/files/blob-collector',
      'BlobCollector.#collect',
      '.filter(isDue); await',
      '; await',
    ),
  }),
  ...caughtBy(inTest('blobs/store', 'an upload of equal bytes waits for a deletion in progress and stores the blob after it'), {
    'an upload of equal bytes does not wait for a deletion in progress': 'the wait for a deletion ends at the start',
  }),
  ...caughtBy(inTest('blobs/faults', 'a failed sync ends the uploads that run, and no sync is repeated'), {
    'a failed sync of an upload does not stop the store': 'no failed sync is final',
  }),
  ...caughtBy(inTest('api/files-damaged', 'a flipped byte of a small file that was never read is a 500 and an alarm'), {
    'a small file is sent from the disk without a look at its bytes': without(
      'storage/blobs/verified-blobs',
      'VerifiedBlobs.#openSmall',
      'this.#stamps.get(digest) !== stamp ||',
    ),
  }),
  ...caughtBy(inTest('api/files-damaged', 'a flipped byte of a large file that was read is a 500 and an alarm'), {
    'a large file is compared once, whatever happens to it later': 'a file keeps its first stamp',
  }),
  ...caughtBy(inTest('blobs/verified', 'the file that is compared is the one that is read, also if it is replaced meanwhile'), {
    'a file that is replaced while it is compared is sent without a comparison': 'a file keeps its first stamp',
  }),
  ...caughtBy(inTest('blobs/verified', 'blobs of one account that were never read delay another account by one of them'), {
    'files of an account that were never read delay all others': 'all accounts are one',
  }),
  ...caughtBy(inTest('blobs/origin', 'a file of the cache with other bytes is loaded again'), {
    'a damaged file of a cache is not loaded again': 'a damaged file cannot be repaired',
  }),
  ...caughtBy(inTest('cluster/owner-blobs', 'bytes that change in the cache while the database is full are not stored'), {
    'bytes that changed in the cache while the database was away are stored': edit(
      'cluster/log/owner-blobs',
      'OwnerBlobs.#unchanged',
      'if (crc32(piece) !== checksums[n++])',
      'if (n++ < 0)',
    ),
  }),
  ...caughtBy(inTest('blobs/faults', 'EDQUOT in operation 1, a write, fails the upload only, and leaves nothing'), {
    'an exhausted disk quota is no lack of space, since Node has no name for it':
      'a full disk is known by the names that Node has',
  }),
  ...caughtBy(inTest('lib/system-errors', 'errors keep their name on their way between threads'), {
    'errors lose their number on the way between threads': 'errors lose their code and number between threads',
  }),
  ...caughtBy(inTest('blobs/store', 'an open blob is held, and is read although its record is gone'), {
    'an open blob is not held': 'a hold ends when it begins',
  }),
  ...caughtBy(inTest('engine/blob-deletion', 'a blob that another file refers to, or that is held, stays'), {
    'a blob that something holds is deleted': 'what is held may be deleted',
  }),
  ...caughtBy(inTest('engine/blob-collector', 'a version refers to the blobs of its files, and each reference counts'), {
    'a version does not refer to the blobs of its files': 'a version does not refer to the blobs of its files',
    'a second reference to a blob is not counted': 'a second reference to a blob does not count',
  }),
  ...caughtBy(
    inTest('engine/blob-deletion', 'a blob without references is kept until the second snapshot and for a day, and then deleted'),
    {
      'a blob is deleted while a snapshot refers to it': 'the snapshots have passed every record',
      'a blob is deleted as soon as nothing refers to it': 'the collector keeps nothing for a day',
    },
  ),
  ...caughtBy(inTest('api/version-attacks', 'a restore succeeds while other clients write all the time, and keeps one state'), {
    'a restore is refused when others write all the time': edit(
      'engine/versions/restore-version',
      'Restoring.run',
      'return await this.#inTurn((turn) => this.#transact(() => this.#storeBefore(turn)));',
      'await this.#inTurn((turn) => this.#storeBefore(turn)); return await this.#transact();',
    ),
  }),
  ...caughtBy(inTest('engine/restore', 'changes while a restore stores the state before it are in that state (1)'), {
    'a restore ignores what changed after the state was kept': 'a captured state has the version of the project',
  }),
  ...caughtBy(inTest('api/version-attacks', 'a restore that is repeated with its Idempotency-Key is made once'), {
    'a repeated restore is made again': 'a restore has no Idempotency-Key',
  }),
  ...caughtBy(inTest('api/version-attacks', 'at the limit the oldest automatic version of the account makes room'), {
    'a version that the server keeps makes no room': 'no room is made for versions',
    'the newest automatic version makes room': edit(
      'engine/versions/make-room',
      'oldestAutomatic',
      'created < oldest.created',
      'created > oldest.created',
    ),
  }),
  ...caughtBy(inTest('api/versions', 'the state before a request that replaces a whole collection is kept'), {
    'a request that replaces a collection keeps no state': without(
      'engine/write/decide-batch',
      'decideBatch',
      'replaces ||= decision.replaces === true;',
    ),
  }),
  ...caughtBy(inTest('engine/automatic-versions', 'states of one account that wait keep no state of another from being kept'), {
    'one account uses up the places of automatic versions of all': [
      edit(
        'engine/versions/automatic-versions',
        'AutomaticVersions.#take',
        'this.#waiting.get(project.accountId)',
        "this.#waiting.get('')",
      ),
      edit(
        'engine/versions/automatic-versions',
        'AutomaticVersions.#take',
        'this.#waiting.set(project.accountId,',
        "this.#waiting.set('',",
      ),
    ],
  }),
  ...caughtBy(inTest('engine/automatic-versions', 'a state that is dropped is counted, and the next change keeps one'), {
    'a dropped automatic version counts as a change': edit(
      'engine/versions/automatic-versions',
      'AutomaticVersions.#beforeChange',
      'this.#drop(project, now);',
      'this.#drop(project, now); this.#changedAt.set(project, now);',
    ),
  }),
  ...caughtBy(inTest('api/preconditions', 'a declared precondition that does not hold is a 412, and changes nothing'), {
    'the deletion of all versions ignores If-Match': 'a deletion of versions has no precondition',
  }),
  ...caughtBy(
    inTest(
      'api/preconditions',
      'the tag of the list of versions allows to add a version and to delete all, until the list changes',
    ),
    {
      'a version is added although its If-Match failed while its state was stored': 'a command has no precondition',
    },
  ),
  ...caughtBy(
    inTest('engine/version-reading', 'many requests to keep a state hold nothing until their turn, and store one at a time'),
    {
      'states of projects are stored by any number of requests at a time': 'accounts have no limit',
    },
  ),
  ...caughtBy(inTest('engine/version-reading', 'the end of a turn releases all memory that it holds, also after an error'), {
    'the memory of a turn is never released': 'the memory of versions is never released',
  }),
  ...caughtBy(inTest('api/version-copies', 'a copy of a version is a project as it was, with addresses of its own'), {
    'a copy of a version is one of the present state': 'a copy is of the present state',
  }),
  ...caughtBy(inTest('api/version-copies', 'a restore or a copy without the bytes of a file says which, and changes nothing'), {
    'a restore does not ask whether the bytes of files are there': 'every file is there',
  }),
  ...caughtBy(inTest('api/files-bad-input', 'bytes that are known to be wrong are never served, not by a version either'), {
    'a read does not notice that a damaged file is right again': 'no blob is known to be damaged',
  }),
  ...caughtBy(inTest('api/shown-files', 'a file that is deleted stays at its address while a kept version of the map shows it'), {
    'a later map forgets the files that the project does not have any more': edit(
      'engine/projects/publish-project',
      'shownFiles',
      'before?.versions ?? []',
      '[]',
    ),
  }),
  ...caughtBy(
    inTest('api/version-attacks', 'a version larger than a request and a segment may be can be compared and restored'),
    {
      'a large restore gets no segment of its own': 'no record gets a segment of its own',
    },
  ),
  ...caughtBy(inTest('engine/retention', 'versions that were thinned out at each change are those that are thinned out once'), {
    'periods of versions are counted back from now': edit(
      'engine/versions/retention',
      'expired',
      'Math.floor(time / period.periodMs)',
      'Math.floor(age / period.periodMs)',
    ),
  }),
  ...caughtBy(inTest('engine/retention', 'of each period one version is left, and what must stay stays'), {
    'versions of the last hour are thinned out': without(
      'engine/versions/retention',
      'expired',
      'if (period?.periodMs === 0) continue;',
    ),
  }),
  ...caughtBy(inTest('api/files', 'the quota of bytes counts files; an upload beyond it adds nothing'), {
    'the bytes of a deleted picture that a version has count for nothing': 'a second reference to a blob does not count',
  }),
  ...caughtBy(
    inTest('api/version-attacks', 'an account has the most versions that it may have, also when the last ones are kept at once'),
    {
      'versions that are kept at once exceed the limit': edit(
        'store/operations/shared/quota-growth',
        'QuotaGrowth.total',
        'total[quotaOf(growth.resource)] += growth.members;',
        'total.members += growth.members;',
      ),
    },
  ),
  ...caughtBy(inTest('api/version-attacks', 'neither an event nor a list shows the digest of a version'), {
    'the feed shows the digest of a version': always('store/operations/put-members', 'shown', 'hidden.length === 0'),
  }),
  ...caughtBy(inTest('engine/account-uploads', 'the bytes of a refused upload go when its request is over'), {
    'the bytes of a refused upload stay': 'bytes of uploads stay whether a record refers to them or not',
  }),
  ...caughtBy(inTest('engine/account-uploads', 'a refused upload leaves bytes that a version, a snapshot or a backup may need'), {
    'a refused upload deletes bytes that the log has': 'every named file is a new one',
  }),
  ...caughtBy(inTest('engine/account-uploads', 'uploads that run reserve bytes of the quota, and refused ones give them back'), {
    'an upload reserves nothing while it runs': 'running uploads reserve nothing',
  }),
  ...caughtBy(inTest('engine/account-uploads', 'the quota has the bytes of a refused upload back when they are deleted'), {
    'the quota has the bytes of a refused upload back before they are deleted': 'reservations end before the bytes are deleted',
  }),
  ...caughtBy(inTest('engine/account-uploads', 'deleted bytes count for their account from the first request after a restart'), {
    'deleted bytes count for no account after a start': 'the collector gets no list of the last process',
  }),
  ...caughtBy(
    inTest(
      'engine/account-uploads',
      'the day of a blob that nothing refers to goes on after a restart, and is its account\u2019s',
    ),
    {
      'the day of deleted bytes begins again with each start': 'the list of the collector has no times',
    },
  ),

  // Keys for reading.
  ...caughtBy(inTest('api/secrets', 'no operation of openapi.json shows a secret to a key for reading'), {
    'a key for reading gets what a key for writing gets': 'keys for reading see the JSON of keys for writing',
    'a key for reading gets secret members that it names': edit(
      'api/crud/render',
      'one',
      'cache.value(resource, view.value)',
      'view.value',
    ),
    'the problem of a header repeats a name that is a whole header': edit(
      'live/sources/source-request',
      'nameFault',
      "'the name is not one that a header can have'",
      'name',
    ),
  }),
  ...caughtBy(inTest('api/secrets', 'no event shows a secret to a key for reading'), {
    'a key for reading follows events with secrets': 'every subscription has a key for writing',
    'events after a secret are left out for keys for reading': edit(
      'engine/feed/event-encoder',
      'joinTexts',
      '(second.textForReaders ?? second.text)',
      "(second.textForReaders ?? '')",
    ),
  }),
  ...caughtBy(inTest('api/secrets', 'the two forms have entity tags of their own, and conditions hold for both'), {
    'two forms of a resource have one entity tag': 'tags are those of keys for writing',
  }),
  ...caughtBy(inTest('api/secrets', 'a key for reading gets everything else as a key for writing does'), {
    'a publication is changed for a key for reading': edit(
      'api/publish/published-rules',
      'publishedRules',
      'api.cache.whole',
      'api.cache',
    ),
    'a version is compared with a project without its secrets': edit(
      'api/versions/version-endpoints',
      'jsonOf',
      'cache.whole',
      'cache',
    ),
  }),
  ...caughtBy(inTest('api/live', 'an error in place of the data keeps the last result of a live map, and the map says so'), {
    'an error in place of the data empties a live map': 'every evaluation is usable',
  }),
  ...caughtBy(inTest('api/published-rules', 'only objects in reach are kept, and what all lists match by together'), {
    'a publication keeps keys that no list matches by': always(
      'api/publish/published-rules',
      'keptOf',
      'on?.has(artboardId) !== false',
    ),
  }),
  ...caughtBy(inTest('lib/json-member', 'it may be interrupted after each 256 KiB'), {
    'the headers of a version are emptied in one step': without('lib/json/json-member', 'replacingMembers', 'yield;'),
  }),
  ...caughtBy(inTest('lib/json-member', 'members of lists are replaced, and everything else keeps its bytes'), {
    'a header is shown whose value begins in one piece of a version and ends in the next': edit(
      'lib/json/json-member',
      'MemberReplacer.write',
      'if (this.#json === undefined) this.#keep(piece.length);',
      'this.#keep(piece.length);',
    ),
  }),

  // Maps for visitors.
  ...caughtBy(inTest('api/public-map', 'a published map has the properties that a field names, and the icons that it uses'), {
    'a property that no field names is published': without(
      'api/publish/public-view',
      'publicProperties',
      '.filter(([name]) => names.has(name))',
    ),
  }),
  ...caughtBy(inTest('api/public-map', 'holes follow places: as they are sent, shown, kept and exported'), {
    'the holes of a polygon stay while its places are kept': edit(
      'engine/write/keep-places',
      'movedObject',
      '...(holes.length > 0 &&',
      '...(holes.length > 1e9 &&',
    ),
  }),
  ...caughtBy(inTest('api/public-map', 'pictures in properties and in icons are files of the project: copies have their own'), {
    'a copy shows the pictures in the properties of its original': 'properties of a copy keep their addresses of files',
  }),

  // Map tiles.
  ...caughtBy(inTest('api/map-tiles', 'map.json has the sources of the option, the one without a name first'), {
    'a named source of tiles becomes the default': edit(
      'api/pages/map-tiles',
      'tileSourcesOf',
      'name === undefined)',
      'name !== null)',
    ),
  }),
  ...caughtBy(inTest('api/map-tiles', 'an invalid tile address is refused with the accepted form'), {
    'an address of tiles may end the string of the script': edit(
      'api/pages/map-tiles',
      'problemOfUrl',
      'safe.test(url) &&',
      'true &&',
    ),
  }),
  ...caughtBy(inTest('api/map-tiles', 'an invalid list of tiles is refused with what is wrong'), {
    'a source of tiles needs no address of the web': without('api/pages/map-tiles', 'problemOfUrl', '!isAddress ||'),
  }),
  ...caughtBy(inTest('api/map-tiles', 'map.json has the sources of the option, the one without a name first'), {
    'map.json keeps its tag with other tiles': edit(
      'api/publish/published-endpoints',
      'publishedEndpoints',
      'JSON.stringify(api.tiles)',
      "''",
    ),
  }),
  ...caughtBy(inTest('api/map-tiles', 'an artboard names tiles; those that the server does not list are a problem'), {
    'tiles that the server lists are a problem': edit('api/publish/map-problems', 'unknownTiles', "tiles !== '' &&", 'true ||'),
  }),
  ...caughtBy(inTest('server/tile-advice', 'the advice is for public maps with tiles of openstreetmap.org'), {
    'a server for one machine advises about the policy of tiles': without(
      'api/pages/tile-advice',
      'needsTileAdvice',
      'isForOthers(publicUrl) &&',
    ),
  }),

  // Agents.
  ...caughtBy(inTest('mcp/tools', 'an agent makes, reads, changes and publishes a map'), {
    'an agent changes a project without a version before': 'no version is kept before a change of an agent',
  }),
  ...caughtBy(inTest('mcp/access', 'a key for reading sees no tool that writes, and calls none'), {
    'a key for reading shows an agent every tool': 'every key has every right',
  }),
  ...caughtBy(inTest('mcp/access', "a browser's session and a program without a key are refused"), {
    'a session of a person is an agent': without('mcp/mcp-endpoint', 'Mcp.endpoint', "principal.personId === '' &&"),
  }),
  ...caughtBy(inTest('mcp/access', 'pages of other sites are refused, and hosts that are not those of the server'), {
    'a page of any site uses the tools': edit('mcp/mcp-endpoint', 'Mcp.#refuseOtherSites', '!isOwn &&', 'false &&'),
    'a name that points to this machine is a host of the server': edit(
      'mcp/mcp-endpoint',
      'Mcp.#refuseOtherSites',
      'isLoopbackAddress(localAddress) &&',
      'false &&',
    ),
  }),
  ...caughtBy(inTest('mcp/agent-versions', 'the first change of an hour keeps a version, later ones name it'), {
    'the work of an agent never ends': 'the clock of agents stands still',
  }),
  ...caughtBy(inTest('mcp/agent-versions', 'if no version can be kept, the change is refused, and the next one tries again'), {
    'an agent goes on with a version that could not be kept': edit(
      'mcp/agent-versions',
      'isThere',
      'return false;',
      'return true;',
    ),
  }),
];
