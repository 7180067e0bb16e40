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
const seed = (name: string, caughtBy: Detector, ...plants: [FaultName] | Change[]): Seed => {
  const [first] = plants;
  return { name, caughtBy, plants: typeof first === 'string' ? first : (plants as Change[]) };
};
const workload = (name: string, ...rules: Rule[]): Detector => ({ workload: name, rules });
const inTest = (file: string, name: string): Detector => ({ test: file, name });

/** The exploration of the cluster's protocol. */
const protocol = inTest('cluster/protocol', 'no step loses an acknowledged batch or answers with a stale state');

/** Turns the assertions off: some catch a planted bug where it happens, and the enumerator must find what it does without them. */
const withoutInvariants = edit('lib/invariant', 'invariant', 'if (!holds) throw brokenInvariant(rule, [a, b, c]);', '');

/** The only test of its file. */
const theModel = 'the responses equal a model of the API through random writes, snapshots, restarts and crashes';

export const seeds: readonly Seed[] = [
  seed(
    'a clock that went back is not noticed',
    inTest('server/clock-behind', 'a start warns of a clock that is more than a day behind the newest record'),
    edit('engine/open-engine', 'openWithin', 'warnOfClock(newestMs, options);', ''),
  ),
  // The log in a file.
  seed(
    'a log file is not opened again after a rotation',
    inTest('cli/log-file', 'SIGHUP opens the log file again after it was renamed'),
    edit('cli/output/log-file', 'LogFile.reopen', 'this.#stream.reopen();', ''),
  ),
  // What another program wrote.
  seed(
    'what an older program wrote is called damage',
    inTest('golden/older', 'an older folder is refused by every command'),
    edit('storage/snapshot/replay-record', 'refuseOtherForm', 'revision === noRevision', 'false'),
  ),
  seed(
    'the format revision of a file is not checked',
    inTest('golden/older', 'is refused before anything is decoded'),
    edit('storage/wal/format/format-revision', 'readableRevision', 'if (revision > formatRevision)', 'if (false)'),
  ),
  // The flusher and its acknowledgements.
  seed(
    'a write is acknowledged when it is queued',
    workload('single writes', 'acknowledged'),
    'it answers before the record is durable',
  ),
  seed('a frame is not synced', workload('single writes', 'acknowledged'), 'syncs of the segment that is being written are lost'),
  seed(
    'the next frame is written before the last one is durable',
    workload('bursts', 'recovers'),
    edit(
      'storage/wal/write/queue',
      'Queue.take',
      'bytes: half.taken - start, count };',
      'bytes: half.taken - start, count, first: 4 + half.bytes.readUInt32LE(start) };',
    ),
    edit(
      'storage/wal/write/group-commit',
      'GroupCommit.#nextOp',
      'space.use(frameBytes(range.bytes));',
      'for (const bytes of range.count > 1 ? [range.first, range.bytes - range.first] : [range.bytes]) space.use(frameBytes(bytes));',
    ),
    edit(
      'storage/wal/write/flusher',
      'Flusher.#flush',
      "#flush(op: Op & { kind: 'flush' }): void {",
      `#flush(op) {
        if (op.first !== undefined && op.count > 1) {
          this.#syncEach = false;
          this.#flush({ ...op, count: 1, bytes: op.first, first: undefined });
          this.#syncEach = true;
          this.#flush({ ...op, count: op.count - 1, start: op.start + op.first, bytes: op.bytes - op.first, first: undefined });
          return;
        }`,
    ),
    withoutInvariants,
  ),
  seed(
    'a clean stop syncs nothing',
    workload('never synced', 'acknowledged'),
    edit('storage/wal/write/flusher', 'Flusher.#mark', '#mark(): void { this.#syncRest();', '#mark(): void {'),
    edit(
      'storage/wal/write/flusher',
      'Flusher.#mark',
      'this.#segment.salt), framesEnd(this.#segment.bytes)); this.#sync();',
      'this.#segment.salt), framesEnd(this.#segment.bytes));',
    ),
    edit('storage/wal/write/flusher', 'Flusher.perform', "case 'stop': this.#syncRest();", "case 'stop':"),
  ),
  seed(
    'an op that the flusher does not know stops it',
    inTest('wal/op-channel', 'an unknown operation is an error that names the known ones'),
    edit('storage/wal/write/op-channel', 'OpChannel.receive', 'if (code === opCodes.stop) return', 'return'),
  ),
  seed(
    'who came late is answered with who came first',
    inTest('wal/stall', 'each wait for durability has its own timeout'),
    edit(
      'storage/wal/write/deadline-waiters',
      'DeadlineWaiters.tick',
      'ticksLeft: ticksMax })',
      'ticksLeft: this.#older[0]?.ticksLeft ?? ticksMax })',
    ),
  ),
  seed(
    'a disk is slow for as long as the process was suspended',
    inTest('wal/stall', 'suspended'),
    edit(
      'storage/wal/write/stall-watch',
      'StallWatch.stalled',
      'watched.ticks >= stalledTicks',
      'performance.now() - watched.since >= this.#parts.stallMs',
    ),
  ),
  seed(
    'a seal before its successor exists',
    workload('rotations', 'recovers'),
    edit(
      'storage/wal/write/flusher',
      'Flusher.#rotate',
      'const next = segmentPath',
      'if (!isEmpty) this.#seal(salt); const next = segmentPath',
    ),
    edit('storage/wal/write/flusher', 'Flusher.#rotate', 'if (!isEmpty) this.#seal(salt); invariant(', 'invariant('),
  ),
  seed(
    "a large record's frame is not synced",
    workload('a record larger than a segment', 'acknowledged'),
    'syncs of the segment of a large record are lost',
  ),
  seed(
    'a large record gets its name before it is synced',
    workload('a record larger than a segment', 'recovers', 'acknowledged'),
    'syncs of the segment of a large record are lost before it has its name',
  ),
  seed(
    'a large record that was not appended is taken for damage',
    workload('a record larger than a segment', 'recovers'),
    edit('storage/wal/read/read-segment', 'readFrame', 'awaitsHeader(bytes, offset, header) ?', 'false ?'),
  ),
  seed(
    'no sync of the folder after the rename of a rotation',
    workload('rotations', 'recovers', 'acknowledged'),
    'the sync of the folder of the log is lost after a segment got its name',
  ),
  seed(
    'a spare gets its name before its header is synced',
    workload('rotations', 'recovers', 'acknowledged'),
    'the sync of the header of a new segment is lost',
  ),

  // A first start.
  seed(
    'no sync of the folder in which the journal is made',
    workload('a first start', 'recovers', 'acknowledged'),
    'the sync of the data folder is lost after the folder of the log was made',
  ),
  seed(
    'no sync of the folder after the first segment got its name',
    workload('a first start on a full disk', 'recovers', 'acknowledged'),
    'the sync of the folder of the log is lost after the first segment got its name',
  ),
  seed(
    'no sync of the folder in which the snapshots are made',
    workload('snapshots in a folder whose snapshots were removed', 'recovers', 'acknowledged', 'folded'),
    'the sync of the data folder is lost after the folder of snapshots was made',
  ),

  // A start that fails, and deletions that do.
  seed(
    'a start that fails leaves the log open',
    inTest('server/failed-start', 'a failed start of the engine closes the log again'),
    edit(
      'engine/open-engine',
      'openEngine',
      'catch (error) { await opened.disposeAsync().catch(() => undefined); throw error;',
      'catch (error) { throw error;',
    ),
  ),
  seed(
    'a server that cannot start keeps the folder',
    inTest('server/failed-start', 'after a failed start another server opens the folder once the cause is gone'),
    edit('server/lifecycle/lifecycle', 'Lifecycle.discard', 'await this.#opened.disposeAsync().catch(() => undefined);', ''),
  ),
  seed(
    'a file that cannot be deleted keeps those after it',
    inTest(
      'engine/cleanup',
      'undeletable files do not fail a snapshot or keep other files, and are deleted once that is possible',
    ),
    edit('lib/files/files', 'deleteFiles', 'deleted.push(path);', 'deleted.push(path); else break;'),
  ),
  seed(
    'what could not be deleted is not tried again',
    inTest(
      'engine/cleanup',
      'undeletable files do not fail a snapshot or keep other files, and are deleted once that is possible',
    ),
    edit(
      'storage/snapshot/scheduler',
      'SnapshotScheduler.#check',
      'this.#undeleted.length > 0 && performance.now() >= this.#cleanupAt',
      'false',
    ),
  ),
  seed(
    'a gap in the log below the snapshots is damage',
    inTest(
      'engine/cleanup',
      'undeletable files do not fail a snapshot or keep other files, and are deleted once that is possible',
    ),
    edit('storage/wal/read/verify-wal', 'verifyJournal', 'segment.firstLsn <= after + 1', 'false'),
  ),
  seed(
    'a disk full of log is not folded',
    inTest(
      'engine/disk-full',
      'a snapshot on a full disk covers the sealed segments first, and with the space they free the rest',
    ),
    edit(
      'storage/snapshot/scheduler',
      'SnapshotScheduler.run',
      'error instanceof NoSpaceError && this.#uncovered().length > 0',
      'false',
    ),
  ),
  seed(
    'a disk full of log is folded into one snapshot, which frees nothing',
    inTest(
      'engine/disk-full',
      'a snapshot on a full disk covers the sealed segments first, and with the space they free the rest',
    ),
    edit(
      'storage/snapshot/scheduler',
      'SnapshotScheduler.#start',
      'this.#journal.noSpace !== undefined && uncovered.length > 1',
      'false',
    ),
  ),
  seed(
    'a repair makes a project public that was made private later',
    inTest('backup/repair', 'a project whose withdrawal is in a damaged record is not public after a repair'),
    edit(
      'storage/backup/repair/repair-folder',
      'listRecords',
      'restrictAccess(state, change); unpublish(state, change);',
      'restrictAccess(state, change);',
    ),
  ),
  seed(
    'a repair keeps a key that a later record deleted',
    inTest('backup/repair', 'a key whose revocation is in a damaged record is not valid after a repair'),
    edit(
      'storage/backup/repair/repair-folder',
      'restrictAccess',
      "if (change.op === 'delete-key') state.keys.delete(change.keyId);",
      '',
    ),
  ),
  seed(
    'a repair takes a public address from an older snapshot',
    inTest('backup/repair', 'a project that only an older snapshot contains is not public after a repair'),
    edit('storage/backup/repair/salvage-snapshot', 'Salvage.#takeProject', 'this.#unpublish(before);', ''),
  ),
  seed(
    'a start does not ask for the folder of backups',
    inTest('backup/folder', 'a start refuses a missing backup folder, and creates nothing'),
    edit('server/lifecycle/storage', 'inFolder', 'if (options.backup.later !== true) assertBackupFolder(dir);', ''),
  ),

  // Exports and imports with files.
  seed(
    'an import keeps the old addresses of files',
    inTest('api/transfer-files', 'any files survive export and import, wherever the list of files is in the document'),
    edit('engine/projects/id-remap', 'IdMap.addFile', 'this.#newPaths.set(slug, path);', ''),
  ),
  seed(
    'an export does not check the digests of files',
    inTest('api/transfer-files', 'an export never sends damaged bytes as a whole document'),
    edit('storage/blobs/blob-files', 'BlobFiles.#verify', 'if (error instanceof CorruptError) return error.found;', "return '';"),
  ),
  seed(
    'an import does not check the digests of files',
    inTest('api/transfer-files', 'a file of a document that is not what it says is refused with its place, and nothing is kept'),
    edit(
      'engine/files/imported-files',
      'ImportedFiles.#store',
      "file['digest'] !== undefined && file['digest'] !== blob.digest",
      'false',
    ),
  ),
  seed(
    'the tag of an export ignores its files',
    inTest('api/transfer-files', 'an export has another tag when a file is added, renamed or deleted'),
    edit('store/find', 'findProjectWithFiles', "Math.max(version, value?.collection('files', '')?.version ?? 0)", 'version'),
  ),

  // Addresses of files as references.
  seed(
    'strict writes miss addresses in HTML',
    inTest('api/file-addresses', 'a strict write refuses new addresses that name no file, each with its place in the body'),
    edit(
      'model/references/file-references',
      'filesNamedIn',
      "texts === 'html' ? fileReferencesIn(text, publicUrl) : aloneIn(text, publicUrl)",
      'aloneIn(text, publicUrl)',
    ),
  ),
  seed(
    'addresses on other hosts are references',
    inTest('api/file-addresses', 'addresses elsewhere are never references'),
    edit(
      'model/references/file-references',
      'fileAddress',
      'isBelow ? text.slice(base.length) : text',
      "isBelow ? text.slice(base.length) : text.replace(/^(?:https?:)?[/][/][^/]*/, '')",
    ),
  ),
  seed(
    'the list of problems is the same after a file was deleted',
    inTest('api/file-addresses', 'an address that names no file of the project is a problem, wherever it is'),
    edit('store/find', 'findProjectWithFiles', "Math.max(version, value?.collection('files', '')?.version ?? 0)", 'version'),
  ),

  // Published maps as blobs.
  seed(
    'a publication is recorded before its map has its name',
    inTest('engine/publish', 'the record of a publication is appended when its map is durable under its name'),
    'a file is named after the answer',
  ),
  seed(
    'a map is not held until its record is applied',
    inTest('engine/publish', 'the bytes of a map are held from their upload until its record is applied'),
    edit('engine/projects/publish-project', 'publishMap', 'holds.push(blob.hold);', 'blob.hold.release();'),
  ),
  seed(
    'a blob is deleted while a publication shows it',
    inTest('engine/blob-deletion', 'a file that only a published map shows is kept, and goes when the project is made private'),
    edit('store/blobs-of', 'blobsOfMaps', '...files,', ''),
  ),
  seed(
    'a damaged page stays damaged',
    inTest('api/published-page', 'a damaged content is reported, and the page is there without it until it is published again'),
    edit('engine/projects/publish-project', 'isWhole', 'page !== undefined && collector.isDamaged(page.digest)', 'false'),
  ),
  seed(
    'a name that was given up can be taken by every account',
    inTest('engine/map-names', 'a name that was given up stays the account\u2019s for a year'),
    edit(
      'engine/write/map-names',
      'refuseName',
      'present.accountId !== accountId && !isExpired(present, now)',
      "present.accountId !== accountId && present.until === ''",
    ),
  ),
  seed(
    'a name that is taken while it is reserved is overwritten',
    inTest(
      'engine/map-names',
      'a name that another shard has is taken, and one whose place is taken meanwhile is not overwritten',
    ),
    edit('engine/projects/publish-project', 'commitChanges', 'mayCommit();', ''),
  ),
  seed(
    'an answer that a name leads nowhere does not wait for the record that gave it up',
    inTest('engine/map-names', 'a name leads to one map, and no other map can have it'),
    'put-name leaves the version of publications as it is',
  ),
  seed(
    'a snapshot forgets the names of maps',
    inTest('engine/map-names', 'names survive restarts and snapshots, and go with their account'),
    'an account has no names of maps',
  ),
  seed(
    'the name of a deleted project goes on to lead somewhere',
    inTest('engine/map-names', 'a name that was given up stays the account\u2019s for a year'),
    edit('engine/write/decide', 'deletion', ', ...giveUpName(state, target, now)', ''),
  ),
  seed(
    'a map below the path of the public URL is looked for in the wrong shard',
    inTest('cluster/routing', 'the path of the public URL may precede every path'),
    edit('http/proxy', 'belowBasePath', 'path.slice(basePath.length)', 'path'),
  ),
  seed(
    'a text of a map is markup of its page',
    inTest('api/page-content', 'texts of a map are never markup'),
    edit('api/publish/page/places-html', 'placesHtml', 'escapeHtml(label)', 'label'),
  ),
  seed(
    'a file that only a publication shows is not found',
    inTest('api/shown-files', 'a file that is deleted stays at its address while a kept version of the map shows it'),
    edit(
      'store/file-index',
      'FileIndex.replacePublication',
      'for (const { files } of before.versions) for (const { slug } of files) this.#shown.delete(slug);',
      'this.#shown.clear(); return;',
    ),
  ),
  seed(
    'a backup is without the maps that are public',
    inTest('server/publications', 'a backup and its restore contain the publications'),
    edit(
      'storage/snapshot/writer',
      'SnapshotWriter.add',
      'for (const { digest, bytes } of blobsOfMaps(entry.publication)) this.#blobs.set(digest, bytes);',
      '',
    ),
  ),
  // Visits.
  seed(
    'identifiers of visits are not looked up in the published map',
    inTest('api/visits', 'made-up identifiers grow nothing'),
    edit('api/publish/visits/seen-endpoint', 'count', 'hasPlace(known, id)', 'true'),
  ),
  seed(
    'made-up identifiers make records',
    inTest('engine/visit-counts', 'a visit without anything leaves no trace'),
    edit('engine/visits/visit-counts', 'VisitCounts.add', '|| opened + searches + places.length === 0', ''),
  ),
  seed(
    'Global Privacy Control is ignored by the server',
    inTest('api/visits', 'a beacon gets the same answer whatever it is, and counts as a whole or not at all'),
    edit('api/publish/visits/seen-endpoint', 'seenEndpoint', "request.headers['sec-gpc'] !== '1' &&", ''),
  ),
  seed(
    'the table of addresses grows without bound',
    inTest('api/visits', 'the table of addresses is bounded, and forgets'),
    edit('api/publish/visits/address-limit', 'AddressLimit.admits', 'this.#counts.size > addressesMax', 'false'),
  ),
  seed(
    'visits outlive their publication',
    inTest('engine/visit-counts', 'counts of a map that was made private are dropped, also when it is public again'),
    'delete-publication leaves the visits',
  ),
  seed(
    'a stop drops the visits that wait',
    inTest('server/visits', 'a stop stores what was counted; a crash loses what was not stored yet'),
    edit('engine/visits/visit-counts', 'VisitCounts.close', 'runToEnd(this.#storeAll());', ''),
  ),
  seed(
    'a snapshot is without visits',
    inTest('server/visits', 'snapshots keep visits, also when nothing or something else of the project changes'),
    edit('storage/snapshot/writer', 'SnapshotWriter.#visits', 'visits === undefined', 'true'),
  ),
  seed(
    'what cannot be stored is forgotten',
    inTest('engine/visit-counts', 'what cannot be stored stays in memory'),
    edit('engine/visits/visit-counts', 'VisitCounts.#storeSome', 'return false;\n    }\n    for', '}\n    for'),
  ),
  seed(
    'an archived log is without the maps that it publishes',
    inTest('engine/publish', 'the log names the blobs of the maps that its records publish'),
    edit(
      'storage/snapshot/files/logged-files',
      'loggedFiles',
      "if (change.op === 'put-publication') yield userOfMap(change.projectId, change.head.newest);",
      '',
    ),
  ),
  seed(
    'wrong bytes of a map are sent',
    inTest('server/publications', 'a map with other bytes on disk is a 500 and an alarm'),
    edit('storage/blobs/verified-blobs', 'VerifiedBlobs.#openSmall', "digest('hex') !== digest", "digest('hex') === ''"),
  ),
  seed(
    'a damaged map raises no alarm',
    inTest('server/publications', 'a map with other bytes on disk is a 500 and an alarm'),
    edit(
      'engine/files/stored-files',
      'StoredFiles.reading',
      'if (error instanceof BlobDamagedError) this.collector.noteDamage({ digest: error.digest, found: error.message });',
      '',
    ),
  ),

  // The bytes of files in backups.
  seed(
    'a backup is without the bytes of its files',
    inTest('backup/file-bytes', 'a restored folder gets its journal only when its files are durable'),
    edit('storage/snapshot/writer', 'SnapshotWriter.blobs', 'if (keepBlobs === undefined) return [];', 'return [];'),
  ),
  seed(
    'a backup has its name before the files beside it are durable',
    inTest('backup/file-bytes', 'a backup has its name only when the files beside it are durable'),
    'the sync of the folder is lost after a blob got its name',
  ),
  seed(
    'a restored folder gets its journal before its files are durable',
    inTest('backup/file-bytes', 'a restored folder gets its journal only when its files are durable'),
    'syncs of the folders of restored blobs are lost',
  ),
  seed(
    'the digest of a file is not checked',
    inTest('backup/file-bytes', 'verify finds every file whose bytes are missing, cut or changed'),
    edit('storage/blobs/blob-source', 'verified', "hash.digest('hex') !== digest", 'false'),
  ),
  seed(
    'archived log is without its files',
    inTest('backup/file-bytes', 'archived log has its name only when its files are beside it'),
    edit('storage/backup/archive', 'copySegment', 'beforeName();', ''),
  ),
  seed(
    'pruning deletes files that archived log needs',
    inTest('backup/file-bytes', 'pruning keeps the files of backups and of archived log, and all of them in doubt'),
    edit(
      'storage/backup/blobs/prune-blobs',
      'pruneBlobs',
      'if (candidates.size > 0) spareLogged(files, folder, candidates);',
      '',
    ),
  ),
  seed(
    'pruning deletes files that a backup lists',
    inTest('backup/file-bytes', 'pruning keeps the files of backups and of archived log, and all of them in doubt'),
    edit('storage/backup/blobs/prune-blobs', 'spareListed', 'if (pieces === undefined) candidates.delete(digest);', 'continue;'),
  ),

  // Recovery.
  seed(
    'the checksum of a payload is not checked',
    workload('records over several sectors', 'prefix', 'recovers'),
    edit('storage/wal/read/read-segment', 'readFrame', 'crc32(payload) !== found.payloadCrc', 'false'),
  ),
  seed(
    'the checksum of a frame is not checked',
    workload('single writes', 'prefix', 'recovers'),
    edit(
      'storage/wal/format/frame',
      'isFrameHeader',
      'return crc32(bytes.subarray(offset, offset + 60), salt) === bytes.readUInt32LE(offset + 60);',
      'return true;',
    ),
  ),
  seed(
    'a frame need not continue the frame before it',
    inTest('wal/recovery', 'recovery refuses the log: the last frame is of another chain'),
    edit('storage/wal/read/read-segment', 'wrongIn', 'previous !== undefined && frame.previousCrc !== previous.crc', 'false'),
  ),
  seed(
    'LSNs may have gaps',
    inTest('wal/recovery', 'recovery refuses the log: the last frame skips an LSN'),
    edit('storage/wal/read/read-segment', 'wrongIn', 'if (frame.firstLsn !== nextLsn)', 'if (false)'),
  ),
  seed(
    'a torn tail is taken for damage',
    workload('torn tails', 'recovers'),
    edit(
      'storage/wal/read/read-segment',
      'broken',
      "return { kind: 'torn', offset, found };",
      "return { kind: 'gap', offset, found, resumes: offset };",
    ),
  ),
  seed(
    'a torn tail is cut too far: with the frame before it',
    workload('torn tails', 'acknowledged', 'shown'),
    edit(
      'storage/wal/read/read-segment',
      'segmentIn',
      "if ('kind' in step)",
      "if (step.kind === 'torn' && frames.length > 0) { const { offset, count } = frames.pop(); step.offset = offset; nextLsn -= count; } if ('kind' in step)",
    ),
  ),
  seed(
    'a torn tail is cut too little: the log goes on behind it',
    workload('torn tails', 'recovers'),
    edit(
      'storage/wal/recovery/repair-tail',
      'tailSegment',
      "holds === 'records' ? last.end.offset :",
      "holds === 'records' ? last.end.offset + (last.end.kind === 'torn' ? 512 : 0) :",
    ),
  ),
  seed(
    'what recovery keeps is not synced',
    workload('killed amid writes', 'recovers', 'shown', 'acknowledged'),
    'syncs of segments are lost in recovery',
  ),
  seed(
    'recovery trusts the page cache after a failed sync',
    workload('a failed sync', 'recovers', 'shown', 'acknowledged'),
    'writes of bytes that a segment has already are lost in recovery',
  ),
  seed(
    'recovery seals before the name of the successor is durable',
    workload('killed in rotations', 'recovers'),
    'the sync of the folder of the log is lost in recovery',
  ),
  seed(
    'an LSN is used twice',
    workload('clean stops and restarts', 'numbers', 'recovers'),
    edit(
      'storage/wal/recovery/repair-tail',
      'repairTail',
      'segmentBytes, nextLsn: plan.nextLsn,',
      'segmentBytes, nextLsn: Math.max(1, plan.nextLsn - 1),',
    ),
  ),
  seed(
    'a tag is used twice: the lineage goes on although answers were lost',
    workload('never synced', 'lineage'),
    edit(
      'storage/wal/recovery/recover-wal',
      'keepsLineage',
      "return last.end.kind === 'open' && last.frames.at(-1)?.type === 'mark';",
      'return true;',
    ),
  ),

  // Snapshots.
  seed('a snapshot gets its name without a sync', workload('a snapshot', 'undamaged', 'recovers'), 'syncs of snapshots are lost'),
  seed(
    'a snapshot is reported before its name is durable',
    workload('a snapshot', 'folded'),
    'the sync of the folder is lost after a snapshot got its name',
  ),
  seed(
    'what a snapshot covers is deleted before its rename is durable',
    workload('snapshots, retention and trims', 'recovers', 'acknowledged', 'folded'),
    'syncs of the folder are lost after a snapshot got its name, and after deletions',
  ),
  seed(
    'rot is copied forward by a fold',
    inTest('snapshot/run', 'damage in the previous snapshot or the log is reported and never copied into a snapshot'),
    edit('storage/snapshot/chunk-files', 'ChunkFiles.#verified', 'chunkCrc(bytes, payload) !== ref.crc', 'false'),
  ),
  seed(
    'a fold drops a collection',
    workload('snapshots of every collection', 'prefix', 'recovers'),
    edit(
      'storage/snapshot/writer',
      'SnapshotWriter.project',
      '[...project.collections()]',
      '[...project.collections()].slice(1)',
    ),
  ),
  seed(
    'a fold skips a record',
    workload('a snapshot', 'prefix', 'recovers'),
    edit(
      'storage/snapshot/run/snapshot-run',
      'replayInto',
      'const time = replayRecord(state, files, journalFolder, lsn, bytes);',
      'if (lsn === to) { state.lsn = lsn; return; } const time = replayRecord(state, files, journalFolder, lsn, bytes);',
    ),
  ),
  seed(
    'a fold forgets which keys were revoked',
    workload('keys made, revoked and deleted', 'prefix'),
    edit(
      'storage/snapshot/writer',
      'writeSnapshot',
      "writer.list('keys', [...state.keys.values()], keyRow, [])",
      "writer.list('keys', [...state.keys.values()].map((key) => ({ ...key, revoked: '' })), keyRow, [])",
    ),
  ),
  seed(
    'the log is deleted up to the newest snapshot, so that the one before it is of no use',
    inTest('snapshot/retention', 'the log from the older one on is there'),
    edit(
      'storage/snapshot/snapshot-folder',
      'retainSnapshots',
      'return { covered, undeleted };',
      'return { covered: listSnapshots(files, folder)[0] ?? 0, undeleted };',
    ),
  ),
  seed(
    'a file is deleted that a snapshot refers to',
    workload('snapshots that refer to older ones', 'recovers', 'undamaged', 'kept'),
    edit('storage/snapshot/snapshot-folder', 'unneeded', 'for (const lsn of parts) needed.add(lsn);', 'needed.add(newest);'),
  ),
  seed(
    'a file is deleted that the snapshot before the newest refers to',
    workload('snapshots that refer to older ones', 'kept'),
    edit(
      'storage/snapshot/snapshot-folder',
      'unneeded',
      'for (const part of filesOf(files, folder, lsn)) needed.add(part);',
      'needed.add(lsn);',
    ),
  ),
  seed(
    'older files are deleted before the name of the snapshot that needs them no more is durable',
    workload('snapshots that give up older files', 'recovers', 'undamaged', 'kept', 'folded'),
    'the sync of the folder is lost after a snapshot got its name',
  ),
  seed(
    'the root does not say in which older files the projects of a group are',
    inTest('snapshot/incremental', 'each snapshot equals the state in memory'),
    edit(
      'storage/snapshot/writer',
      'SnapshotWriter.endGroup',
      'held: heldBy(this.#group.flatMap(refsOf))',
      'held: heldBy(this.#group.map(({ head }) => head))',
    ),
  ),
  seed(
    'a part of the index stays as it was although records touched it',
    workload('snapshots that refer to older ones', 'prefix', 'kept'),
    edit('storage/snapshot/writer', 'SnapshotWriter.groupsOf', 'if (here.length > 0 || emptied', 'if (emptied'),
  ),
  seed(
    'a living chunk is dropped when its file is given up',
    inTest('snapshot/incremental', 'mostly dead snapshot files are compacted, and their number stays small'),
    edit(
      'storage/snapshot/writer',
      'SnapshotWriter.#untouched',
      'leaves: held.leaves.map((leaf) => this.#keptLeaf(leaf))',
      'leaves: held.leaves.filter((leaf) => leaf.file === this.#keptLeaf(leaf).file)',
    ),
  ),
  seed(
    'a deleted project comes back with the group that it was in',
    workload('snapshots that give up older files', 'prefix', 'kept'),
    edit('storage/snapshot/base', 'TouchedProjects.delete', 'this.dropped.add(id);', ''),
  ),
  seed(
    'a fold goes on from the newest snapshot, so that the two that are kept share their files',
    inTest('snapshot/incremental', 'share no file'),
    edit('storage/snapshot/run/snapshot-run', 'startsOf', '[{ from: before, whole: false }]', '[{ from, whole: false }]'),
  ),
  seed(
    'a part of the newest snapshot passes for the one before it',
    inTest('snapshot/incremental', 'the parts of a quarantined newest snapshot are no snapshots and are deleted with it'),
    edit('storage/snapshot/snapshot-folder', 'snapshotBefore', 'lsn + 1 >= logFrom && !parts.includes(lsn)', 'true'),
  ),

  // Answers.
  seed(
    'a read does not wait for the disk',
    workload('reads among writes', 'shown'),
    edit('engine/read', 'Reader.#whenDurable', 'const wait = this.#journal.durable(seen.version);', 'const wait = undefined;'),
  ),
  seed(
    'a rejection does not wait for the disk',
    inTest('api/execution', 'responses of any status wait until the changes that they show are durable, and others do not wait'),
    edit(
      'engine/write/write',
      'Writer.#transact',
      'this.#locks.release(lock); } const durable = this.#journal.durable(lsn);',
      "this.#locks.release(lock); } const durable = outcome.outcome === 'done' ? this.#journal.durable(lsn) : undefined;",
    ),
  ),
  seed(
    'a condition of a write is not looked at',
    inTest('api/conditions', 'concurrent editors that write with If-Match lose no update'),
    edit('engine/write/decide', 'decideChanges', 'if (isStale(state, target, precondition, version))', 'if (false)'),
  ),
  seed(
    'a batch changes what it was decided on',
    inTest('api/batch', 'a batch with one invalid operation changes nothing, and the error has the index of the operation'),
    edit(
      'store/stored-project',
      'StoredProject.ensureCollection',
      'const made = present?.fork() ?? ',
      'const made = present ?? ',
    ),
  ),
  seed(
    'a fold forgets the answers that are to be given again',
    inTest('api/idempotency', 'a repeated create of any kind gets the first response again, also after a crash'),
    edit(
      'storage/snapshot/writer',
      'writeNext',
      'responsesIn(state, options.newestTime), responseToRow, base.storedResponses',
      '[], responseToRow, base.storedResponses',
    ),
  ),
  seed(
    'a repeated request is carried out beside the first',
    inTest('api/idempotency', 'repeats that arrive while the first request waits for a lock take effect once'),
    edit('engine/write/idempotency', 'Idempotency.run', 'if (this.#inFlight.has(name))', 'if (false)'),
  ),
  seed(
    'a revoked key is forgotten',
    inTest('server/control', 'keys created and revoked through the control socket change immediately and survive a restart'),
    'put-key leaves a key that exists as it is',
  ),
  seed(
    'a lock that somebody holds is taken for a stale one',
    inTest('server/embed', 'a folder in use is refused with the process that holds it, and is free after close'),
    'every lock is free',
  ),
  seed(
    'another folder at the path of the data folder is taken for the same',
    inTest('server/replaced-folder', 'a server stops if its folder is replaced, and both folders open'),
    edit('lib/files/open-folder', 'findOther', 'found.dev === device && found.ino === inode', 'true'),
  ),
  seed(
    'a segment that was deleted is still written to',
    inTest('server/replaced-folder', 'a server stops at the next check if its newest segment is deleted'),
    'every open file is at its path',
  ),
  seed(
    'a command writes through a prepared link',
    inTest('cli/transfer', 'an export does not write through links at its file names'),
    edit('cli/output/new-file', 'openTemporary', `\`\${path}.\${randomBytes(4).toString('hex')}.tmp\``, `\`\${path}.tmp\``),
    edit('cli/output/new-file', 'openTemporary', 'O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW', 'O_WRONLY | O_CREAT'),
  ),
  seed(
    'names of devices are taken for names of files',
    inTest('api/transfer', 'the file name of an export is a safe form of the project name'),
    edit('lib/files/file-name', 'isDeviceName', 'device.test(name)', 'false'),
  ),

  // The feed.
  seed(
    'a change is told before it is durable',
    inTest('engine/feed', 'the feed publishes records in log order, and none before it is durable'),
    'a wait without a limit ends before the record is durable',
  ),
  seed(
    'a slow disk ends those who follow',
    inTest('engine/feed', 'a sync that takes too long fails its write but ends no subscriber'),
    'a wait without a limit ends when the disk takes too long',
  ),
  seed(
    'a follower may go on from within a record',
    inTest('api/events', 'the feed has an event for each change, with the version for If-Match'),
    edit(
      'engine/feed/event-encoder',
      'recordTexts',
      'texts = joinTexts(texts, textsOf(before));',
      'texts = joinTexts(texts, textsOf(before, version));',
    ),
  ),
  seed(
    'who comes from the log is live before it has read all of it',
    inTest('engine/feed', 'a subscriber that changes from the log to live records misses none and repeats none'),
    edit('engine/feed/catch-up', 'CatchUp.#arrives', 'subscriber.position < subscriber.joinedAt', 'false'),
  ),
  seed(
    'a revoked key goes on following',
    inTest('engine/feed', 'revoking a key or deleting an account ends its subscribers in the same turn of the event loop'),
    edit(
      'engine/feed/feed',
      'Feed.#endWithAccess',
      'if (untilMs === undefined) subscriber.end();',
      'if (untilMs === undefined) continue;',
    ),
  ),

  // What a client can make the server hold.
  seed(
    "a compressed answer is found by another account's key",
    inTest('http/compressed-cache', 'is cached at the second request'),
    edit(
      'http/exchange',
      'contentKey',
      "endpoint.public === true ? '' : context.options.keyIdOf?.(principal as Principal)",
      "''",
    ),
  ),
  seed(
    'keys of the compressed cache take no room',
    inTest('http/compressed-cache', 'cache keys count against the size of the cache'),
    edit('http/response/compressed-cache', 'bytesOf', '2 * key.length', '0'),
  ),
  seed(
    'memory for decompression is not limited',
    inTest('http/gunzip', 'clients that read nothing hold counted memory'),
    edit('http/response/output-buffers', 'OutputBuffers.reserve', 'this.bytes + bytes > this.#limits.responsesBytesMax', 'false'),
  ),
  seed(
    'a body is decompressed ahead of its client',
    inTest('http/gunzip', 'clients that read nothing hold counted memory'),
    edit(
      'http/response/body-pump',
      'BodyPump.#write',
      "this.#res.write(piece, 'latin1', this.#taken)",
      "(this.#res.write(piece, 'latin1'), queueMicrotask(this.#taken))",
    ),
  ),
  seed(
    'any number of bodies are decompressed at a time',
    inTest('http/gunzip', 'at most eight decompression steps run at a time, first in, first out, without cancelled ones'),
    edit('http/response/gunzip-source', 'GunzipSteps.begin', 'this.running >= gunzipStepsMax', 'false'),
  ),
  seed(
    'a key is remembered once for each spelling',
    inTest('http/refusal-order', 'only one Authorization header with a valid Bearer key is accepted'),
    edit(
      'http/guard/authentication',
      'Authenticator.principalOf',
      'canonical === value ? undefined : this.#cached(canonical)',
      'undefined',
    ),
  ),

  seed(
    'a request after one that asks for another protocol is carried out',
    inTest('http/upgrade', 'no request in a packet before its response is executed'),
    edit('http/connection', 'Connection.begin', 'if (asksForUpgrade(req)) this.#endWith(req);', ''),
  ),

  seed(
    'an error in the feed fails a write that was applied',
    inTest('engine/feed', 'a write succeeds although the feed fails after the append; its subscribers get a reset and end'),
    edit('engine/write/write', 'Writer.#publish', 'feed.failed(lsn, undefined, error);', 'throw error;'),
  ),
  seed(
    'a subscriber misses a record silently',
    inTest('engine/feed', 'a record whose events cannot be encoded gives its subscribers a reset, and the others continue'),
    edit('engine/feed/feed', 'Feed.#publish', 'this.failed(lsn, project, error);', ''),
  ),
  seed(
    'an error ends the loop that reads the log for good',
    inTest('engine/feed', 'a subscriber whose writes fail is disconnected, and the others get every event'),
    edit('engine/feed/catch-up', 'CatchUp.#run', 'finally { this.#running = false; }', 'finally { }'),
  ),
  seed(
    'subscribers that catch up are served in one turn',
    inTest('engine/feed', 'writing to many subscribers yields to the event loop, when they catch up and when they get a change'),
    edit('lib/async/cooperative', 'TurnSlice.isOver', 'return performance.now() - this.#startedAt > sliceMs;', 'return false;'),
  ),

  // The command.
  seed(
    'code is executed from a folder that another user can exchange',
    inTest('cli/code-cache', 'a cache below a folder that others may write'),
    edit(
      'lib/files/private-folder',
      'realFolder',
      'if (!isTrusted(stats)) return undefined;',
      'if (!stats.isDirectory()) return undefined;',
    ),
  ),
  seed(
    'code is executed from a file that others may write',
    inTest('cli/code-cache', 'only a regular file that others may not write is read as cached code'),
    edit(
      'cli/code-cache',
      'privateBytes',
      'isPrivateFile(fd) ? fs.readFileSync(fd)',
      'fs.fstatSync(fd).isFile() ? fs.readFileSync(fd)',
    ),
  ),

  seed(
    'code is cached for all installations',
    inTest('cli/code-cache', 'stack traces of two installations name their own files, and what is old goes'),
    edit('cli/code-cache', 'CacheFile.constructor', 'digestOf(script)', "digestOf('')"),
  ),

  // Inside other programs.
  seed(
    'a body that another program has read is waited for',
    inTest('server/body-parsers', 'the JSON that a parser of Express has read is taken'),
    edit('http/request/receive', 'pipeBody', 'else if (req.readableEnded)', 'else if (false)'),
  ),
  seed(
    'a body that was read and not kept is taken for an empty one',
    inTest('server/body-parsers', 'a body that was read and not kept gets a 500 at once, which names the cause'),
    edit('http/pipeline', 'readBody', 'if (lost !== undefined) throw lost;', ''),
  ),
  seed(
    'a request that a parser has delayed waits for one that was sent after it',
    inTest(
      'server/body-parsers',
      'requests of one connection that a parser passes on in another order are all answered, in theirs',
    ),
    edit('http/connection', 'Connection.begin', 'isFree || (this.#isHeldBack && isLate({ req, res }))', 'isFree'),
  ),
  seed(
    'the handler passes nothing on',
    inTest('server/embed', 'the handler passes on what is not its own, and the paths say what is'),
    edit('http/connection', 'Connections.#isOwn', 'if (router.find(url) !== undefined) return true;', 'return true;'),
  ),
  seed(
    'a missing package of a cluster is named only outside the bundle',
    inTest(
      'cli/bundle',
      'without pg and undici, a cluster names the command that installs them, as does each check of the doctor once',
    ),
    edit(
      'cluster/database/load-packages',
      'loadPackage',
      "!missing.includes((error as NodeJS.ErrnoException).code ?? '')",
      "(error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND'",
    ),
  ),

  // Single sign-on.
  seed(
    'an answer of the provider for another attempt signs in',
    inTest('server/oidc', 'an answer counts once, for the browser and the attempt that it belongs to'),
    edit(
      'server/console/oidc/single-sign-on',
      'SingleSignOn.#finish',
      "if (new URLSearchParams(search).get('state') !== attempt.state) return 'other';",
      '',
    ),
  ),
  seed(
    'an answer of the provider counts twice',
    inTest('server/oidc', 'an answer counts once, for the browser and the attempt that it belongs to'),
    edit('server/console/oidc/single-sign-on', 'SingleSignOn.#isFirst', 'this.#used.set(state, until);', ''),
  ),
  seed(
    'a session that has ended connects a provider',
    inTest('server/oidc', 'owners connect the provider while they are signed in, and only then'),
    edit(
      'server/console/oidc/single-sign-on',
      'SingleSignOn.#connect',
      'isValid ? state.persons.get(key.person) : undefined',
      '[...state.persons.values()].at(-1)',
    ),
  ),
  seed(
    'an e-mail address makes an owner',
    inTest('server/oidc', 'owners connect the provider while they are signed in, and only then'),
    edit('server/console/oidc/decide-person', 'decideNamed', "role !== 'owner'", 'true'),
  ),
  seed(
    'an address that is not confirmed signs in',
    inTest('server/oidc', 'an address that the provider does not confirm, or that nobody invited, signs nobody in'),
    edit('server/console/oidc/decide-person', 'decidePerson', '!isVerified || ', ''),
  ),
  seed(
    'somebody who was removed comes back by their domain',
    inTest('server/oidc', 'a domain lets people in with its role, and never as owners'),
    edit('server/console/oidc/decide-person', 'decidePerson', 'gone ?? decideByDomain', 'decideByDomain'),
    edit(
      'server/console/oidc/decide-person',
      'decideByDomain',
      "if (former.some(({ accountId }) => accountId === account.id)) return refuse('removed');",
      '',
    ),
  ),
  seed(
    'the end of a domain counts as the domain',
    inTest('server/oidc', 'a domain lets people in with its role, and never as owners'),
    edit('server/console/oidc/decide-person', 'ruleFor', 'each.domain === domain', 'domain.endsWith(each.domain)'),
  ),
  seed(
    'the way back from a provider leads anywhere',
    inTest('server/oidc', 'the way back leads to a project or nowhere'),
    edit('api/console/oidc-endpoints', 'wishIn', '!isScreen || ', ''),
  ),
  seed(
    'the signature of an ID token is not checked',
    inTest(
      'server/oidc-trouble',
      'only an ID token of this issuer, for this client and this attempt, with its signature, counts',
    ),
    edit('server/console/oidc/provider', 'Provider.#discover', 'library.enableNonRepudiationChecks(configuration);', ''),
  ),
  seed(
    'a provider answers without an end',
    inTest('server/oidc-trouble', 'a discovery document that is missing, wrong, large or late signs nobody in'),
    edit('server/console/oidc/provider', 'readWithin', 'length > answerBytesMax', 'false'),
  ),

  // Publications.
  seed(
    'a code of the console works for ever',
    inTest('server/sessions', 'a code is valid for ten minutes'),
    edit('engine/session-keys', 'linkOf', " && keyState(state, link, now) === 'valid'", ''),
  ),
  seed(
    'wrong codes of the console are not counted',
    inTest('server/sessions', 'after ten wrong codes'),
    edit('server/console/wrong-codes', 'WrongCodes.note', '(recent?.count ?? 0) + 1', '1'),
  ),
  seed(
    'ten wrong codes of the console lock out the right one',
    inTest('server/sessions', 'after ten wrong codes'),
    edit(
      'server/console/sessions',
      'ConsoleSessions.exchange',
      'const text = textOfShard(shard, code);',
      'this.#wrong.note(address, now); const text = textOfShard(shard, code);',
    ),
  ),
  seed(
    'a clock that is set back prolongs the wait after wrong codes of the console',
    inTest('server/sessions', 'after ten wrong codes'),
    edit('server/console/wrong-codes', 'isRecent', 'now >= lastMs && ', ''),
  ),
  seed(
    'the console deletes keys of programs',
    inTest('server/sessions', 'a session is deleted a day after its end'),
    edit('server/console/sessions', 'ConsoleSessions.deleteEnded', "if (key.kind === 'key') return false;", ''),
  ),
  seed(
    'a session needs any cookie, not its own',
    inTest('server/sessions', 'either half alone opens nothing'),
    edit('engine/session-keys', 'sessionDigest', '[text, cookie]', '[text]'),
  ),
  seed(
    'a session ends although it is used',
    inTest('server/sessions', 'a session works for 30 days from its last use'),
    edit('engine/session-keys', 'renewSession', 'until < expiryMs(key) + renewalMs', 'true'),
  ),
  seed(
    'a page of another site signs a browser in',
    inTest('server/sessions', 'only the page of this server signs in'),
    edit('api/console/session-endpoints', 'refuseOtherSites', "site !== 'same-origin'", 'false'),
  ),
  seed(
    'the last owner of an account is removed',
    inTest('server/people', 'the last owner is neither removed nor made less'),
    edit('engine/change-persons', 'isLastOwner', ' || other.id === id', ''),
  ),
  seed(
    'an open feed keeps the role of before',
    inTest('server/people', 'a role counts from the moment of its change'),
    edit('engine/feed/feed', 'endingOf', '=> keys.get(keyId)?.person === change.person.id', '=> false'),
  ),
  seed(
    'a restored folder has the sessions of its backup',
    inTest('server/people', 'a restored backup has nobody signed in'),
    edit('storage/backup/build', 'buildFolder', 'dropSessions(state);', ''),
  ),
  seed(
    'a version forgets who is a former user',
    inTest('server/people', 'versions, events and reports name the person'),
    edit('engine/actors', 'nameOfActor', '?? formerUser', '?? label'),
  ),
  seed(
    'a new name of a person is not seen in versions that a client knows',
    inTest('server/people', 'versions, events and reports name the person'),
    edit('api/declaration', 'bind', 'given.engine.state.personsVersion', '0'),
  ),
  seed(
    'anybody may send a long body to sign in',
    inTest('server/sessions', 'invalid requests to /console/session are refused with their status'),
    edit('http/request-body', 'bodyBytesMaxOf', 'endpoint?.bodyBytesMax ?? limits.bodyBytesMax', 'limits.bodyBytesMax'),
  ),
  seed(
    'the pages may send requests to other hosts',
    inTest('api/docs', 'the policy of the reference allows'),
    edit('api/pages/page-files', 'commonPolicy', "connect-src 'self'", 'connect-src *'),
  ),
  seed(
    'a merge in the console overwrites what somebody else has changed',
    inTest('lib/change', 'nothing of theirs is overwritten'),
    edit('lib/change/rebase', 'mergedMembers', 'if (sameJson(theirs, base))', 'if (true)'),
  ),
  seed(
    'two diffs as one forget the first order',
    inTest('lib/change', 'two diffs that follow each other do the same as one'),
    edit('lib/change/diff', 'squashInto', 'first.orders.get(collection)?.from ?? from', 'from'),
  ),
  seed(
    'the end of one deleted resource ends those that were deleted later',
    inTest('console/project', 'each deleted resource can commit its edits for its own time'),
    edit('web/console/document/conflicts', 'Conflicts.lose', 'this.#lost.delete(id)', 'this.#lost.clear()'),
  ),
  seed(
    'a batch of the console that is sent again is executed twice',
    inTest('console/document', 'a step whose answer was lost is made once'),
    'a batch that is sent again has another key',
  ),
  seed(
    'a saved value of the console replaces what was typed meanwhile',
    inTest('console/document', 'typed while it is saved'),
    edit('web/console/document/pending-writes', 'PendingWrites.addTyped', 'isOf(last) && !last.isBegun', 'isOf(last)'),
  ),
  seed(
    'hexadecimal digits without # are a colour',
    inTest('lib/css-colour', 'a text that is no colour'),
    edit('lib/draw/css-colour', 'form', '(?![a-f]+$)', ''),
  ),
  seed(
    'the name of a polygon is written in its hole',
    inTest('viewer/labels', 'the point of a polygon with holes is beside them'),
    edit('web/viewer/drawing/labels/label-point', 'labelPoint', '[corners, ...holes]', '[corners]'),
  ),
  seed(
    'a name covers a text',
    inTest('viewer/labels', 'texts keep their place'),
    edit('web/viewer/drawing/labels/place-labels', 'placeLabels', 'taken.add(centred(each), each.id);', ';'),
  ),
  seed(
    'a large name touches its spot',
    inTest('viewer/labels', 'a larger name is farther from its spot'),
    edit('web/viewer/drawing/labels/place-labels', 'placesOf', 'spotGap * gapScale', 'spotGap'),
  ),
  seed(
    'the scale of a printed map is that of the equator',
    inTest('viewer/scale-bar', 'a bar is as long as its label says'),
    edit('web/viewer/element/share/print/scale-bar', 'scaleBarFor', '/ Math.cosh(y / earthRadius)', ''),
  ),
  seed(
    'an address turns the view of a map over',
    inTest('viewer/map-address', 'a view is a box of four numbers'),
    edit('web/viewer/element/navigation/map-address', 'viewIn', 'box[0] < box[2] && ', ''),
  ),
  seed(
    'a wall calls old data current',
    inTest('viewer/wall-words', 'the words say if the data are current'),
    edit('web/viewer/element/wall/data-words', 'dataWords', "state === 'fresh'", "state !== 'failed'"),
  ),
  seed(
    'a wall leaves out the day of old data',
    inTest('viewer/wall-words', 'a time of another day has its day'),
    edit('web/viewer/element/wall/data-words', 'TimeWords.momentOf', 'isToday ?', 'true ?'),
  ),
  seed(
    'a spot that is searched for stays in its group',
    inTest('viewer/labels', 'a map zooms in until a spot is alone'),
    edit('web/viewer/drawing/view/stand-alone', 'separating', '<= within', '<= 0'),
  ),
  seed(
    'a popup with a hundred thousand elements is parsed',
    inTest('viewer/content-bounds', 'content is cut where it exceeds a bound'),
    edit(
      'web/viewer/element/content-bounds',
      'ContentScan.#exceeded',
      'counts[name] > contentBounds[name]',
      'counts[name] > 100 * contentBounds[name]',
    ),
  ),
  seed(
    'an end tag in an attribute of a popup counts',
    inTest('viewer/content-bounds', 'text that a browser does not parse as a tag neither opens nor closes an element'),
    edit(
      'web/viewer/element/content-bounds',
      'ContentScan.#tag',
      `if (quote === '"' || quote === "'") {`,
      `if (quote === '"') {`,
    ),
  ),
  seed(
    'a count of the panel leaves out its own filter and one more',
    inTest('viewer/facets', 'counts follow all conditions but their own'),
    edit('web/viewer/element/panel/facets', 'Facets.count', 'if (misses > 1) continue;', 'if (misses > 2) continue;'),
  ),
  seed(
    'a filter hides the walls of a plan',
    inTest('viewer/facets', 'the filter of the map and the counts of the panel agree'),
    edit('web/viewer/element/filter/map-filter', 'MapFilter.passes', 'this.#judge?.isPlace(object) !== true', 'false'),
  ),
  seed(
    'a map takes the parameters of its page out of the address',
    inTest('viewer/map-address', 'parameters of others are kept, in their order'),
    edit('web/viewer/element/navigation/map-address', 'fragmentWith', '!isOwn(parameter)', 'isOwn(parameter)'),
  ),
  seed(
    'settings and data sources are public',
    inTest('api/model', theModel),
    edit('model/publication', 'publicMembers', "'artboards', 'popups']", "'artboards', 'popups', 'settings', 'data_sources']"),
  ),
  seed(
    'a map that was made private stays readable',
    inTest('api/publications', 'a map gets 404 after its publication, project or account is deleted'),
    'delete-publication leaves the address',
  ),
  seed(
    'a list is searched before its precondition is evaluated',
    inTest('api/searches', 'a GET whose precondition fails starts no search'),
    edit(
      'api/crud/conditional-read',
      'replyTo',
      "headers['if-none-match'] === undefined && headers['if-match'] === undefined",
      'true',
    ),
  ),
  seed(
    'publications of a snapshot keep the version of their account',
    inTest('server/publications', 'the list of publications never reuses an entity tag for other content'),
    'an account has no version of its publications',
  ),
  seed(
    'a list of publications misses what changes while it is searched',
    inTest('api/searches', 'a list of publications that changes during its search shows one version'),
    edit('store/list/project-page', 'searchProjectPage', 'now.value !== account || now.version !== version', 'false'),
  ),

  // Runs.
  seed(
    'the start of a run is not logged',
    inTest('server/old-copy', 'an old copy of a folder reuses no entity tag or event id of the lost writes'),
    edit('engine/write/write', 'Writer.runStart', "{ op: 'start-run', id: this.#runId }", 'undefined'),
  ),
  seed(
    'all starts have the same run',
    inTest('server/old-copy', 'an old copy of a folder reuses no entity tag or event id of the lost writes'),
    edit('engine/write/write', 'Writer.#runId', "randomBytes(runIdLength).toString('hex')", "'00'.repeat(runIdLength)"),
  ),
  seed(
    'a snapshot has no runs',
    inTest('server/old-copy', 'a copy of a running server reuses no entity tag or event id of lost writes, also after snapshots'),
    edit('storage/snapshot/writer', 'rootOf', 'runs: [...runs]', 'runs: []'),
  ),
  seed(
    'a project that is too large for one turn does not start the run',
    inTest('server/old-copy', 'a new run is recorded also if its first write is larger than a segment'),
    edit('engine/projects/project-writer', 'commit', 'if (runStart !== undefined) record.add(runStart);', ''),
  ),

  seed(
    'an account is counted for as long as the process lives',
    inTest('http/admission', 'an account without a request or a stream takes no memory in admission control'),
    edit(
      'http/guard/admission',
      'AdmissionControl.#forgetIdle',
      'if (requests === 0 && streams === 0) this.#accounts.delete(accountId);',
      '',
    ),
  ),
  seed(
    'a renamed account is found by its old name',
    inTest('store/state', 'the index by name agrees after creating, renaming and deleting accounts'),
    edit('store/operations/accounts/put-account', 'putAccount', 'state.accounts.rename(present, account.name);', ''),
  ),

  // Members beyond the contract.
  seed(
    'a member beyond the contract is not stored',
    inTest('model/optional-members', 'an optional member is stored, survives other changes, and is removed by its default'),
    edit('model/generate', 'rowItem', '=== undefined ? null :', '!== undefined ? null :'),
  ),
  seed(
    'a member beyond the contract is shown with its default',
    inTest('api/model', theModel),
    edit('model/generate', 'isOtherCode', "encoding === 'array' ||", ''),
  ),
  seed(
    'a filter finds nothing where a member has its default',
    inTest('api/filters', 'filters and sort orders treat an absent member as its default'),
    edit('store/list/filters', 'scalarOf', '(value[name] ?? fallback)', '(value[name])'),
  ),

  seed(
    'a merge patch is not checked',
    inTest('api/merge-patch', 'the result is checked, and only then written'),
    edit('engine/write/resolve-patch', 'resolvePatch', "yield* check(resource, 'update', body, fieldErrors, also);", ''),
  ),
  seed(
    'null in a merge patch is stored',
    inTest('api/merge-patch', 'the settings of a project are merged as RFC 7396 says'),
    edit('model/bodies/merge-patch', 'merged', 'if (value === null)', 'if (value === undefined)'),
  ),
  seed(
    'a decoded body may have any length',
    inTest('http/coded-bodies', 'a body that is larger than the limit when it is decoded is refused'),
    edit('http/request/coded-body', 'decoded', 'if (bytes > bytesMax)', 'if (bytes < 0)'),
  ),
  seed(
    'what a decoder holds is not counted',
    inTest('http/coded-bodies', 'what decoders hold counts for the bodies of the account'),
    edit('http/request/coded-body', 'decodePieces', 'pieces.holds(ofReader + ofDecoder)', 'pieces.holds(ofReader)'),
  ),
  seed(
    'bytes after the end of a coded body are ignored',
    inTest('http/coded-bodies', 'bytes after the end of the content are damage'),
    edit('http/request/coded-body', 'decoded', '!hasEnded || decoder.bytesWritten !== sentBytes', 'bytes < 0'),
  ),
  seed(
    'a cursor is valid with another operator',
    inTest('api/operators', 'a cursor is valid only with the operators and values it was made for'),
    edit('api/crud/cursor', 'boundTo', '[name, value, operator]', '[name, value]'),
  ),
  seed(
    'a key of certain projects sees what the account uses',
    inTest('api/me', 'a key for reading sees its access'),
    edit('api/me-endpoint', 'show', 'projects === undefined ? useOf(account, bytes) : null', 'useOf(account, bytes)'),
  ),
  seed(
    'a header without pixels is a picture',
    inTest('lib/pictures', 'a header without pixels is refused'),
    edit('lib/pictures/recognize', 'recognized', '!hasPixels(type, head)', 'false'),
  ),

  // What one request, and one answer, may be.
  seed(
    'a request that can never be held gets 429',
    inTest('api/transfer', 'an import larger than the memory of an account gets 413 with the limit'),
    edit('http/guard/admission', 'AdmissionControl.check', 'if (heldBytes + bytes > requestBytesMax) {', 'if (false) {'),
  ),
  seed(
    'the results of a batch have no limit',
    inTest('api/batch', 'a batch whose results exceed their size limit gets 413 and changes nothing'),
    edit('api/batch-endpoint', 'resultsWithin', 'if (bytes > bytesMax)', 'if (false)'),
  ),
  // Requests in the process.
  seed(
    'an account that is deleted while a body arrives still writes',
    inTest('server/in-process', 'an account that is deleted during an upload gets 401 and nothing is written'),
    edit('http/pipeline', 'reauthenticate', 'authenticate(exchange);', ''),
  ),
  seed(
    'a person who lost a right while a body arrives still has it',
    inTest('server/people', 'a right that is lost while a body arrives'),
    edit('http/pipeline', 'reauthenticate', 'return authorize(exchange);', "return 'next';"),
  ),
  seed(
    'a link of somebody else changes who is signed in',
    inTest('server/sessions', 'a link of somebody else changes who is signed in only'),
    edit('server/console/sessions', 'ConsoleSessions.exchange', 'replaced.person !== link.person', 'false'),
  ),
  seed(
    'a planted cookie connects a provider',
    inTest('server/oidc', 'owners connect the provider while they are signed in'),
    edit('server/console/sessions', 'ConsoleSessions.exchange', 'replaced?.id !== connection.session', 'false'),
  ),
  seed(
    'a header of a request in the process names its address',
    inTest('server/in-process', 'no header names the account, the address or the frame of a body'),
    edit(
      'http/request/addresses',
      'Addresses.of',
      "if (req.socket === undefined) return '';",
      "if (req.socket === undefined) return String(req.headers['x-forwarded-for']);",
    ),
  ),
  seed(
    'a response in the process has the bytes of the server itself',
    inTest('server/in-process', 'the bytes of the caller and those of the server are never shared'),
    edit('http/transport/in-process-response', 'InProcessResponse._write', 'enqueue(new Uint8Array(piece))', 'enqueue(piece)'),
  ),
  seed(
    'a request in the process ends only in a later turn',
    inTest('server/in-process', 'a program that awaits one response after the other lets timers run'),
    edit(
      'http/transport/in-process-response',
      'InProcessResponse._destroy',
      "queueMicrotask(() => this.emit('close'))",
      "setImmediate(() => this.emit('close'))",
    ),
  ),
  // Large bodies.
  seed(
    'shapes are not counted',
    inTest('http/json', 'a document with too many distinct object shapes is refused before parsing'),
    edit('lib/json/json-scan', 'JsonScan.run', 'shapes.count > jsonShapesMax', 'shapes.count < 0'),
  ),
  seed(
    'large bodies of an account do not wait for each other',
    inTest('http/body-queue', 'large bodies of an account are processed in order, without those of clients that left'),
    edit('http/request/body-queue', 'BodyQueue.enter', 'if (queue === undefined) start();', 'start();'),
  ),
  seed(
    'a POST whose connection broke is sent to the next owner',
    inTest('cluster/forwarder', 'a follower repeats a request only if the owner has not carried it out'),
    edit(
      'cluster/forward/forwarded-request',
      'ForwardedRequest.onError',
      "this.#state === 'sending' || this.#client.isRead",
      'true',
    ),
  ),
  // Shards of a cluster.
  seed(
    'a receiver answers for a shard that it does not own',
    inTest('cluster/shards/nodes', 'a node refuses forwarded requests for shards that it does not own'),
    edit(
      'cluster/node/cluster-node',
      'ClusterNode.#route',
      'isOwner: (shard) => routing.owns(shard),',
      "isOwner: () => this.role === 'owner',",
    ),
  ),
  seed(
    'a name is not reserved',
    inTest('cluster/shards/nodes', 'concurrent creates of one account name through all nodes create it once'),
    edit('server/admin/admin-operations', 'operations', 'await context.registry.reserveName(name);', ''),
  ),
  // Files in a cluster.
  seed(
    'an upload to a cluster is acknowledged before the database has its bytes',
    inTest('blobs/origin', 'an upload is finished when the origin has its bytes'),
    'it answers before it has the bytes',
  ),
  seed(
    'an upload counts although its bytes are not replicated',
    inTest('cluster/owner-blobs', 'rows are stored until the last write is acknowledged'),
    'answers say that standbys are configured',
  ),
  seed(
    'a node caches bytes that do not have the digest of the blob',
    inTest('blobs/origin', 'damaged or missing bytes of the origin are an error'),
    'the expected digest is the answer, whatever the bytes are',
  ),
  seed(
    'a former owner deletes the bytes of files',
    inTest('cluster/files-in-cluster', 'only the owner stores and deletes rows'),
    edit('cluster/database/stored-blobs', 'BlobRows.delete', 'USING mine, unnest', 'USING unnest'),
  ),
  seed(
    'a late deletion deletes bytes that were uploaded again',
    inTest('cluster/files-in-cluster', 'only the owner stores and deletes rows'),
    edit('cluster/database/stored-blobs', 'BlobRows.delete', ' AND b.put = found.put', ''),
  ),

  // The protocol of the cluster.
  seed(
    'an equal row is taken as durable',
    protocol,
    edit(
      'cluster/protocol/append',
      'onCheck',
      "return moved(appender, isUnsettled ? 'unsettled' : 'verified', changes);",
      "if (batch !== undefined && isAt(found.newest, batch.end)) return acknowledge({ ...appender, ...changes, timeline: found.timeline, phase: 'looking' }); return moved(appender, isUnsettled ? 'unsettled' : 'verified', changes);",
    ),
  ),
  seed('a WARNING is ignored', protocol, 'answers arrive without their WARNING'),
  seed('removed standbys are not noticed', protocol, 'answers say that standbys are configured'),
  seed('the lease holds by the monotonic clock alone', protocol, 'the wall clock stands still from each renewal on'),
  seed(
    'the lease holds by the wall clock alone',
    inTest('cluster/protocol', 'a lease ends by the monotonic clock, the wall clock, or a clock that goes backwards'),
    'the monotonic clock stands still from each renewal on',
  ),
  seed('a claimer watches for half a lease', protocol, 'the monotonic clock of a claimer is 2.5 times as fast'),
  seed(
    'a claimer takes a beat that a failover took back for the one that comes again',
    inTest('cluster/protocol', 'a heartbeat that repeats after a failover counts as a new one'),
    'an observation has the timeline of the one before it',
  ),
  seed(
    'a settled batch is durable without a look',
    protocol,
    edit(
      'cluster/protocol/append',
      'onSettle',
      "return moved(appender, 'settled', { token: { ...token, epoch }, acknowledgedEpoch: epoch, timeline: foundTimeline });",
      "const next = moved(appender, 'settled', { token: { ...token, epoch }, acknowledgedEpoch: epoch, timeline: foundTimeline }); return appender.batch === undefined ? next : acknowledge(next);",
    ),
  ),
  seed('an unsure settle counts', protocol, 'the answer to a settle says that it is replicated'),
  seed(
    'a claimer keeps the lineage in another timeline',
    protocol,
    edit(
      'cluster/protocol/claim',
      'confirmedRow',
      'shard.timeline === timeline ? shard.lineage : newLineage',
      'shard.timeline === timeline ? shard.lineage : shard.lineage',
    ),
  ),
  seed(
    'an unsure renewal counts',
    inTest('cluster/protocol', 'a lease counts from a renewal only if the renewal is acknowledged'),
    'the answer to a renewal says that it is replicated',
  ),
  seed(
    'an owner that releases answers',
    protocol,
    edit(
      'cluster/protocol/owner',
      'mayAnswer',
      "statusOf(owner) === 'owner' && !owner.isReleasing &&",
      "statusOf(owner) === 'owner' &&",
    ),
  ),
  seed('a renewal from before the question proves it', protocol, 'the time of a question is 8 ms too early'),
  seed(
    'a batch that is appended is durable whatever was answered',
    protocol,
    'the answer to an append says that it is replicated',
  ),
  seed('an absent batch counts as durable', protocol, 'the answer to a look has the batch that was not acknowledged'),

  // Data sources.
  seed(
    'an address is not checked after a redirect',
    inTest('live/addresses', 'a name is resolved once for a request'),
    edit(
      'live/sources/fetch-source',
      'Fetch.#send',
      'await guardedAddresses(url, this.#options, this.#signal)',
      'url === this.#request.url ? await guardedAddresses(url, this.#options, this.#signal) : await this.#options.lookup(url.hostname)',
    ),
  ),
  seed(
    'a looked-up address is not checked',
    inTest('live/addresses', 'every range that is not public is refused'),
    edit(
      'live/sources/address-guard',
      'guardedAddresses',
      'for (const address of addresses) {',
      'for (const address of literal === undefined ? [] : addresses) {',
    ),
  ),
  seed(
    'only the first address of a name is checked',
    inTest('live/addresses', 'a name with one refused address among its addresses is refused'),
    edit(
      'live/sources/address-guard',
      'guardedAddresses',
      'for (const address of addresses) {',
      'for (const address of addresses.slice(0, 1)) {',
    ),
  ),
  seed(
    'a listener on all addresses is forbidden under none of them',
    inTest('live/addresses', 'listeners, peers and the database of the server are refused'),
    edit('live/sources/address-guard', 'guardedAddresses', '(isUnspecified(listening) && isOwn(address)) ||', ''),
  ),
  seed(
    'addresses of a name are kept for its next requests',
    inTest('live/name-lookup', 'leads no fetch to an address that was not checked'),
    edit('live/sources/name-lookup', 'NameLookup.#end', 'this.#running.delete(name);', ''),
  ),
  seed(
    'a look-up goes on after its fetch has ended',
    inTest('live/name-lookup', 'a name server that answers late'),
    edit('live/sources/name-lookup', 'NameLookup.lookup', '--running.callers === 0', '--running.callers < 0'),
  ),
  seed(
    'a look-up that a fetch ended counts as a failure of the name',
    inTest('live/name-lookup', 'a look-up ends with its last caller, and that is no failure of the name'),
    edit('live/sources/name-lookup', 'NameLookup.#start', 'running.callers > 0 && ', ''),
  ),
  seed(
    'work that ends starts only one that waits for its lane or account',
    inTest('lib/turns', 'the end of one piece starts all work that it held up'),
    edit('lib/async/turns', 'Turns.#free', 'waiting.start();\n        break;', 'waiting.start();\n        return;'),
  ),
  seed(
    'fetches of one host by an account have no pace',
    inTest('live/sources', 'a thousand data sources on one host are asked at a pace'),
    edit('live/sources/fetch-turns', 'FetchTurns.#paced', 'bucket.take();', ''),
  ),
  seed(
    'one host takes all fetches',
    inTest('live/sources', 'a slow host leaves half of all fetches to others, also to accounts that wait for it'),
    edit('live/sources/fetch-turns', 'FetchTurns', 'perLane: fetchLimits.perHost,', ''),
  ),
  seed(
    'work for a full lane delays other work of its account',
    inTest('lib/turns', 'work that waits for its lane holds no place that other work needs'),
    edit(
      'lib/async/turns',
      'Turns.#free',
      'if (this.#isFull(next, waiting.lane)) continue;',
      'if (this.#isFull(next, waiting.lane)) break;',
    ),
  ),
  seed(
    'fetches that are due together start in one turn of the event loop',
    inTest('live/sources', 'fetches that are due together start in turns of the event loop of their own'),
    edit('live/sources/fetch-turns', 'inLaterTurn', 'if (!signal.aborted) await nextSlice();', ''),
  ),
  seed(
    'each viewer of a live map costs a look at all of its data sources',
    inTest('live/sources', 'a repeated watch within the refresh does not look at the data sources'),
    edit('live/sources/live-sources', 'LiveSources.watch', 'at - last.at < refreshMs', 'at < last.at'),
  ),
  seed(
    'an evaluation asks data sources that no variable reads',
    inTest('api/live', 'an evaluation and a live map ask only the data sources that variables read'),
    edit('live/evaluate/asked-sources', 'askedSources', 'if (read.has(source.id)) asked.push(source);', 'asked.push(source);'),
  ),
  seed(
    'an evaluation asks any number of data sources',
    inTest('api/live', 'beyond 1,000 data sources that variables read, an evaluation names those that are not asked'),
    edit('live/evaluate/asked-sources', 'askedSources', 'asked.length >= bounds.askedSources', 'asked.length < 0'),
  ),
  seed(
    'the address at the other end of a connection is not compared',
    inTest('live/fetch', 'nothing is sent when the connection leads to another address'),
    edit(
      'live/sources/source-connection',
      'connectPinned',
      'peer === undefined || !addresses.includes(peer)',
      'peer === undefined',
    ),
  ),
  seed(
    'a problem of a data source quotes its response',
    inTest('live/fetch', 'a source that sends no JSON at a place that the parser does not name is refused without a quotation'),
    edit('live/sources/response-body', 'jsonText', 'parsed.unquoted ?? parsed.failure', 'parsed.failure'),
  ),
  seed(
    'the first of two values of a flag is dropped',
    inTest('cli/commands', 'no command keeps only one of two values of an option'),
    edit('cli/arguments', 'checkedArguments', '!isList(name)', 'false'),
  ),
  seed(
    'a written live.json has old data though a source never answered',
    inTest('cli/publish', 'publish --out --live writes the present evaluation'),
    edit('cli/commands/support/evaluated-once', 'evaluatedOnce', 'undefined, isUnusable)', 'undefined, false)'),
  ),
  seed(
    'the size of a response is checked before decompression only',
    inTest('live/fetch', 'a source that sends a gzip bomb is too large'),
    edit('live/sources/response-body', 'readBody', 'limited(decoded, bytesMax, status)', 'decoded'),
  ),
  seed(
    'headers follow a redirect to another origin',
    inTest('live/fetch', 'another origin never gets them'),
    edit('live/sources/fetch-source', 'Fetch.#headers', 'this.#isAtOrigin ? headers : []', 'headers'),
  ),
  seed(
    'headers come back after a redirect to another origin',
    inTest('live/fetch', 'a redirect away and back does not bring the headers back'),
    edit(
      'live/sources/fetch-source',
      'Fetch.run',
      'if (this.#url.origin !== this.#request.url.origin) this.#isAtOrigin = false;',
      'this.#isAtOrigin = this.#url.origin === this.#request.url.origin;',
    ),
  ),
  seed(
    'a redirect leads from https to http',
    inTest('live/fetch', 'a redirect from https to http is refused'),
    edit('live/sources/source-redirect', 'redirectTarget', "target.protocol === 'http:'", "target.protocol === 'ftp:'"),
  ),
  seed(
    'a failure with settings that the project has no more is listed',
    inTest('api/failing-sources', 'settings that nothing uses any more are not listed'),
    edit('api/live/failing-sources', 'sorted', 'settingsKey(source) === failing.settings', 'true'),
  ),
  seed(
    'a push does not end the failure of a data source',
    inTest('api/failing-sources', 'a push ends the failure'),
    edit('live/sources/response-store', 'ResponseStore.failing', 'push.sequence > sequence', 'push.sequence < 0'),
  ),
  seed(
    'a data source fails since its newest failure',
    inTest('api/failing-sources', 'is listed with the reason and its last good time'),
    edit('live/sources/response-store', 'ResponseStore.keepFailure', 'kept?.failedAt ?? end.at', 'end.at'),
  ),
  seed(
    'a row is identified by a column that a filter finds equal in another one',
    inTest('console/record-choice', 'a row is identified by id, key, name'),
    edit('web/console/live/record-choice', 'isUnique', 'numberIn(value) ?? value', 'value'),
  ),
  seed(
    'a fetch that runs overwrites a push',
    inTest('live/sources', 'a push replaces a fetch that runs'),
    edit('live/sources/live-sources', 'LiveSources.push', 'dropFlight(tracked);', ''),
  ),
  seed(
    'a deleted source keeps the response of its fetch',
    inTest('live/sources', 'that is deleted while it is fetched and watched leaves nothing behind'),
    edit('live/sources/tracked-sources', 'end', 'dropFlight(tracked);', ''),
  ),
  seed(
    'a source is fetched twice per refresh',
    inTest('live/sources', 'a source is fetched at most once per refresh'),
    edit(
      'live/sources/source-schedule',
      'nextFetchAt',
      'endedAt + pauseMs(refreshMs, failures)',
      'endedAt + pauseMs(refreshMs, failures) / 2',
    ),
  ),
  // Live maps: each case of the table is held against the evaluation.
  seed(
    'the condition "less-or-equal" does not hold for equal values',
    inTest('live/cases', 'every case of the table has its expected result'),
    edit('live/evaluate/values/comparison', 'lessOrEqual', 'found <= 0', 'found < 0'),
  ),
  seed(
    'a value is written into HTML as it is',
    inTest('live/cases', 'every case of the table has its expected result'),
    edit(
      'live/evaluate/expressions/text-template',
      'escapedText',
      '/[&<>"\'`=]/.test(text) ? text.replace(/[&<>"\'`=]/g, reference) : text',
      'text',
    ),
  ),
  seed(
    'a script is the link of a button',
    inTest('live/cases', 'every case of the table has its expected result'),
    edit(
      'live/evaluate/expressions/text-template',
      'address',
      "if (raw.trim() === '' || addressOf(raw, use, anyPage) !== undefined) return safe;",
      'if (addressOf !== undefined) return safe;',
    ),
  ),
  seed(
    'objects are created without a bound',
    inTest('live/bounds', 'no more than 10,000 objects are created'),
    edit(
      'live/evaluate/actions/create-objects',
      'createObjects',
      'created.list.length >= bounds.createdObjects',
      'created.list.length > 2 * bounds.createdObjects',
    ),
  ),
  seed(
    'variables in a circle are evaluated',
    inTest('live/cases', 'every case of the table has its expected result'),
    edit(
      'live/evaluate/variables/evaluation-order',
      'evaluationOrder',
      "} else if (state.get(read) === 'open') {",
      '} else if (read < 0) {',
    ),
  ),
  seed(
    'a property of the prototype is a member of a response',
    inTest('live/cases', 'every case of the table has its expected result'),
    edit('live/evaluate/values/data-path', 'step', 'Object.hasOwn(value, name)', 'name in value'),
  ),
  seed(
    'the identifier of an item is published',
    inTest('live/runs', 'a published evaluation hides items, actions, values and problems'),
    edit('live/runs/public-evaluation', 'withoutItem', ".digest('hex').slice(0, hiddenLength)", ".digest('hex') && key"),
  ),
  seed(
    'an account takes the evaluations of all others',
    inTest('live/runs', 'an account has 64 projects that wait, and takes no place of another account'),
    edit('live/runs/evaluation-runs', 'EvaluationRuns.#inTurn', 'run(of.accountId, ', "run('', "),
  ),
  seed(
    'an evaluation that has begun is shared with a later request',
    inTest('live/runs', 'equal requests share one run, which begins after all of them'),
    edit('live/runs/evaluation-runs', 'EvaluationRuns.run', 'if (!hasBegun)', 'if (made)'),
  ),
  seed(
    'an evaluation is shared between requests with different inputs',
    inTest('live/runs', 'equal requests share one run, which begins after all of them'),
    edit('live/runs/evaluation-runs', 'EvaluationRuns.run', '[laneOf(of), of.inputs]', '[laneOf(of)]'),
  ),
  seed(
    'evaluations that wait are run although one of their project was ended',
    inTest('live/runs', 'after an overrun a project is not evaluated during a pause, and runs that wait are refused'),
    edit(
      'live/runs/evaluation-runs',
      'EvaluationRuns.#inTurn',
      'this.#check(lane, of); return this.#timed',
      'return this.#timed',
    ),
  ),
  seed(
    'a run that a busy machine delays is an overrun',
    inTest('lib/job-thread', 'a job that is kept from the processor is no overrun, and is ended as busy'),
    edit('lib/threads/job-thread', 'JobThread.#watch', 'processorMs(number) - usedBefore', 'performance.now() - beganMs'),
  ),
  seed(
    'an idle thread is waited for',
    inTest('lib/job-thread', 'a thread without a job is not waited for: at the lowest priority its end may take long'),
    edit('lib/threads/job-thread', 'JobThread.#stopNow', 'if (isAwaited) await ended;', 'await ended;'),
  ),
  seed(
    'a pause does not end when its job is cancelled',
    inTest('lib/job-thread', 'a job that pauses is cancelled, and its thread not waited for'),
    edit('lib/threads/job-thread', 'JobThread.#stopNow', 'Atomics.notify(cancelled, 0);', ''),
  ),
  seed(
    'jobs that wait for a thread that died wait without end',
    inTest('lib/job-thread', 'a job that waits for a thread that dies in the job before fails, too'),
    edit('lib/threads/job-thread', 'JobThread.#runIn', 'void this.#end(started);', ''),
  ),
  seed(
    'documents of any number of namespaces are parsed',
    inTest('convert/bad-input', 'XML whose tree takes much more than its text is refused before it is parsed'),
    edit('web/convert/read/xml/sound-xml', 'refuseMany', 'prefixes.add(prefix);', ''),
  ),
  seed(
    'a property of the prototype is a unit of length',
    inTest('convert/bad-input', 'names of members of every object are no columns, units or classes of their own'),
    edit('web/convert/read/svg/svg-matrix', 'lengthOf', 'Object.hasOwn(units, unit) ? units[unit] : undefined', 'units[unit]'),
  ),
  seed(
    'a picture that a busy machine delays is refused for what it is',
    inTest('lib/pictures', 'a picture that a busy machine delays is no fault of the picture'),
    edit(
      'lib/pictures/picture-recognizer',
      'PictureRecognizer.#recognize',
      'error instanceof OverrunError',
      "error.name !== 'StoppedError'",
    ),
  ),
  seed(
    'a response that arrives before a refused evaluation waits for the refresh',
    inTest('live/live-maps', 'a live map keeps its last result while an evaluation is refused, and is evaluated soon after'),
    edit('live/live-maps', 'LiveMaps.result', 'map.hasNewResponse = true;', ''),
  ),
  seed(
    'a result that could not be replaced goes on saying that it is fresh',
    inTest('live/live-maps', 'a result that could not be replaced says since when, in one answer until that changes'),
    edit('live/live-maps', 'LiveMaps.#keep', 'await restated(newest, state)', 'newest'),
  ),
  seed(
    'a source that fails is fresh while its last answer is young',
    inTest('live/sources', 'a source is fresh, stale or failed by its newest attempt and its last good answer'),
    edit('live/sources/source-freshness', 'stateOfSource', 'hasFailed || ', ''),
  ),
  seed(
    'a push grows old',
    inTest('live/sources', 'a source is fresh, stale or failed by its newest attempt and its last good answer'),
    edit('live/sources/source-freshness', 'stateOfSource', 'isFetched && ', ''),
  ),
  seed(
    'of two sources the younger answer counts',
    inTest('live/sources', 'the worst of some states is one of them in any order, and of stale ones the oldest'),
    edit('live/sources/source-freshness', 'worseOf', "(a.since ?? '') <= (b.since ?? '')", "(a.since ?? '') >= (b.since ?? '')"),
  ),
  seed(
    'a network that is lost leaves the data fresh',
    inTest('viewer/data-age', 'nothing is fresh but a fresh answer of the last two refreshes, and every such answer is'),
    edit('web/viewer/element/loading/data-age', 'DataAge.known', 'this.#isLost || isOld', 'isOld'),
  ),
  seed(
    'data without answers stay young',
    inTest('viewer/data-age', 'nothing is fresh but a fresh answer of the last two refreshes, and every such answer is'),
    edit('web/viewer/element/loading/data-age', 'DataAge.known', 'this.#isLost || isOld', 'this.#isLost'),
  ),
  seed(
    'an age of no whole minute is taken from a document',
    inTest('viewer/document', 'the age of data that a map allows is a whole number of minutes, up to a week'),
    edit('web/viewer/drawing/map-document', 'readPublicMap', 'isStaleMinutes(stale_minutes)', 'stale_minutes'),
  ),
  // Places: the projection, the conversion of bodies, and what is computed for responses.
  seed(
    'latitude and longitude are exchanged',
    inTest('lib/geo', 'a pixel is where OpenLayers draws the place'),
    edit(
      'lib/geo/geo',
      'toPixels',
      'return (place) => pixel(shortWay(east(place)), place);',
      'return ({ lat, lng }) => pixel(shortWay(east({ lat: lng, lng: lat })), { lat: lng, lng: lat });',
    ),
  ),
  seed(
    'a place is on any copy of the world',
    inTest('lib/geo', 'a place has the copy of its longitude that is nearest to the centre'),
    edit('lib/geo/geo', 'toPixels', 'pixel(shortWay(east(place)), place)', 'pixel(east(place), place)'),
  ),
  seed(
    'a ring is torn at the antimeridian',
    inTest('lib/geo', 'a ring across the antimeridian stays in one piece, near the centre'),
    edit('lib/geo/geo', 'ringToPixels', 'joined(sent)', 'sent'),
  ),
  seed(
    'places are converted with the artboard as it was before the write',
    inTest('api/places', 'collections of a project and of an artboard take places, for new and for present artboards'),
    edit('engine/write/place-objects', 'Placing.#artboard', 'return artboards.merge(current, body);', 'return current;'),
  ),
  seed(
    'pixels are accepted that are another place than the one sent',
    inTest('api/places', 'pixels and places in one body are accepted if they agree, and the pixels are kept'),
    edit('engine/write/place-converter', 'PlaceConverter.#agree', 'onOneCopy <= agreementPixels &&', ''),
  ),
  seed(
    'an object that keeps its place gets another radius',
    inTest('api/keep-places', 'a PATCH with keep_places moves the objects in one record, and one without moves none'),
    edit(
      'engine/write/keep-places',
      'movedObject',
      'objects.merge(value, { ...centre,',
      "objects.merge(value, { ...centre, radius: 2 * value['radius'],",
    ),
  ),
  seed(
    'the tag of places ignores the artboard',
    inTest('api/places', 'the tag of places changes with the object and with its artboard, and a write compares both'),
    edit('api/places/object-places', 'joined', 'Math.max(version, artboard.version)', 'version'),
  ),
  seed(
    'an export leaves out pixels that do not follow from its geometry',
    inTest('api/geojson', 'the pixels of all objects follow from the export'),
    edit(
      'api/places/geojson-endpoint',
      'placeGeometry',
      'isExact: back.every((each, i) => areNear(each, sent[i] as readonly Pixel[])),',
      'isExact: back.length > 0,',
    ),
  ),
  // Keys of objects.
  seed(
    'a batch does not check keys of objects that it changed itself',
    inTest('api/object-keys', 'an operation of a batch sees the keys of those before it'),
    edit(
      'engine/write/check-keys',
      'checkKeys',
      'if (objects === undefined) return 0;',
      'if (objects === undefined || objects.version === Number.MAX_SAFE_INTEGER) return 0;',
    ),
  ),
  seed(
    'a collection may have a key twice',
    inTest('api/object-keys', 'a whole collection may exchange keys, and is refused at the second object with one key'),
    edit('engine/write/check-keys', 'checkList', 'if (before === undefined) named.set', 'if (before !== key) named.set'),
  ),
  seed(
    'the key of a deleted object stays taken',
    inTest('api/object-keys', 'a key is free again after a deletion, after a change and after a restart'),
    edit('store/collection', 'Collection.delete', 'this.#keys?.replace(this.#list.memberAt(place)?.value, undefined);', ''),
  ),
  seed(
    'an object that takes a key in the same change loses it again',
    inTest('api/object-keys', 'a whole collection may exchange keys, and is refused at the second object with one key'),
    edit('store/indexes/key-index', 'KeyIndex.#has', 'return this.#ids.get(key) === member?.id;', 'return true;'),
  ),
  seed(
    'a public map has the keys of its objects',
    inTest('api/model', theModel),
    edit('model/resources/object', 'privateObjectMembers', "['key']", '[]'),
  ),
  seed(
    'the memory of an index of keys is not counted when it is built',
    inTest('store/key-index', 'the memory of an index is admitted before it is built, and refused if it does not fit'),
    edit('store/collection', 'Collection.indexKeys', 'sum + weighKey(value)', 'sum'),
  ),
  seed(
    'a key that a new object adds to an index is not counted',
    inTest('engine/memory', 'an index of keys counts: when it is built, and when objects with keys are put and deleted'),
    edit('store/operations/put-members', 'putMembers', 'if (isIndexed)', 'if (false)'),
  ),
  // Identifiers, places and artboards from batches.
  seed(
    'a value that was put before a deletion takes that of what is created after it',
    inTest('api/batch-places', 'a batch deletes a resource and creates another one with its identifier'),
    edit('engine/write/decide-batch', 'MergedChanges.add', "if (change.path.collection === 'artboards')", 'if (false)'),
  ),
  seed(
    'a quota takes what is created after a deletion for what was there',
    inTest('api/batch-places', 'a quota counts what a batch deletes and creates again'),
    edit('store/operations/shared/quota-growth', 'CollectionGrowth.drop', 'this.#isDropped = true;', ''),
  ),
  seed(
    'the memory of what a record deletes and creates again is subtracted twice',
    inTest('engine/memory', 'growth is the size of the new members minus the replaced and deleted ones, with their objects'),
    edit('store/operations/shared/members-after', 'MembersAfter.drop', 'changed.isDropped = true;', ''),
  ),
  seed(
    'a strict batch takes what it creates again for deleted',
    inTest('api/batch-places', 'a strict batch knows what was deleted, created again and moved'),
    edit(
      'engine/write/integrity/integrity',
      'goneWith',
      'if (!changed.puts(path.collection, id)) gone.set(id, target);',
      'gone.set(id, target);',
    ),
  ),
  seed(
    'a strict batch loses an object that moved from a deleted artboard',
    inTest('api/batch-places', 'a strict batch knows what was deleted, created again and moved'),
    edit('engine/write/integrity/integrity', 'goneWith', "if (!changed.puts('objects', id))", 'if (true)'),
  ),
  seed(
    'an identifier may be any time ahead',
    inTest('api/batch-places', 'an identifier that is malformed, ahead, taken or misplaced is refused with its pointer'),
    edit('engine/write/given-ids', 'idProblem', 'time > now + aheadMaxMs', 'time < 0'),
  ),
  seed(
    'the source of identifiers does not note those of clients',
    inTest('api/model', theModel),
    edit('engine/write/change-builder', 'ChangeBuilder.#idOf', 'this.#context.noteId(given);', ''),
  ),
  seed(
    'a restore puts before it deletes',
    inTest('api/batch-places', 'a restore brings an object back to its former artboard, for a replica too'),
    edit(
      'engine/versions/restoring',
      'changesTo',
      'replaced.deleteOthers();',
      'wanted.push({ values: [], replaced: { begin() {}, put() {}, end: () => replaced.deleteOthers() } });',
    ),
  ),
  seed(
    'a member has the rank of the one that it comes before',
    inTest('store/collection', 'a collection equals an array after every step'),
    edit('store/list/spread', 'rankBetween', 'rank > below && rank < above ? rank : undefined', 'above'),
  ),
  seed(
    'members around a place get ranks that leave none free',
    inTest('store/collection', 'a collection equals an array after every step'),
    edit('store/list/spread', 'spreadBefore', 'free = first + distance * count++', 'free = first + distance * count'),
  ),
  seed(
    'a comparison does not see that an object moved',
    inTest('api/versions', 'a comparison names objects that moved to another artboard'),
    edit('engine/versions/compare', 'differing', 'before.artboardId !== after.artboardId', 'false'),
  ),
  seed(
    'a key works until its record would be looked up again',
    inTest('http/refusal-order', 'only one Authorization header with a valid Bearer key is accepted'),
    edit('http/guard/authentication', 'Authenticator.#forgetFormer', 'version === this.#version', 'true'),
  ),
  seed(
    'the console takes late news of a deletion for one of what came back',
    inTest('console/document', 'what came back stays, although the feed is late'),
    edit('web/console/document/project-store', 'ProjectStore.isLater', '> numberOf(version)', '> Number.POSITIVE_INFINITY'),
  ),
  seed(
    'a value that replaces a refused one is in conflict with it',
    inTest('console/document', 'typed before the last one is refused replaces it'),
    edit('web/console/document/pending-writes', 'PendingWrites.keep', '!this.#baseLater(write, ref.id, member, base)', 'true'),
  ),
  seed(
    'the console puts what others did before its own step after it',
    inTest('console/document', 'has its place before it, although the feed is late'),
    edit('web/console/document/feed-orders', 'FeedOrders.reached', 'until <= number', 'false'),
  ),
  seed(
    'versions of two starts of the server are in no order',
    inTest('console/document', 'moved out of an artboard after a restart stays'),
    edit('web/console/kinds/resource-version', 'isBefore', "?.split('.', 1)[0]", ''),
  ),
  seed(
    'undo deletes what another user has changed since',
    inTest('console/document', 'undo of a drawing leaves what another user has made of it'),
    edit('lib/change/rebase', 'rebase', 'whole !== undefined && isForeign', 'whole !== undefined && !isForeign'),
  ),
  seed(
    'what is typed after an undo goes before it',
    inTest('console/document', 'what is typed after an undo that waits is not taken back by it'),
    edit('web/console/document/pending-writes', 'PendingWrites.seal', 'write.isBegun = true', 'write.isBegun = false'),
  ),
  seed(
    'undo replaces a later value that waits for a decision',
    inTest('console/document', 'undo of an earlier change leaves what waits for a decision'),
    edit('web/console/document/conflicts', 'Conflicts.isHeld', 'return held !== undefined;', 'return false;'),
  ),
  seed(
    'values of a deleted object are left to save after they were given up',
    inTest('console/document', 'of a conflict about what was then deleted, and is given up'),
    edit('web/console/document/outcomes', 'Outcomes.lose', 'this.#pending.show([ref.id]);', ''),
  ),
  seed(
    'the console shows an object on two artboards',
    inTest('console/document', 'placed before it was moved to another artboard is there once'),
    edit('web/console/document/project-store', 'ProjectStore.reorder', 'present.has(id)', 'this.#entries.has(id)'),
  ),
  seed(
    'the console takes a project that is older than what its feed has brought',
    inTest('console/document', 'read before the feed brought something newer'),
    edit('web/console/document/project-edits', 'ProjectEdits.take', 'if (isBefore(version, store.position)) return true;', ''),
  ),
  // The converter of files.
  seed(
    'entities in XML are read',
    inTest('convert/bad-input', 'entities in XML are refused before the document is parsed, a document type without any is not'),
    edit('lib/html/document-type', 'declaring', '(?:DOCTYPE|ENTITY)', '(?:DOCTYPE)'),
  ),
  seed(
    'a style with an escaped name loads a picture of another host',
    inTest('convert/svg', 'the background has what remains, without scripts, handlers and links to other hosts, which are named'),
    edit('web/convert/read/svg/svg-background', 'loads', '@import|\\\\|', '@import|'),
  ),
  seed(
    'a path that is used many times has corners without bound',
    inTest('convert/bad-input', 'files that would grow without bound are refused, or cut with a note'),
    edit('web/convert/read/svg/svg-drawing', 'SvgReader.#outlines', 'if (this.#corners > cornersMax)', 'if (this.#corners < 0)'),
  ),
  seed(
    'holes of polygons are filled',
    inTest('convert/geojson', 'each geometry becomes objects, and multi-geometries become several of one name'),
    edit(
      'web/convert/place/place-items',
      'placeShape',
      "return { kind: 'poly', corners, holes: largest(",
      "return { kind: 'poly', corners, holes: true ? [] : largest(",
    ),
  ),
  seed(
    'an exported line becomes a polygon where its pixels are exported',
    inTest('convert/geojson', 'an exported line whose pixels do not follow from its places keeps them'),
    edit('web/convert/read/read-geojson', 'closedOf', "geometry['type'] === 'LineString'", "geometry['type'] === 'Line'"),
  ),
  seed(
    'a decimal comma separates thousands',
    inTest('convert/csv', 'decimal commas and thousands are read per column'),
    edit('web/convert/read/number-text', 'numberIn', ".replace(',', '.')", ".replace(',', '')"),
  ),
  seed(
    'coordinates of another system are taken for degrees',
    inTest(
      'convert/bad-input',
      'coordinates of another system are refused by the name of the system or by value, with the remedy',
    ),
    edit('web/convert/read/read-geojson', 'refuseOtherSystem', 'throw otherSystem(', 'void ('),
  ),
  seed(
    'a class of values has one value too many',
    inTest('convert/mapping', 'values become colours of classes with equally many objects, or of equal width, with a legend'),
    edit(
      'web/convert/map/value-colors',
      'quantileLimits',
      '(i + 1) * sorted.length) / count)',
      '(i + 1) * sorted.length) / count) + 1',
    ),
  ),
  seed(
    'the radius of a spot grows with its value',
    inTest('convert/mapping', 'the area of a spot grows with its value'),
    edit(
      'web/convert/map/build-objects',
      'radiusReader',
      'Math.sqrt(Math.max(0, value) / greatest)',
      'Math.max(0, value) / greatest',
    ),
  ),
  seed(
    'a value in a popup is markup',
    inTest('convert/mapping', 'templates make popups: values are escaped in the content, and are text in the title'),
    edit('web/convert/map/build-objects', 'popupOf', '?? escapeHtml(text)', '?? text'),
  ),
  seed(
    'an import deletes objects without a key',
    inTest('convert/plan', 'a second import updates objects by key, without their style, and keeps or deletes the missing ones'),
    edit('web/convert/plan/plan-import', 'planImport', 'key && !found.has(id)', '!found.has(id)'),
  ),
  seed(
    'an import keeps what an export leaves out',
    inTest('convert/round-trip', 'an export that is imported into its own artboard restores the objects that have a key'),
    edit('web/convert/map/build-objects', 'exportedBody', '{ ...unexported, ...place', '{ ...place'),
  ),
  seed(
    'an exported object without a place is made at the corner',
    inTest('convert/geojson', 'an exported object whose place was damaged is left out with a note, not moved to the corner'),
    edit(
      'web/convert/map/build-objects',
      'buildObjects',
      'if (shapes.length === item.shapes.length) drafts.push(',
      'drafts.push(',
    ),
  ),
  seed(
    'the new artboard of an export has another centre',
    inTest('convert/round-trip', 'an export without an artboard to go to makes its artboard and its objects again'),
    edit('web/convert/convert', 'withTarget', "artboard.type === 'osm' && !keepsArea", "artboard.type === 'osm'"),
  ),

  // Blobs.
  seed(
    'an upload gets its name before its bytes are synced',
    inTest('blobs/crash', 'no crash loses a blob or shows a part of one: one upload'),
    'syncs of uploads are lost',
  ),
  seed(
    'no sync of the folder after the rename of an upload',
    inTest('blobs/crash', 'no crash loses a blob or shows a part of one: one upload'),
    'the sync of the folder is lost after a blob got its name',
  ),
  seed(
    'no sync of the folder in which the folders of blobs are made',
    inTest('blobs/crash', 'a process that is killed while it creates the folders leaves folders that the next one makes durable'),
    'the sync of the folder is lost in which the folders of blobs are made',
  ),
  seed(
    'the last piece of an upload is not written',
    inTest('blobs/store', 'a blob is written, synced, renamed, and its folder is synced before finish() resolves'),
    edit('storage/blobs/blob-upload', 'UploadInThread.#finish', 'this.#send(); await this.#jobs;', 'await this.#jobs;'),
  ),
  seed(
    'a hold does not spare a blob whose deletion waits',
    inTest('blobs/store', 'a hold that is taken while a deletion waits spares the blob'),
    edit('storage/blobs/blob-holds', 'BlobHolds.hold', 'for (const digests of this.#waiting) digests.delete(digest);', ''),
  ),
  seed(
    'a stop waits for jobs that only read',
    inTest('lib/job-thread', 'a job that only reads is not waited for, however long it runs'),
    edit('lib/threads/job-thread', 'JobThread.#stopNow', 'jobs.size > 0 && this.#options.onlyReads !== true', 'jobs.size > 0'),
  ),
  seed(
    'a hold does not spare a blob whose deletion waits for another one',
    inTest('blobs/store', 'a hold that is taken while a deletion waits for another one spares the blob'),
    edit('storage/blobs/blob-holds', 'BlobHolds.waiting', 'this.#waiting.add(waiting);', ''),
  ),
  seed(
    'refused bytes are deleted although a record refers to them by now',
    inTest(
      'engine/account-uploads',
      'bytes that are refused while others are deleted go together, and those that a record refers to meanwhile stay',
    ),
    edit('engine/files/account-uploads', 'AccountUploads.#delete', 'files.unreferenced().get(digest)?.isFresh === true', 'true'),
  ),
  seed(
    'a blob is deleted although a record refers to it again',
    inTest('engine/blob-deletion', 'a blob that a record refers to again while others are deleted stays'),
    edit('engine/files/blob-collector', 'BlobCollector.#collect', '.filter(isDue); await', '; await'),
  ),
  seed(
    'an upload of equal bytes does not wait for a deletion in progress',
    inTest('blobs/store', 'an upload of equal bytes waits for a deletion in progress and stores the blob after it'),
    'the wait for a deletion ends at the start',
  ),
  seed(
    'a failed sync of an upload does not stop the store',
    inTest('blobs/faults', 'a failed sync ends the uploads that run, and no sync is repeated'),
    edit('storage/blobs/blob-jobs', 'BlobJobs.#described', 'this.#isFailed = true;', 'return new StoppedError(message);'),
  ),
  seed(
    'a small file is sent from the disk without a look at its bytes',
    inTest('api/files-damaged', 'a flipped byte of a small file that was never read is a 500 and an alarm'),
    edit('storage/blobs/verified-blobs', 'VerifiedBlobs.#openSmall', 'this.#stamps.get(digest) !== stamp ||', ''),
  ),
  seed(
    'a large file is compared once, whatever happens to it later',
    inTest('api/files-damaged', 'a flipped byte of a large file that was read is a 500 and an alarm'),
    edit(
      'storage/blobs/verified-blobs',
      'VerifiedBlobs.#openLarge',
      'if (file.stamp === right) return file;',
      'if (right !== undefined) return file;',
    ),
  ),
  seed(
    'a file that is replaced while it is compared is sent without a comparison',
    inTest('blobs/verified', 'the file that is compared is the one that is read, also if it is replaced meanwhile'),
    edit(
      'storage/blobs/verified-blobs',
      'VerifiedBlobs.#openLarge',
      'right = await this.#compareOnce(blob, accountId);',
      'await this.#compareOnce(blob, accountId); return await this.#parts.open(blob);',
    ),
  ),
  seed(
    'files of an account that were never read delay all others',
    inTest('blobs/verified', 'blobs of one account that were never read delay another account by one of them'),
    edit(
      'storage/blobs/verified-blobs',
      'VerifiedBlobs.#compareOnce',
      'this.#turns.run(accountId, work)',
      "this.#turns.run('', work)",
    ),
  ),
  seed(
    'a damaged file of a cache is not loaded again',
    inTest('blobs/origin', 'a file of the cache with other bytes is loaded again'),
    edit(
      'storage/blobs/blob-store',
      'BlobStore',
      'if (this.#cache === undefined) throw error; await this.#cache.load(blob);',
      'throw error;',
    ),
  ),
  seed(
    'bytes that changed in the cache while the database was away are stored',
    inTest('cluster/owner-blobs', 'bytes that change in the cache while the database is full are not stored'),
    edit('cluster/log/owner-blobs', 'OwnerBlobs.#unchanged', 'if (crc32(piece) !== checksums[n++])', 'if (n++ < 0)'),
  ),
  seed(
    'an exhausted disk quota is no lack of space, since Node has no name for it',
    inTest('blobs/faults', 'EDQUOT in operation 1, a write, fails the upload only, and leaves nothing'),
    edit('lib/files/system-errors', 'isNoSpace', 'const code = systemCode(error);', 'const { code } = error;'),
  ),
  seed(
    'errors lose their number on the way between threads',
    inTest('lib/system-errors', 'errors keep their name on their way between threads'),
    edit('lib/threads/thread-result', 'toResult', 'code: systemCode(error), errno,', 'code: error.code, errno: undefined,'),
  ),
  seed(
    'an open blob is not held',
    inTest('blobs/store', 'an open blob is held, and is read although its record is gone'),
    edit(
      'storage/blobs/blob-store',
      'BlobStore.openBlob',
      'const hold = this.#holds.hold(digest);',
      'const hold = this.#holds.hold(digest); hold.release();',
    ),
  ),
  seed(
    'the record of a version is appended before its blob has its name',
    inTest('blobs/store', 'a blob is written, synced, renamed, and its folder is synced before finish() resolves'),
    'a file is named after the answer',
  ),
  seed(
    'a blob that something holds is deleted',
    inTest('engine/blob-deletion', 'a blob that another file refers to, or that is held, stays'),
    edit('storage/blobs/blob-holds', 'BlobHolds.waiting', 'if (!this.#counts.has(digest))', ''),
  ),
  seed(
    'a version does not refer to the blobs of its files',
    inTest('engine/blob-collector', 'a version refers to the blobs of its files, and each reference counts'),
    edit('store/blobs-of', 'blobsOf', "(value['files'] as readonly string[] | undefined) ?? []", '[]'),
  ),
  seed(
    'a second reference to a blob is not counted',
    inTest('engine/blob-collector', 'a version refers to the blobs of its files, and each reference counts'),
    edit(
      'store/blob-references',
      'BlobReferences.add',
      'if (blob !== undefined) blob.references++;',
      'if (blob !== undefined) return;',
    ),
  ),
  seed(
    'a blob is deleted while a snapshot refers to it',
    inTest('engine/blob-deletion', 'a blob without references is kept until the second snapshot and for a day, and then deleted'),
    edit('engine/files/blob-collector', 'BlobCollector.#collect', 'goneAt <= lsn && ', ''),
  ),
  seed(
    'a blob is deleted as soon as nothing refers to it',
    inTest('engine/blob-deletion', 'a blob without references is kept until the second snapshot and for a day, and then deleted'),
    edit('engine/files/blob-collector', 'BlobCollector.#collect', 'goneAt <= lsn && now - since >= keptMs', 'goneAt <= lsn'),
  ),
  seed(
    'a restore does not keep the state before',
    inTest('api/model', theModel),
    edit(
      'engine/versions/restore-version',
      'Restoring.#decide',
      '[this.#versionBefore(this.#before), ...(yield* changesTo(this.#wanted.content, project))]',
      'yield* changesTo(this.#wanted.content, project)',
    ),
  ),
  seed(
    'a restore is refused when others write all the time',
    inTest('api/version-attacks', 'a restore succeeds while other clients write all the time, and keeps one state'),
    edit(
      'engine/versions/restore-version',
      'Restoring.run',
      'return await this.#inTurn((turn) => this.#transact(() => this.#storeBefore(turn)));',
      'await this.#inTurn((turn) => this.#storeBefore(turn)); return await this.#transact();',
    ),
  ),
  seed(
    'a restore ignores what changed after the state was kept',
    inTest('engine/restore', 'changes while a restore stores the state before it are in that state (1)'),
    edit('engine/versions/restore-version', 'Restoring.#decide', 'this.#before.captured.version !== project.version', 'false'),
  ),
  seed(
    'a repeated restore is made again',
    inTest('api/version-attacks', 'a restore that is repeated with its Idempotency-Key is made once'),
    edit('engine/versions/restore-version', 'Restoring.#decide', 'if (remember === undefined)', 'if (true)'),
  ),
  seed(
    'a version that the server keeps makes no room',
    inTest('api/version-attacks', 'at the limit the oldest automatic version of the account makes room'),
    edit('engine/versions/make-room', 'withRoom', 'if (!(await forgetOldest(engine, accountId))) throw error;', 'throw error;'),
  ),
  seed(
    'the newest automatic version makes room',
    inTest('api/version-attacks', 'at the limit the oldest automatic version of the account makes room'),
    edit('engine/versions/make-room', 'oldestAutomatic', 'created < oldest.created', 'created > oldest.created'),
  ),
  seed(
    'a request that replaces a collection keeps no state',
    inTest('api/versions', 'the state before a request that replaces a whole collection is kept'),
    edit('engine/write/decide-batch', 'decideBatch', 'replaces ||= decision.replaces === true;', ''),
  ),
  seed(
    'one account uses up the places of automatic versions of all',
    inTest('engine/automatic-versions', 'states of one account that wait keep no state of another from being kept'),
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
  ),
  seed(
    'a dropped automatic version counts as a change',
    inTest('engine/automatic-versions', 'a state that is dropped is counted, and the next change keeps one'),
    edit(
      'engine/versions/automatic-versions',
      'AutomaticVersions.#beforeChange',
      'this.#drop(project, now);',
      'this.#drop(project, now); this.#changedAt.set(project, now);',
    ),
  ),
  seed(
    'the deletion of all versions ignores If-Match',
    inTest('api/preconditions', 'a declared precondition that does not hold is a 412, and changes nothing'),
    edit('engine/versions/delete-versions', 'deleteVersions', 'deletion.precondition?.(version) === false', 'false'),
  ),
  seed(
    'a version is added although its If-Match failed while its state was stored',
    inTest(
      'api/preconditions',
      'the tag of the list of versions allows to add a version and to delete all, until the list changes',
    ),
    edit('engine/versions/versions', 'storeCaptured', 'precondition, remember, by', 'remember, by'),
  ),
  seed(
    'states of projects are stored by any number of requests at a time',
    inTest('engine/version-reading', 'many requests to keep a state hold nothing until their turn, and store one at a time'),
    edit(
      'engine/version-turns',
      'VersionTurns.run',
      'this.#turns[work].run(accountId, async () => {',
      '(async (run) => await run())(async () => {',
    ),
  ),
  seed(
    'the memory of a turn is never released',
    inTest('engine/version-reading', 'the end of a turn releases all memory that it holds, also after an error'),
    edit('engine/version-turns', 'VersionTurn.end', 'this.#memory.release(this.#bytes);', ''),
  ),
  seed(
    'a restore leaves what was created since',
    inTest('api/model', theModel),
    edit('engine/versions/restoring', 'changesTo', 'replaced.deleteOthers();', ''),
  ),
  seed(
    'a restore does not bring an artboard back that was deleted',
    inTest('api/model', theModel),
    edit(
      'engine/write/change-builder',
      'ReplacedMembers.end',
      'if (this.#added.length === 0)',
      "if (this.#added.length === 0 || this.#path.collection === 'artboards')",
    ),
  ),
  seed(
    'a copy of a version is one of the present state',
    inTest('api/version-copies', 'a copy of a version is a project as it was, with addresses of its own'),
    edit('engine/projects/duplicate-project', 'duplicate', 'content === undefined', 'true'),
  ),
  seed(
    'a restore does not ask whether the bytes of files are there',
    inTest('api/version-copies', 'a restore or a copy without the bytes of a file says which, and changes nothing'),
    edit('engine/versions/held-content', 'withContent', 'await refuseDamaged(stored, content.files);', ''),
  ),
  seed(
    'a read does not notice that a damaged file is right again',
    inTest('api/files-bad-input', 'bytes that are known to be wrong are never served, not by a version either'),
    edit('engine/files/stored-files', 'StoredFiles.reading', 'this.collector.isDamaged(blob.digest)', 'false'),
  ),
  seed(
    'a later map forgets the files that the project does not have any more',
    inTest('api/shown-files', 'a file that is deleted stays at its address while a kept version of the map shows it'),
    edit('engine/projects/publish-project', 'shownFiles', 'before?.versions ?? []', '[]'),
  ),
  seed(
    'a large restore gets no segment of its own',
    inTest('api/version-attacks', 'a version larger than a request and a segment may be can be compared and restored'),
    edit('engine/versions/restore-version', 'Restoring.#transact', 'hasOwnSegment: true', 'hasOwnSegment: false'),
  ),
  seed(
    'periods of versions are counted back from now',
    inTest('engine/retention', 'versions that were thinned out at each change are those that are thinned out once'),
    edit('engine/versions/retention', 'expired', 'Math.floor(time / period.periodMs)', 'Math.floor(age / period.periodMs)'),
  ),
  seed(
    'versions of the last hour are thinned out',
    inTest('engine/retention', 'of each period one version is left, and what must stay stays'),
    edit('engine/versions/retention', 'expired', 'if (period?.periodMs === 0) continue;', ''),
  ),
  seed(
    'the bytes of a deleted picture that a version has count for nothing',
    inTest('api/files', 'the quota of bytes counts files; an upload beyond it adds nothing'),
    edit(
      'store/blob-references',
      'BlobReferences.remove',
      'if (blob === undefined || --blob.references > 0) return undefined;',
      'if (blob === undefined) return undefined;',
    ),
  ),
  seed(
    'versions that are kept at once exceed the limit',
    inTest('api/version-attacks', 'an account has the most versions that it may have, also when the last ones are kept at once'),
    edit(
      'store/operations/shared/quota-growth',
      'QuotaGrowth.total',
      'total[quotaOf(growth.resource)] += growth.members;',
      'total.members += growth.members;',
    ),
  ),
  seed(
    'the feed shows the digest of a version',
    inTest('api/version-attacks', 'neither an event nor a list shows the digest of a version'),
    edit('store/operations/put-members', 'shown', 'hidden.length === 0', 'true'),
  ),
  seed(
    'the bytes of a refused upload stay',
    inTest('engine/account-uploads', 'the bytes of a refused upload go when its request is over'),
    edit('engine/files/account-uploads', 'AccountUploads.settle', '.isFresh !== true', '.isFresh !== undefined'),
  ),
  seed(
    'a refused upload deletes bytes that the log has',
    inTest('engine/account-uploads', 'a refused upload leaves bytes that a version, a snapshot or a backup may need'),
    edit('engine/files/account-uploads', 'AccountUploads.settle', '?.isFresh !== true', ' === undefined'),
    edit('engine/files/account-uploads', 'AccountUploads.#delete', '?.isFresh === true', ' !== undefined'),
  ),
  seed(
    'an upload reserves nothing while it runs',
    inTest('engine/account-uploads', 'uploads that run reserve bytes of the quota, and refused ones give them back'),
    edit('engine/files/account-uploads', 'AccountUpload.write', 'this.#reservation.grow(this.#bytes);', ''),
  ),
  seed(
    'the quota has the bytes of a refused upload back before they are deleted',
    inTest('engine/account-uploads', 'the quota has the bytes of a refused upload back when they are deleted'),
    edit(
      'engine/files/account-uploads',
      'AccountUploads.settle',
      'this.#refused.push(',
      'reservation.release(); this.#refused.push(',
    ),
  ),
  seed(
    'deleted bytes count for no account after a start',
    inTest('engine/account-uploads', 'deleted bytes count for their account from the first request after a restart'),
    edit(
      'engine/open-engine',
      'openFiles',
      'if (folder !== undefined) collector.resume(readNote(files, folder), state.lsn);',
      '',
    ),
  ),
  seed(
    'the day of deleted bytes begins again with each start',
    inTest(
      'engine/account-uploads',
      'the day of a blob that nothing refers to goes on after a restart, and is its account\u2019s',
    ),
    edit('engine/files/unreferenced-list', 'unreferencedIn', 'since: Number(since), ', ''),
  ),

  // Keys for reading.
  seed(
    'a key for reading gets what a key for writing gets',
    inTest('api/secrets', 'no operation of openapi.json shows a secret to a key for reading'),
    edit('api/declaration', 'bind', 'request.scope.readOnly ? forReaders : api', 'api'),
  ),
  seed(
    'a key for reading gets the cached list of a key for writing',
    inTest('api/secrets', 'no operation of openapi.json shows a secret to a key for reading'),
    edit('api/crud/json-cache', 'JsonForReaders.list', 'resource.secrets.length === 0', 'true'),
  ),
  seed(
    'a key for reading gets secret members that it names',
    inTest('api/secrets', 'no operation of openapi.json shows a secret to a key for reading'),
    edit('api/crud/render', 'one', 'cache.value(resource, view.value)', 'view.value'),
  ),
  seed(
    'a key for reading follows events with secrets',
    inTest('api/secrets', 'no event shows a secret to a key for reading'),
    edit('engine/feed/subscriber', 'Subscriber.give', 'this.subscription.readOnly ? event.forReaders : event', 'event'),
  ),
  seed(
    'events after a secret are left out for keys for reading',
    inTest('api/secrets', 'no event shows a secret to a key for reading'),
    edit('engine/feed/event-encoder', 'joinTexts', '(second.textForReaders ?? second.text)', "(second.textForReaders ?? '')"),
  ),
  seed(
    'two forms of a resource have one entity tag',
    inTest('api/secrets', 'the two forms have entity tags of their own, and conditions hold for both'),
    edit('api/crud/etag', 'keyPart', "readOnly ? '-read' : ''", "''"),
  ),
  seed(
    'a publication is changed for a key for reading',
    inTest('api/secrets', 'a key for reading gets everything else as a key for writing does'),
    edit('api/publish/published-rules', 'publishedRules', 'api.cache.whole', 'api.cache'),
  ),
  seed(
    'an error in place of the data empties a live map',
    inTest('api/live', 'an error in place of the data keeps the last result of a live map, and the map says so'),
    edit('live/live-maps', 'LiveMaps.#evaluate', 'made.isUnusable && map.newest !== undefined', 'false'),
  ),
  seed(
    'a list matches objects of other artboards',
    inTest('live/cases', 'every case of the table has its expected result'),
    edit('live/evaluate/actions/lists/object-matches', 'ObjectMatches.#tableOf', 'artboard === undefined ||', 'true ||'),
  ),
  seed(
    'objects whose conditions fail get the other styles',
    inTest('live/cases', 'every case of the table has its expected result'),
    edit(
      'live/evaluate/actions/lists/followed-list',
      'FollowedList.run',
      'named.add(text);',
      'if (holds(item)) named.add(text);',
    ),
  ),
  seed(
    'the text in place of a name is not cut',
    inTest('live/cases', 'every case of the table has its expected result'),
    edit('live/evaluate/actions/action-styles', 'toLabel', 'text.length <= bounds.labelText', 'text.length > 0'),
  ),
  seed(
    'an object with a popup gets another one',
    inTest('live/cases', 'every case of the table has its expected result'),
    edit('live/evaluate/actions/popup-changes', 'PopupChanges.setOfObjects', 'popups.length === 0 && ', ''),
  ),
  seed(
    'a publication keeps keys that no list matches by',
    inTest('api/published-rules', 'only objects in reach are kept, and what all lists match by together'),
    edit('api/publish/published-rules', 'keptOf', 'on?.has(artboardId) !== false', 'true'),
  ),
  seed(
    'a version is compared with a project without its secrets',
    inTest('api/secrets', 'a key for reading gets everything else as a key for writing does'),
    edit('api/versions/version-endpoints', 'jsonOf', 'cache.whole', 'cache'),
  ),
  seed(
    'the headers of a version are emptied in one step',
    inTest('lib/json-member', 'it may be interrupted after each 256 KiB'),
    edit('lib/json/json-member', 'replacingMembers', 'yield;', ''),
  ),
  seed(
    'a header is shown whose value begins in one piece of a version and ends in the next',
    inTest('lib/json-member', 'members of lists are replaced, and everything else keeps its bytes'),
    edit(
      'lib/json/json-member',
      'MemberReplacer.write',
      'if (this.#json === undefined) this.#keep(piece.length);',
      'this.#keep(piece.length);',
    ),
  ),
  seed(
    'the problem of a header repeats a name that is a whole header',
    inTest('api/secrets', 'no operation of openapi.json shows a secret to a key for reading'),
    edit('live/sources/source-request', 'nameFault', "'the name is not one that a header can have'", 'name'),
  ),
  // Maps for visitors.
  seed(
    'a property that no field names is published',
    inTest('api/public-map', 'a published map has the properties that a field names, and the icons that it uses'),
    edit('api/publish/public-view', 'publicProperties', '.filter(([name]) => names.has(name))', ''),
  ),
  seed(
    'the holes of a polygon stay while its places are kept',
    inTest('api/public-map', 'holes follow places: as they are sent, shown, kept and exported'),
    edit('engine/write/keep-places', 'movedObject', '...(holes.length > 0 &&', '...(holes.length > 1e9 &&'),
  ),
  seed(
    'a copy shows the pictures in the properties of its original',
    inTest('api/public-map', 'pictures in properties and in icons are files of the project: copies have their own'),
    edit('model/references/file-references', 'withFileReferences', "texts === 'values' ? withValues(before, other) :", ''),
  ),
  seed(
    'a merge patch cannot remove a property',
    inTest('api/public-map', 'names that every object has are ordinary names of properties'),
    edit('model/bodies/merge-patch', 'merged', 'if (value === null) result.delete(name);', 'if (value === null) continue;'),
  ),
  // Map tiles.
  seed(
    'a named source of tiles becomes the default',
    inTest('api/map-tiles', 'the option lists sources: the one without a name is the default'),
    edit('api/pages/map-tiles', 'tileSourcesOf', 'name === undefined)', 'name !== null)'),
  ),
  seed(
    'an address of tiles may end the string of the script',
    inTest('api/map-tiles', 'an invalid tile address is refused with the accepted form'),
    edit('api/pages/map-tiles', 'problemOfUrl', 'safe.test(url) &&', 'true &&'),
  ),
  seed(
    'a source of tiles needs no address of the web',
    inTest('api/map-tiles', 'an invalid list of tiles is refused with what is wrong'),
    edit('api/pages/map-tiles', 'problemOfUrl', '!isAddress ||', ''),
  ),
  seed(
    'map.json keeps its tag with other tiles',
    inTest('api/map-tiles', 'map.json has the sources of the server, and another tag after a change of them'),
    edit('api/publish/published-endpoints', 'publishedEndpoints', 'JSON.stringify(api.tiles)', "''"),
  ),
  seed(
    'tiles that the server lists are a problem',
    inTest('api/map-tiles', 'an artboard names tiles; those that the server does not list are a problem'),
    edit('api/publish/map-problems', 'unknownTiles', "tiles !== '' &&", 'true ||'),
  ),
  seed(
    'a server for one machine advises about the policy of tiles',
    inTest('server/tile-advice', 'the advice is for public maps with tiles of openstreetmap.org'),
    edit('api/pages/tile-advice', 'needsTileAdvice', 'isForOthers(publicUrl) &&', ''),
  ),
  // Agents.
  seed(
    'an agent changes a project without a version before',
    inTest('mcp/tools', 'an agent makes, reads, changes and publishes a map'),
    edit('mcp/tools/change-tool', 'run', 'await versions.before(api, project)', '{}'),
  ),
  seed(
    'a key for reading shows an agent every tool',
    inTest('mcp/access', 'a key for reading sees no tool that writes, and calls none'),
    edit('mcp/tools', 'toolsFor', 'rights.has(needs)', 'true'),
  ),
  seed(
    'a session of a person is an agent',
    inTest('mcp/access', "a browser's session and a program without a key are refused"),
    edit('mcp/mcp-endpoint', 'Mcp.endpoint', "principal.personId === '' &&", ''),
  ),
  seed(
    'a page of any site uses the tools',
    inTest('mcp/access', 'pages of other sites are refused, and hosts that are not those of the server'),
    edit('mcp/mcp-endpoint', 'Mcp.#refuseOtherSites', '!isOwn &&', 'false &&'),
  ),
  seed(
    'a name that points to this machine is a host of the server',
    inTest('mcp/access', 'pages of other sites are refused, and hosts that are not those of the server'),
    edit('mcp/mcp-endpoint', 'Mcp.#refuseOtherSites', 'isLoopbackAddress(localAddress) &&', 'false &&'),
  ),
  seed(
    'the work of an agent never ends',
    inTest('mcp/agent-versions', 'the first change of an hour keeps a version, later ones name it'),
    edit('mcp/agent-versions', 'AgentVersions.#forget', 'now - lastMs < workMs', 'true'),
  ),
  seed(
    'an agent goes on with a version that could not be kept',
    inTest('mcp/agent-versions', 'if no version can be kept, the change is refused, and the next one tries again'),
    edit('mcp/agent-versions', 'isThere', 'return false;', 'return true;'),
  ),
];
