/** What a conversion does with options and members of a mapping that are left out; for the converter, and for forms that show it. */
export const conversionDefaults = {
  /** Of lines, in pixels. */
  lineWidth: 2,
  /** Of colours by value. */
  classes: 5,
  /** In pixels. */
  radius: { least: 3, most: 30 },
} as const;

/** Numbers of classes that colours by value may have. */
export const classesRange = { least: 2, most: 12 } as const;
