/** Whether a JPEG says where it was taken: a GPS directory in its EXIF data, or GPS members in its XMP data. */

const gpsTag = 0x8825;
const [startOfImage, app1, startOfScan] = [0xffd8, 0xffe1, 0xffda];

/** Whether the bytes are a JPEG with a location. Never throws: broken metadata that cannot be read counts as none. */
export function hasLocation(bytes: Uint8Array<ArrayBuffer>): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== startOfImage) return false;
  for (let at = 2; at + 4 <= view.byteLength; ) {
    const marker = view.getUint16(at);
    if (marker === 0xffff) {
      // A fill byte before a marker.
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (marker < 0xff00 || marker === startOfScan || length < 2) return false;
    const end = Math.min(at + 2 + length, view.byteLength);
    if (marker === app1 && isLocated(bytes.subarray(at + 4, end))) return true;
    at = end;
  }
  return false;
}

function isLocated(segment: Uint8Array<ArrayBuffer>): boolean {
  const text = new TextDecoder('latin1').decode(segment);
  return text.startsWith('Exif\0\0') ? hasGpsDirectory(segment.subarray(6)) : text.includes('GPSLatitude');
}

/** Whether a TIFF structure has a GPS directory that is not empty, in its first directory. */
function hasGpsDirectory(tiff: Uint8Array<ArrayBuffer>): boolean {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (view.byteLength < 8) return false;
  const isLittle = view.getUint16(0) === 0x4949;
  const countAt = (place: number): number => (place + 2 <= view.byteLength ? view.getUint16(place, isLittle) : 0);
  const first = view.getUint32(4, isLittle);
  for (let n = 0; n < countAt(first); n++) {
    const entry = first + 2 + 12 * n;
    if (entry + 12 > view.byteLength) return false;
    if (view.getUint16(entry, isLittle) === gpsTag) return countAt(view.getUint32(entry + 8, isLittle)) > 0;
  }
  return false;
}
