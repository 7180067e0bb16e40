/** Places texts: what is typed at a place is written there. */
import { placeTool } from './spot-tool.ts';

export const textTool = placeTool((at) => ({ do: 'write', at }));
