/** A project with data, and evaluations of it, for tests of what data do in the console. */
import type { Mapwright } from '../support/mapwright.ts';
import { type Sample, sampleProject } from './console-page.ts';

export interface LiveSample extends Sample {
  readonly source: string;
  /** Variables by name. */
  readonly variables: Readonly<Record<'Taken' | 'Share' | 'Heat' | 'Each guest' | 'Guest', string>>;
}

const path = (...keys: string[]) => ({
  nodes: keys.map((key, at) => ({ id: `n${at}`, key, ...(at === 0 ? {} : { parent: `n${at - 1}` }) })),
  node_id: `n${keys.length - 1}`,
  filters: [],
  collapsed_nodes: [],
});

/** The sample with a data source without address, and variables of what it says. */
export async function liveSample(mapwright: Mapwright): Promise<LiveSample> {
  const sample = await sampleProject(mapwright);
  const add = async (collection: string, body: object): Promise<string> =>
    (await mapwright.post(`/projects/${sample.project}/${collection}`, body)).shown.id;
  const source = await add('data-sources', { name: 'Sensors' });
  const taken = await add('variables', { name: 'Taken', type: 'primitive', data_source_id: source, data_path: path('taken') });
  const share = await add('variables', { name: 'Share', type: 'expression', expression: '{Taken} / 50 * 100' });
  const heat = await add('variables', {
    name: 'Heat',
    type: 'interpolate-color',
    color_interpolation_factor_variable_id: share,
    color_interpolation_colors: ['#00ff00', '#ff0000'],
  });
  const each = await add('variables', {
    name: 'Each guest',
    type: 'iterator',
    data_source_id: source,
    data_path: path('guests'),
  });
  const guest = await add('variables', {
    name: 'Guest',
    type: 'primitive-from-iterator',
    iterator_id: each,
    data_path: path('name'),
  });
  return { ...sample, source, variables: { Taken: taken, Share: share, Heat: heat, 'Each guest': each, Guest: guest } };
}

/** Pushes a response of the data source, as a program would. */
export async function push(mapwright: Mapwright, { project, source }: LiveSample, body: unknown): Promise<void> {
  const { status, text } = await mapwright.ask('PUT', `/v1/projects/${project}/data-sources/${source}/response`, { body });
  if (status !== 204) throw new Error(`${status} ${text}`);
}
