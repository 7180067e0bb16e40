/** `picture`: an artboard as an image. */
import Type from 'typebox';
import { closed, project, tool } from '../agent-tool.ts';
import { artboardsOf, chosenArtboard, listPath } from '../collections.ts';

const widths = { minimum: 64, maximum: 1024, usual: 640 } as const;

export const picture = tool({
  name: 'picture',
  title: 'Look at an artboard',
  description:
    'Draws an artboard as a PNG: shapes and colours on a plain background, without texts, pictures and map tiles. Look at it after changes.',
  needs: 'read',
  effect: 'reads',
  input: Type.Object(
    {
      project,
      artboard: Type.Optional(Type.String({ description: 'Identifier; not needed if there is only one' })),
      width: Type.Optional(
        Type.Integer({ minimum: widths.minimum, maximum: widths.maximum, description: `Pixels; default ${widths.usual}` }),
      ),
    },
    closed,
  ),
  async run({ api }, { project: id, artboard, width = widths.usual }) {
    const { id: chosen } = chosenArtboard(await artboardsOf(api, id), artboard);
    const path = `${listPath(id, 'artboard')}/${chosen}/preview.png`;
    const { bytes } = await api.ask('GET', path, { query: { width: `${width}` } });
    return { structured: { data: { artboard: chosen, width } }, picture: bytes };
  },
});
