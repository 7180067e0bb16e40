/** `evaluate`: what data sources, variables and actions make of a project now. */
import Type from 'typebox';
import { closed, project, tool } from '../agent-tool.ts';
import { type Item, listPath } from '../collections.ts';
import { cut, resultBytes } from '../fit.ts';
import { type MapsApi, projectPath, wrongArgument } from '../maps-api.ts';

const sourcesMax = 1000;

const input = Type.Object(
  {
    project,
    responses: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Responses by identifier of the data source, instead of fetching them: to try',
        },
      ),
    ),
    now: Type.Optional(Type.String({ description: 'The time that now() returns, RFC 3339' })),
  },
  closed,
);

export const evaluate = tool({
  name: 'evaluate',
  title: 'Evaluate live data',
  description:
    'Shows what the data sources, variables and actions of a project make of its objects, without a change: values, changed members, problems, items and objects without a partner.',
  needs: 'read',
  effect: 'reads',
  input,
  async run({ api }, { project: id, ...given }) {
    if (given.responses !== undefined) await refuseUnknown(api, id, Object.keys(given.responses));
    const found = await api.send<object>('POST', projectPath(id, '/evaluate'), given);
    const failing =
      given.responses === undefined ? await api.get<readonly Failing[]>('/failing-sources', { project_id: id }) : [];
    const sources = failing.map(({ data_source_id, detail, since }) => ({ id: data_source_id, detail, since }));
    const data = sources.length === 0 ? found : { failing_sources: sources, ...found };
    return { structured: { data: cut(data, resultBytes.usual) } };
  },
});

interface Failing {
  readonly data_source_id: string;
  readonly detail: string;
  readonly since: string;
}

/** The API ignores responses of what is no data source. */
async function refuseUnknown(api: MapsApi, project: string, ids: readonly string[]): Promise<void> {
  const { items } = await api.page<Item>(listPath(project, 'data_source'), { fields: 'id', limit: `${sourcesMax}` });
  if (ids.some((id) => items.every((each) => each.id !== id)))
    throw wrongArgument('responses', 'must have identifiers of data sources of this project as names: read the outline.');
}
