/** The smallest bytes that are pictures, made by hand from the formats' descriptions. */

const bytesOf = (...numbers: number[]): Buffer => Buffer.from(numbers);
const big32 = (value: number): Buffer => bytesOf(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
const big16 = (value: number): Buffer => bytesOf(value >>> 8, value & 255);
const little16 = (value: number): Buffer => bytesOf(value & 255, value >>> 8);

/** @param rest bytes after the pixels: they make one picture differ from another */
export const png = (width = 3, height = 2, rest = ''): Buffer =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[big32(13), Buffer.from('IHDR'), big32(width), big32(height), bytesOf(8, 6, 0, 0, 0), big32(0)],
    ...[big32(1), Buffer.from('IDAT'), bytesOf(0), big32(0)],
    Buffer.from(rest),
  ]);

export const gif = (width = 3, height = 2, rest = ';'): Buffer =>
  Buffer.concat([
    ...[Buffer.from('GIF89a'), little16(width), little16(height), bytesOf(0, 0, 0)],
    ...[Buffer.from(','), bytesOf(0, 0, 0, 0), little16(width), little16(height), bytesOf(0, 2, 1, 0, 0)],
    Buffer.from(rest),
  ]);

export const jpeg = (width = 3, height = 2): Buffer =>
  Buffer.concat([
    bytesOf(0xff, 0xd8, 0xff, 0xe0),
    ...[big16(16), Buffer.from('JFIF\0'), bytesOf(1, 1, 0, 0, 1, 0, 1, 0, 0)],
    bytesOf(0xff, 0xc0),
    ...[big16(17), bytesOf(8), big16(height), big16(width), bytesOf(3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1)],
    ...[bytesOf(0xff, 0xda), big16(2), bytesOf(0), bytesOf(0xff, 0xd9)],
  ]);

/** @param content of the element `svg` */
export const svg = (content = '', attributes = 'width="3" height="2"'): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);
