/** The first state of each tool. */
import { circleTool } from './circle-tool.ts';
import { polygonTool } from './polygon-tool.ts';
import { rectangleTool } from './rectangle-tool.ts';
import { selectTool } from './select-tool.ts';
import { splitTool } from './split-tool.ts';
import { spotTool } from './spot-tool.ts';
import type { ToolState } from './tool.ts';
import type { ToolName } from './tool-names.ts';

export const allTools: Readonly<Record<ToolName, ToolState>> = {
  select: selectTool,
  spot: spotTool,
  poly: polygonTool,
  rectangle: rectangleTool,
  circle: circleTool,
  split: splitTool,
};
