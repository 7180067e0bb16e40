/** A QR code as one path of an SVG. */
import { encode } from 'uqr';

/** White modules around the code, which scanners need (ISO/IEC 18004). */
const quietZone = 4;

interface QrPath {
  /** Modules in a row, with the quiet zone. */
  readonly size: number;
  /** The black modules; one module is one unit. */
  readonly path: string;
}

/** The code of a text, with error correction M: 15 % of it may be damaged. */
export function qrPath(text: string): QrPath {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone });
  const rows = data.map((row, y) =>
    [...row.map(Number).join('').matchAll(/1+/g)].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  return { size, path: rows.flat().join('') };
}
