/** `problems`: what of a project refers to nothing, or is not published. */
import Type from 'typebox';
import { closed, project, tool } from '../agent-tool.ts';
import { fitting, resultBytes } from '../fit.ts';
import { projectPath } from '../maps-api.ts';

const problemsMax = '100';

export const problems = tool({
  name: 'problems',
  title: 'List problems',
  description:
    'Lists what is wrong in a project: references to nothing, unknown icons and map tiles, and parts of the public map that do not fit. Empty if nothing is. Look here before you publish.',
  needs: 'read',
  effect: 'reads',
  input: Type.Object({ project }, closed),
  async run({ api }, { project: id }) {
    const found = await api.get<readonly unknown[]>(projectPath(id, '/problems'), { limit: problemsMax });
    return { structured: { data: fitting(found, resultBytes.usual) } };
  },
});
