/** The colour of letters on the colour of a person. */

/** The share of light from which black letters are easier to read than white ones. */
const lightFrom = 0.18;

/** `#000` or `#fff`, which is easier to read on a colour (relative luminance of WCAG 2, with a power of 2.2). @param color `#` and six hex digits */
export function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < lightFrom ? '#fff' : '#000';
}
