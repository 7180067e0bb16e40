/** What the command's exit code says; 0 is done. */
export const exitCodes = { failed: 1, usage: 2, damaged: 3 } as const;
