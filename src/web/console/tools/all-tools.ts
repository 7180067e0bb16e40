/** The first state of each tool. */
import { polygonTool } from './polygon-tool.ts';
import { selectTool } from './select-tool.ts';
import { spotTool } from './spot-tool.ts';
import type { ToolState } from './tool.ts';
import type { ToolName } from './tool-names.ts';

export const allTools: Readonly<Record<ToolName, ToolState>> = {
  select: selectTool,
  spot: spotTool,
  poly: polygonTool,
};
