/** The blend modes in groups, those that most maps use first. */
export const blendGroups = {
  common: ['normal', 'multiply', 'screen', 'overlay', 'darken', 'lighten'],
  light: ['add', 'subtract', 'divide', 'color-dodge', 'color-burn', 'linear-dodge', 'linear-burn', 'min', 'max', 'erase'],
  contrast: ['hard-light', 'soft-light', 'vivid-light', 'linear-light', 'pin-light', 'hard-mix'],
  other: [
    ...['difference', 'exclusion', 'negation', 'saturation', 'color', 'luminosity'],
    ...['inherit', 'none', 'normal-npm', 'add-npm', 'screen-npm'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
