/** `versions`: states of a project that are kept: list and compare them; with a key for writing, keep and restore one, too. */
import Type, { type TObject } from 'typebox';
import { isUuid } from '../../lib/text/ids.ts';
import { closed, project, type Tool, type ToolResult } from '../agent-tool.ts';
import { cut, fitting, resultBytes } from '../fit.ts';
import { type MapsApi, projectPath, wrongArgument } from '../maps-api.ts';

const reading = ['list', 'compare'] as const;
const writing = ['keep', 'restore'] as const;
const listedMax = '50';

function inputOf(isWriting: boolean) {
  const names: Action[] = isWriting ? [...reading, ...writing] : [...reading];
  return Type.Object(
    {
      project,
      action: Type.Enum(names, {
        description: `list: newest first. compare: what differs from the version to now.${isWriting ? ' keep: the present state. restore: back to the version; the state before becomes a version, too.' : ''}`,
      }),
      version: Type.Optional(Type.String({ description: 'Identifier of a version, or its exact name: then the newest one' })),
      ...(isWriting ? { name: Type.Optional(Type.String({ description: 'With keep: its name' })) } : {}),
    },
    closed,
  );
}

type Action = (typeof reading)[number] | (typeof writing)[number];
type Args = { readonly project: string; readonly action: Action; readonly version?: string; readonly name?: string };

const inputs = { reading: inputOf(false), writing: inputOf(true) } as const;

export const versions: Tool = {
  name: 'versions',
  title: 'Versions of a project',
  description: 'States of a project that were kept: by people, by imports and publishing, and before the work of agents.',
  needs: 'read',
  input: (rights): TObject => (rights.has('write') ? inputs.writing : inputs.reading),
  effect: (rights) => (rights.has('write') ? 'destroys' : 'reads'),
  run: ({ api }, args) => actions[(args as Args).action](api, args as Args),
};

const fields = { fields: 'name,created,kind,key_label' };

const actions: Readonly<Record<Action, (api: MapsApi, args: Args) => Promise<ToolResult>>> = {
  async list(api, args) {
    const query = { ...fields, limit: listedMax };
    return { structured: { data: fitting(await api.get<readonly unknown[]>(pathOf(args), query), resultBytes.usual) } };
  },
  async compare(api, args) {
    return { structured: { data: cut(await api.get(`${await versionPath(api, args)}/changes`), resultBytes.usual) } };
  },
  async keep(api, args) {
    return { structured: { data: await api.send('POST', pathOf(args), { name: args.name ?? '' }, { query: fields }) } };
  },
  async restore(api, args) {
    const path = `${await versionPath(api, args)}/restore`;
    const restored = await api.send('POST', path, undefined, { query: { fields: 'name' } });
    return {
      structured: { data: restored, advice: 'What is public stays as it was published: publish again to bring it up to date.' },
    };
  },
};

const pathOf = ({ project: id }: Args): string => projectPath(id, '/versions');

async function versionPath(api: MapsApi, args: Args): Promise<string> {
  const { version } = args;
  if (version === undefined) throw wrongArgument('version', `must name the version to ${args.action}: list has them.`);
  const [found] = isUuid(version)
    ? [{ id: version }]
    : await api.get<readonly { id: string }[]>(pathOf(args), { name: version, limit: '1' });
  if (found === undefined) throw wrongArgument('version', 'names no version of this project: list has them.');
  return `${pathOf(args)}/${encodeURIComponent(found.id)}`;
}
