/** Limits of previews that their description names. */

/** Maximum number of shapes. */
export const previewObjectsMax = 2_000;
