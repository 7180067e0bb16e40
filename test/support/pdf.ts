/** Reads PDF files with the tools of Poppler: their texts, the size of their pages, and the colours of the rendered pages. */
import { execFileSync } from 'node:child_process';

/** For the option `skip` of a test. */
export const skipWithoutPdfTools: string | false = (() => {
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'there is no pdftoppm: the Debian package poppler-utils has it';
  }
})();

const run = (program: string, args: readonly string[], input: Buffer): Buffer =>
  execFileSync(program, args, { input, maxBuffer: 256 * 1024 * 1024, stdio: ['pipe', 'pipe', 'ignore'] });

/** The texts of each page, laid out as on paper. */
export function textsOf(pdf: Buffer): string[] {
  const pages = run('pdftotext', ['-layout', '-', '-'], pdf).toString('utf8').split('\f');
  return pages.slice(0, -1);
}

/** The size of the first page, in millimetres. */
export function sizeOf(pdf: Buffer): { readonly width: number; readonly height: number } {
  const [, width = '', height = ''] = /^Page size:\s+([\d.]+) x ([\d.]+) pts/m.exec(run('pdfinfo', ['-'], pdf).toString()) ?? [];
  const millimetres = (points: string): number => Math.round((Number(points) / 72) * 25.4);
  return { width: millimetres(width), height: millimetres(height) };
}

export interface Rendered {
  readonly width: number;
  readonly height: number;
  /** `red,green,blue` of a pixel. */
  at(x: number, y: number): string;
}

/** A rendered page. @param number from 1 @param dpi dots per inch */
export function rendered(pdf: Buffer, number: number, dpi: number): Rendered {
  const ppm = run('pdftoppm', ['-f', `${number}`, '-l', `${number}`, '-r', `${dpi}`, '-'], pdf);
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.subarray(0, 64).toString('latin1'));
  if (header === null) throw new Error('pdftoppm gave no picture');
  const [width, height] = [Number(header[1]), Number(header[2])];
  const pixels = ppm.subarray(header[0].length);
  return { width, height, at: (x, y) => [...pixels.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)].join() };
}

/** How many pixels have a colour, by the colour, below a line of the page. */
export function coloursBelow(page: Rendered, from: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let y = Math.round(from); y < page.height; y++)
    for (let x = 0; x < page.width; x++) counts.set(page.at(x, y), (counts.get(page.at(x, y)) ?? 0) + 1);
  return counts;
}
