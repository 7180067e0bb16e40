/** The tools of the editor, in the order of the toolbar, with their keys. The compiler refuses a key that is taken (`commands/keyboard.ts`). */
export const toolKeys = {
  select: 'v',
  spot: 's',
  text: 't',
  line: 'l',
  poly: 'p',
  rectangle: 'r',
  circle: 'c',
  hole: 'h',
  split: 'x',
} as const;

export type ToolName = keyof typeof toolKeys;

export const toolNames = Object.keys(toolKeys) as ToolName[];
