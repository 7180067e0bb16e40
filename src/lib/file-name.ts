/**
 * Names that are no files on Windows: devices, in any case and with any extension (`CON`, `nul.json`, `Aux .txt`). What is written to one is
 * printed, sent or lost.
 */
import { basename } from 'node:path';

const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *([.:].*)?$/i;

/** Whether Windows takes a name, without folders, for a device. */
export const isDeviceName = (name: string): boolean => device.test(name);

/** Throws for a path that the system takes for a device, where a file is to be written. */
export function refuseDevice(path: string, platform: NodeJS.Platform = process.platform): void {
  if (platform === 'win32' && isDeviceName(basename(path)))
    throw new Error(`${path} is the name of a device on Windows, not of a file: nothing was written. Name another file.`);
}
