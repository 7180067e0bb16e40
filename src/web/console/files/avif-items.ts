/** The items with metadata in an AVIF: boxes of ISO/IEC 14496-12 and 23008-12, as far as they lead to EXIF and XMP. */

/** An item of type `Exif`, or of type `mime`, which is XMP. */
interface MetadataItem {
  readonly type: 'Exif' | 'mime';
  readonly start: number;
  readonly end: number;
}

interface Box {
  readonly type: string;
  /** After its head. */
  readonly start: number;
  readonly end: number;
}

/** Throws RangeError if lengths lead beyond the end. */
export function avifItems(bytes: Uint8Array<ArrayBuffer>): MetadataItem[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const meta = [...boxesIn(view, 0, view.byteLength)].find(({ type }) => type === 'meta');
  if (meta === undefined) return [];
  // Version and flags come first.
  const inside = [...boxesIn(view, meta.start + 4, meta.end)];
  const [infos, places, data] = ['iinf', 'iloc', 'idat'].map((name) => inside.find(({ type }) => type === name));
  if (infos === undefined || places === undefined) return [];
  const types = new Map(itemTypes(view, infos));
  return extents(view, places, data).flatMap(({ id, start, end }) => {
    const type = types.get(id);
    return type === 'Exif' || type === 'mime' ? [{ type, start, end: Math.min(end, view.byteLength) }] : [];
  });
}

function* boxesIn(view: DataView, from: number, to: number): Generator<Box> {
  for (let at = from; at + 8 <= to; ) {
    let [size, head] = [view.getUint32(at), 8];
    if (size === 1) [size, head] = [Number(view.getBigUint64(at + 8)), 16];
    if (size === 0) size = to - at;
    if (size < head) return;
    yield { type: nameAt(view, at + 4), start: at + head, end: Math.min(at + size, to) };
    at += size;
  }
}

const nameAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((place) => view.getUint8(at + place)));

/** Identifiers of items with their types. */
function* itemTypes(view: DataView, { start, end }: Box): Generator<readonly [number, string]> {
  const countBytes = view.getUint8(start) === 0 ? 2 : 4;
  for (const { type, start: at } of boxesIn(view, start + 4 + countBytes, end)) {
    const version = view.getUint8(at);
    if (type !== 'infe' || version < 2) continue;
    const idBytes = version === 2 ? 2 : 4;
    // After the identifier is the number of its protection.
    yield [numberAt(view, at + 4, idBytes), nameAt(view, at + 4 + idBytes + 2)];
  }
}

function numberAt(view: DataView, at: number, bytes: number): number {
  if (bytes === 0) return 0;
  if (bytes === 2) return view.getUint16(at);
  return bytes === 4 ? view.getUint32(at) : Number(view.getBigUint64(at));
}

/** Where items are in the file: those of one part. */
function extents(view: DataView, { start }: Box, data: Box | undefined): { id: number; start: number; end: number }[] {
  const version = view.getUint8(start);
  const sizes = view.getUint16(start + 4);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version === 0 ? 0 : sizes & 15;
  const idBytes = version < 2 ? 2 : 4;
  const count = numberAt(view, start + 6, idBytes);
  const found: { id: number; start: number; end: number }[] = [];
  let at = start + 6 + idBytes;
  const next = (bytes: number): number => {
    const value = numberAt(view, at, bytes);
    at += bytes;
    return value;
  };
  for (let n = 0; n < count; n++) {
    const id = next(idBytes);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2);
    const base = next(baseBytes) + (method === 1 ? (data?.start ?? 0) : 0);
    const parts = next(2);
    for (let part = 0; part < parts; part++) {
      next(indexBytes);
      const from = base + next(offsetBytes);
      const length = next(lengthBytes);
      if (parts === 1 && method < 2) found.push({ id, start: from, end: from + length });
    }
  }
  return found;
}
