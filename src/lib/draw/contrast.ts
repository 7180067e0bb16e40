/** Contrast of colours by the luminance of WCAG. */

/** Says whether white has more contrast on a colour than black. @param rgb channels from 0 to 1 */
export function isDark(rgb: readonly number[]): boolean {
  const [red = 0, green = 0, blue = 0] = rgb.map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Lighter to darker, with 0.05 of stray light in both.
  return (luminance + 0.05) ** 2 < 1.05 * 0.05;
}
