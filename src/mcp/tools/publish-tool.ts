/** `publish`: makes the present state of a project public. */
import Type from 'typebox';
import { closed, project, tool } from '../agent-tool.ts';
import { projectPath } from '../maps-api.ts';

export const publish = tool({
  name: 'publish',
  title: 'Publish a map',
  description:
    'Makes the present state of a project public, at an address that stays, or brings its public map up to date. Everybody on the internet may see it then: ask before the first time.',
  needs: 'publish',
  effect: 'destroys',
  input: Type.Object(
    {
      project,
      name: Type.Optional(Type.String({ description: 'Readable last part of the address: 3 to 26 of a-z, 0-9 and hyphens' })),
      refresh: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Seconds between evaluations of live data: 5 to 86400, or 0 for a still map' }),
      ),
    },
    closed,
  ),
  async run({ api }, { project: id, ...given }) {
    const query = { fields: 'url,name,version,published,bytes,refresh' };
    return { structured: { data: await api.send('PUT', projectPath(id, '/publication'), given, { query }) } };
  },
});
