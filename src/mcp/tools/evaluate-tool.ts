/** `evaluate`: what data sources, variables and actions make of a project now. */
import Type from 'typebox';
import { closed, project, tool } from '../agent-tool.ts';
import { cut, resultBytes } from '../fit.ts';
import { projectPath } from '../maps-api.ts';

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
    const found = await api.send<unknown>('POST', projectPath(id, '/evaluate'), given);
    return { structured: { data: cut(found, resultBytes.usual) } };
  },
});
