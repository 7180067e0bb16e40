/** The pictures of README and docs, which tests take. `npm run pictures` writes all of them again; look at them before you commit them. */
import fs from 'node:fs';
import path from 'node:path';
import { webpOf } from './browser.ts';
import { projectRoot } from './project.ts';

const folder = path.join(projectRoot(import.meta.dirname), 'docs', 'images');

/** A README with larger pictures is slow on a phone. */
export const pictureBytesMax = 150_000;

/**
 * Writes a picture if `UPDATE_PICTURES=1`. Throws if it is missing or too large.
 * @param name path below docs/images, without its ending
 * @param take the picture as PNG
 */
export async function keepPicture(name: string, take: () => Promise<Buffer>, bytesMax = pictureBytesMax): Promise<void> {
  const file = path.join(folder, `${name}.webp`);
  if (process.env['UPDATE_PICTURES'] === '1') {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, await webpOf(await take()));
  }
  const { size } = fs.statSync(file);
  if (size > bytesMax) throw new Error(`docs/images/${name}.webp has ${size} bytes, at most ${bytesMax}.`);
}
