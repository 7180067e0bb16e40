/** The texts of the dialog of the popup editor, which the console loads; the frame has its own. */
export const panelTexts = {
  edit: 'Edit text with preview',
  view: 'Show text with preview',
  title: 'Text of the popup',
  frame: 'Editor of the popup',
  done: 'Done',
  discard: 'Discard changes',
  tooMany: (name: string, most: number) =>
    `${name} was not uploaded. The editor takes ${most} pictures while it is open: close it and open it again.`,
  uploadedLate: (name: string) => `${name} was uploaded after the editor was closed. It is in the library, and not in the text.`,
} as const;
