/** The tools of the editor, in the order of the toolbar, with their keys. The table of `editor/keyboard.ts` has the keys that are taken. */
export const toolKeys = { select: 'v', spot: 's', poly: 'p', rectangle: 'r', circle: 'c', split: 'x' } as const;

export type ToolName = keyof typeof toolKeys;

export const toolNames = Object.keys(toolKeys) as ToolName[];
