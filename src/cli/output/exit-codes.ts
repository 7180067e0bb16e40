/** Exit codes of commands; 0 is success. */
export const exitCodes = { failed: 1, usage: 2, damaged: 3 } as const;
