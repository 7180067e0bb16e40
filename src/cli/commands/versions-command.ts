/** `mapwright versions`: lists the versions of a project, keeps the present state, and restores one. */
import { ApiClient, clientOptions, jsonBody, jsonOf, listOf, needsProject } from '../api-client.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { jsonOption, optionalText, UsageError } from '../option-parsing.ts';
import { formatBytes, plural } from '../output/format-values.ts';
import { printableLine } from '../output/printable.ts';
import { withProgress } from '../output/progress.ts';
import { printJson } from '../output/stdout.ts';
import { printTable } from '../output/table.ts';

interface Version {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly kind: string;
  readonly bytes: number;
  readonly counts: Readonly<Record<string, number>>;
}

const listBytesMax = 64 * 1024 * 1024;
const projectBytesMax = 1024 * 1024 * 1024;
/** Characters of a name in the table. */
const nameCharactersMax = 40;

export const versionsCommand = command({
  ...commandOutlines.versions,
  positionals: { id: { type: 'string', demandOption: true, describe: 'Identifier of the project' } },
  options: {
    keep: optionalText('name', 'Keep the present state as a version of this name'),
    restore: optionalText('version', 'Bring the project back to the version of this identifier'),
    ...clientOptions,
    ...jsonOption,
  },
  examples: [
    ['versions 01a1fe79-c6f5-7073-bc78-97c123599c3d', 'newest first'],
    ['versions 01a1fe79-c6f5-7073-bc78-97c123599c3d --keep summer', 'to go back to it later'],
    [
      'versions 01a1fe79-c6f5-7073-bc78-97c123599c3d --restore 01a21416-5c2e-7131-9a4b-0b3d5a7c1e22',
      'in one change, which another restore undoes',
    ],
  ],
  needs: needsProject('versions'),
  notes: 'A restore keeps the state before as a version first.',
  async handler({ id, keep, restore, url, key, json }) {
    if (keep !== undefined && restore !== undefined)
      throw new UsageError('Give --keep or --restore, not both: a restore keeps the state before by itself.');
    const client = new ApiClient({ url, key });
    const route = `/projects/${encodeURIComponent(id)}`;
    if (keep !== undefined) return await keepState(client, route, keep, json);
    if (restore !== undefined) return await restoreState(client, route, restore, json);
    const versions = await listOf<Version>(client, `${route}/versions`, listBytesMax);
    if (json) return printJson(versions);
    await printVersions(versions, id);
  },
});

async function keepState(client: ApiClient, route: string, name: string, json: boolean): Promise<void> {
  const kept = await withProgress('Keeping the state', async () => {
    const res = await client.ask('POST', `${route}/versions`, jsonBody({ name }));
    return (await jsonOf(res, listBytesMax)) as Version;
  });
  if (json) return printJson(kept);
  process.stdout.write(`Kept as version ${kept.id}: ${countsOf(kept)}, ${formatBytes(kept.bytes)}.\n`);
}

async function restoreState(client: ApiClient, route: string, versionId: string, json: boolean): Promise<void> {
  const restored = await withProgress('Restoring', async () => {
    const res = await client.ask('POST', `${route}/versions/${encodeURIComponent(versionId)}/restore`);
    return (await jsonOf(res, projectBytesMax)) as { readonly id: string; readonly name: string };
  });
  if (json) return printJson(restored);
  const versions = await listOf<Version>(client, `${route}/versions?limit=10`, listBytesMax);
  const before = versions.find(({ kind }) => kind === 'before-restore');
  const undo =
    before === undefined
      ? ''
      : `The state before is version ${before.id}. To undo: npx mapwright versions ${restored.id} --restore ${before.id}\n`;
  process.stdout.write(`"${printableLine(restored.name)}" is as in version ${printableLine(versionId)} again.\n${undo}`);
}

async function printVersions(versions: readonly Version[], id: string): Promise<void> {
  if (versions.length === 0) {
    process.stdout.write(
      `The project has no versions. Keep its state with: npx mapwright versions ${printableLine(id)} --keep NAME\n`,
    );
    return;
  }
  const rows = versions.map((version) => [
    version.id,
    version.created,
    version.kind,
    printableLine(version.name, nameCharactersMax),
    countsOf(version),
    formatBytes(version.bytes),
  ]);
  await printTable(['version', 'created', 'kind', 'name', 'content', 'size'], rows);
}

/** What a version has most of: its artboards, objects and files. */
function countsOf({ counts }: Version): string {
  return [
    plural(counts['artboards'] ?? 0, 'artboard'),
    plural(counts['objects'] ?? 0, 'object'),
    plural(counts['files'] ?? 0, 'file'),
  ].join(', ');
}
