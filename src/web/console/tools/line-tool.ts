/** Draws lines: polygons that are left open. */
import { texts } from '../console-texts.ts';
import { cornersTool } from './polygon-tool.ts';

export const lineTool = cornersTool({
  isClosed: false,
  leavesSelection: true,
  finish: (coords) => [
    coords.length < 2 ? { do: 'notice', text: texts.tools.twoCorners } : { do: 'create', shape: { coords, closed: false } },
  ],
});
