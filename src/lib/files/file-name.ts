/**
 * Names of files that every file system accepts. Device names on Windows, in any case and with any extension (`CON`, `nul.json`, `Aux .txt`). A file with such a name is not a file: data
 * written to it is printed, sent or lost.
 */
import { basename } from 'node:path';

const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *([.:].*)?$/i;

/** Whether Windows treats a name (without folders) as a device. */
export const isDeviceName = (name: string): boolean => device.test(name);

/** Throws if the platform treats the path of an output file as a device. */
export function refuseDevice(path: string, platform: NodeJS.Platform = process.platform): void {
  if (platform === 'win32' && isDeviceName(basename(path)))
    throw new Error(`${path} is a device name on Windows, so nothing was written. Choose another file name.`);
}

/** Maximum length of a name in a file name, in characters. */
const nameMax = 64;

/**
 * A file name that every file system accepts, without its extension: letters without accents, and digits.
 *
 * @param fallback for a name without any
 */
export function fileStem(name: string, fallback: string): string {
  const plain = name.slice(0, nameMax).normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const words = plain.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, nameMax);
  const stem = words.replaceAll(/^-|-$/g, '') || fallback;
  return `${isDeviceName(stem) ? `${fallback}-` : ''}${stem}`;
}
