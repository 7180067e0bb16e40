/** Rot, one bit at a time. */
import fs from 'node:fs';

/** One bit of a file, in place: a server may have it open, and write to it. */
export function flip(file: string, at: number): void {
  const fd = fs.openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  fs.readSync(fd, byte, 0, 1, at);
  byte.writeUInt8(byte.readUInt8() ^ 1);
  fs.writeSync(fd, byte, 0, 1, at);
  fs.closeSync(fd);
}
