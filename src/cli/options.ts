/** Options that more than one command has. */

export const dataOption = {
  data: { type: 'string', default: 'data/store', describe: 'Folder in which everything is kept' },
} as const;

export const jsonOption = {
  json: { type: 'boolean', default: false, describe: 'Print JSON, for programs' },
} as const;

/** A number with a lower bound, checked when the command line is read. */
export function atLeast(minimum: number, name: string) {
  return (value: number): number => {
    if (!Number.isFinite(value) || value < minimum) throw new Error(`--${name} must be a number of at least ${minimum}`);
    return value;
  };
}
