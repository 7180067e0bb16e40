/** The first state of each tool. */
import { circleTool } from './circle-tool.ts';
import { holeTool } from './hole-tool.ts';
import { lineTool } from './line-tool.ts';
import { polygonTool } from './polygon-tool.ts';
import { rectangleTool } from './rectangle-tool.ts';
import { selectTool } from './select-tool.ts';
import { splitTool } from './split-tool.ts';
import { spotTool } from './spot-tool.ts';
import { textTool } from './text-tool.ts';
import type { ToolState } from './tool.ts';
import type { ToolName } from './tool-names.ts';

export const allTools: Readonly<Record<ToolName, ToolState>> = {
  select: selectTool,
  spot: spotTool,
  text: textTool,
  line: lineTool,
  poly: polygonTool,
  rectangle: rectangleTool,
  circle: circleTool,
  hole: holeTool,
  split: splitTool,
};
