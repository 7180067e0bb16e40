/** Recognition of pictures by their bytes: formats, dimensions, refusals, and hostile files. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { problemOf } from '../../src/http/problem.ts';
import { PictureRecognizer } from '../../src/lib/pictures/picture-recognizer.ts';
import { contradicts, faultTexts, pictureTypes, type Recognized } from '../../src/lib/pictures/picture-types.ts';
import { recognizePicture } from '../../src/lib/pictures/recognize.ts';
import fc from '../support/fast-check.ts';
import { temporaryFolder } from '../support/process.ts';

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number): Buffer => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
const little = (value: number): Buffer => u16(value).reverse();
const join = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));

const chunk = (name: string, content: Buffer): Buffer => join(u32(content.length), name, content, u32(0));
const pngHead = (width: number, height: number): Buffer =>
  join('\x89PNG\r\n\x1a\n', chunk('IHDR', join(u32(width), u32(height), '\x08\x02\0\0\0')));
const png = (width: number, height: number): Buffer => join(pngHead(width, height), chunk('IDAT', join('\0')));
const gifHead = (width: number, height: number): Buffer => join('GIF89a', little(width), little(height), '\0\0\0');
const gifImage = join(',', Buffer.alloc(9), '\x02\x01\0\0');
const gif = (width: number, height: number, more = ''): Buffer => join(gifHead(width, height), more, gifImage);
const segment = (marker: number, content: Buffer): Buffer => join(Buffer.from([0xff, marker]), u16(content.length + 2), content);
const frame = (width: number, height: number): Buffer => segment(0xc0, join('\x08', u16(height), u16(width), '\x01\x01\x11\0'));
const exif = (orientation: number): Buffer =>
  segment(0xe1, join('Exif\0\0MM\0*', u32(8), u16(1), u16(274), u16(3), u32(1), u16(orientation), u16(0), u32(0)));
const jpegHead = (width: number, height: number, ...before: Buffer[]): Buffer =>
  join('\xff\xd8', segment(0xe0, join('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')), ...before, frame(width, height));
const jpeg = (width: number, height: number, ...before: Buffer[]): Buffer =>
  join(jpegHead(width, height, ...before), segment(0xda, join('\x01\x01\0\0\x3f\0')), '\0\xff\xd9');
const webp = (chunk: string, data: Buffer): Buffer =>
  join('RIFF', Buffer.from([22 + data.length, 0, 0, 0]), 'WEBP', chunk, Buffer.from([data.length, 0, 0, 0]), data);
const webpLossy = (width: number, height: number): Buffer =>
  webp('VP8 ', join('\x10\0\0\x9d\x01\x2a', little(width), little(height), '\0\0'));
const webpExtendedHead = (width: number, height: number): Buffer =>
  webp('VP8X', join('\x10\0\0\0', little(width - 1), '\0', little(height - 1), '\0'));
const webpExtended = (width: number, height: number): Buffer =>
  join(webpExtendedHead(width, height), 'VP8L', Buffer.from([6, 0, 0, 0]), '\x2f\0\0\0\0\0');
const box = (name: string, ...parts: (string | Buffer)[]): Buffer => {
  const content = join(...parts);
  return join(u32(content.length + 8), name, content);
};
const meta = (width: number, height: number): Buffer =>
  box('meta', u32(0), box('iprp', box('ipco', box('ispe', u32(0), u32(width), u32(height)))));
const avifHead = (width: number, height: number, brands = 'avif\0\0\0\0mif1miaf', before = join()): Buffer =>
  join(box('ftyp', brands), before, meta(width, height));
const avif = (width: number, height: number, brands?: string, before?: Buffer): Buffer =>
  join(avifHead(width, height, brands, before), box('mdat', '\0'));
const svg = (attributes: string, content = ''): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);

const is = (type: string, width: number, height: number): Recognized => ({ type, width, height }) as Recognized;

/** As bytes and as a file. */
function recognizedIn(t: Test): (bytes: Buffer) => Recognized {
  const file = path.join(temporaryFolder(t), 'picture.txt');
  return (bytes) => {
    fs.writeFileSync(file, bytes);
    const found = recognizePicture(file);
    t.strictSame(recognizePicture(bytes), found, 'bytes and file are recognized alike');
    return found;
  };
}

t.test('each format is recognized by its bytes, with its dimensions', async (t) => {
  const recognized = recognizedIn(t);
  const rows: [Buffer, Recognized][] = [
    [png(640, 480), is('image/png', 640, 480)],
    [gif(3, 2), is('image/gif', 3, 2)],
    [jpeg(640, 480), is('image/jpeg', 640, 480)],
    [webpLossy(640, 480), is('image/webp', 640, 480)],
    [webpExtended(640, 480), is('image/webp', 640, 480)],
    [avif(640, 480), is('image/avif', 640, 480)],
    [avif(640, 480, 'mif1\0\0\0\0avifmiaf'), is('image/avif', 640, 480)],
    [svg('width="640" height="480"'), is('image/svg+xml', 640, 480)],
  ];
  for (const [bytes, wanted] of rows) t.strictSame(recognized(bytes), wanted);
  t.strictSame(new Set(rows.map(([, found]) => 'type' in found && found.type)), new Set(pictureTypes));
});

t.test('a header without pixels is refused, and a picture that ends later is not', async (t) => {
  const recognized = recognizedIn(t);
  const palette = join('GIF89a', little(3), little(2), '\x80\0\0', Buffer.alloc(6));
  const comment = join('!\xfe\x05hello\0');
  const heads: [what: string, head: Buffer, pixels: Buffer][] = [
    ['PNG', pngHead(3, 2), chunk('IDAT', join('\0'))],
    ['PNG with a text', join(pngHead(3, 2), chunk('tEXt', join('a\0b'))), chunk('IDAT', join('\0'))],
    ['PNG with an empty IDAT', join(pngHead(3, 2), chunk('IDAT', join())), chunk('IDAT', join('\0'))],
    ['GIF', gifHead(3, 2), gifImage],
    ['GIF with a palette and a comment', join(palette, comment), gifImage],
    ['JPEG', jpegHead(3, 2), join('\xff', segment(0xda, join('\x01\x01\0\0\x3f\0')), '\0')],
    ['JPEG with a scan header', join(jpegHead(3, 2), segment(0xda, join('\x01\x01\0\0\x3f\0'))), join('\0')],
    ['WebP, extended', webpExtendedHead(3, 2), join('VP8L', Buffer.from([6, 0, 0, 0]), '\x2f\0\0\0\0\0')],
    ['WebP', webpLossy(3, 2).subarray(0, 30), join('\0')],
    ['AVIF', avifHead(3, 2), box('mdat', '\0')],
    ['AVIF with an empty box', join(avifHead(3, 2), box('mdat')), box('mdat', '\0')],
  ];
  for (const [what, head, pixels] of heads) {
    t.strictSame(recognized(head), { fault: 'no-pixels' }, what);
    if (what !== 'AVIF with an empty box') t.match(recognized(join(head, pixels)), { width: 3, height: 2 }, what);
  }
  t.strictSame(recognized(join(gifHead(3, 2), ';')), { fault: 'no-pixels' }, 'a GIF without an image');
  t.strictSame(recognized(join(jpegHead(3, 2), '\xff\xd9')), { fault: 'no-pixels' }, 'a JPEG without a scan');
});

t.test('a JPEG has the dimensions that are displayed', async (t) => {
  for (const orientation of [1, 2, 3, 4])
    t.strictSame(recognizePicture(jpeg(40, 30, exif(orientation))), is('image/jpeg', 40, 30));
  for (const orientation of [5, 6, 7, 8])
    t.strictSame(recognizePicture(jpeg(40, 30, exif(orientation))), is('image/jpeg', 30, 40));
});

t.test('dimensions after a long header are found', async (t) => {
  const recognized = recognizedIn(t);
  const profile = Array.from({ length: 20 }, () => segment(0xe2, Buffer.alloc(65_000, 'x')));
  t.strictSame(recognized(jpeg(640, 480, ...profile)), is('image/jpeg', 640, 480));
  t.strictSame(recognized(avif(640, 480, 'avif\0\0\0\0', box('mdat', Buffer.alloc(1_000_000)))), is('image/avif', 640, 480));
  t.strictSame(recognized(join(png(640, 480), Buffer.alloc(1_000_000))), is('image/png', 640, 480));
});

t.test('other files are refused', async (t) => {
  const recognized = recognizedIn(t);
  const rows: [string | Buffer, string][] = [
    ['', 'other-type'],
    ['hello', 'other-type'],
    ['%PDF-1.7', 'other-type'],
    ['BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0', 'other-type'],
    ['II*\0\x08\0\0\0', 'other-type'],
    ['P6 3 2 255\n', 'other-type'],
    [avif(4, 4, 'heic\0\0\0\0mif1heic'), 'other-type'],
    [avif(4, 4, 'isom\0\0\0\0mp42'), 'other-type'],
    ['<!DOCTYPE html><html><svg></svg></html>', 'other-type'],
    ['<html xmlns="http://www.w3.org/1999/xhtml"/>', 'other-type'],
    ['<svg width="1" height="1"/>', 'other-type'],
    ['<svg xmlns="urn:x" width="1" height="1"/>', 'other-type'],
    [`xPNG\r\n\x1a\n${png(1, 1).toString('latin1').slice(8)}`, 'other-type'],
    ['\x89PNG\r\n\x1a\n', 'broken'],
    ['\xff\xd8\xff', 'broken'],
    ['GIF89a', 'broken'],
    [avif(4, 4).subarray(0, 40), 'broken'],
    [jpeg(4, 4).subarray(0, 24), 'broken'],
    [webpLossy(4, 4).subarray(0, 24), 'broken'],
    [webp('VP8!', Buffer.alloc(10)), 'broken'],
    [svg('width="1" height="1"', '<g></svg>'), 'broken'],
    [join('<svg xmlns="http://www.w3.org/2000/svg">\xff</svg>'), 'broken'],
    ['<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">', 'broken'],
    [png(0, 4), 'no-dimensions'],
    [jpeg(4, 0), 'no-dimensions'],
    [gif(0, 0), 'no-dimensions'],
    [avif(0, 4), 'no-dimensions'],
    [svg(''), 'no-dimensions'],
    [svg('width="0" height="4"'), 'no-dimensions'],
    [svg('width="100%" height="100%"'), 'no-dimensions'],
  ];
  for (const [content, fault] of rows)
    t.strictSame(recognized(join(content)), { fault }, JSON.stringify(content.toString('latin1').slice(0, 60)));
  for (const text of Object.values(faultTexts)) t.match(text, /^[A-Z].*\.$/);
});

t.test('more than 200 megapixels are refused in each format', async (t) => {
  t.strictSame(recognizePicture(png(20_000, 10_000)), is('image/png', 20_000, 10_000));
  const large = [
    png(20_000, 10_001),
    jpeg(65_535, 65_535),
    gif(65_535, 65_535),
    webpLossy(16_383, 16_383),
    webpExtended(65_536, 65_536),
  ];
  const larger = [png(0x7fffffff, 0x7fffffff), avif(0xffffffff, 0xffffffff), svg('width="1e9" height="1e9"')];
  for (const bytes of [...large, ...larger]) t.strictSame(recognizePicture(bytes), { fault: 'too-many-pixels' });
});

t.test('an SVG has the dimensions of its attributes or of its viewBox', async (t) => {
  const rows: [string, number, number][] = [
    ['width="10" height="20"', 10, 20],
    ['width="10px" height=" 20.4 "', 10, 20],
    ['width="1in" height="25.4mm"', 96, 96],
    ['width="2.54cm" height="72pt"', 96, 96],
    ['width="6pc" height="1e2"', 96, 100],
    ['width=".2" height="20"', 1, 20],
    ['viewBox="0 0 30 40"', 30, 40],
    ['viewBox=" -5,-5 , 30,40 "', 30, 40],
    ['width="100%" height="100%" viewBox="0 0 30 40"', 30, 40],
    ['width="auto" height="5em" viewBox="0 0 30 40"', 30, 40],
    ['width="60" viewBox="0 0 30 40"', 60, 80],
    ['height="80" viewBox="0 0 30 40"', 60, 80],
    ['width="10" height="20" viewBox="0 0 0 0"', 10, 20],
  ];
  for (const [attributes, width, height] of rows)
    t.strictSame(recognizePicture(svg(attributes)), is('image/svg+xml', width, height), attributes);
  for (const attributes of [
    'viewBox="0 0 30"',
    'viewBox="0 0 0 40"',
    'viewBox="a b c d"',
    'width="5" viewBox=""',
    `width="${'1'.repeat(1_000_000)}" height="5"`,
    'width="-5" height="5"',
  ])
    t.strictSame(recognizePicture(svg(attributes)), { fault: 'no-dimensions' }, attributes);
});

t.test('an SVG is read in the encoding that it names', async (t) => {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="5" height="6"><title>Grün</title></svg>`;
  const wanted = is('image/svg+xml', 5, 6);
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const forms = [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\n  <?xml-stylesheet href="a"?>${text}`),
    Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><!-- a comment -->${text}`),
    Buffer.from(`<?xml version='1.0' encoding='ISO-8859-1'?>${text}`, 'latin1'),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(text, 'utf16le'),
    Buffer.from(text.replace('<svg xmlns', '<s:svg xmlns:s').replace('</svg', '</s:svg').replaceAll('title', 's:title')),
  ];
  for (const [i, bytes] of forms.entries()) t.strictSame(recognizePicture(bytes), wanted, `form ${i}`);
  for (const encoding of ['utf-7', 'no-such'])
    t.strictSame(recognizePicture(Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>${text}`)), { fault: 'broken' });
});

t.test('a document type that only names a DTD is read past, in every encoding', async (t) => {
  const types = ['PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"', `SYSTEM 'a.dtd'`, ''];
  for (const type of types) {
    const text = `<?xml version="1.0"?>\n<!DOCTYPE svg ${type}>\n<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>`;
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le')])
      t.strictSame(recognizePicture(bytes), is('image/svg+xml', 3, 4), type);
  }
});

t.test('document types with entities are refused in every encoding', async (t) => {
  const root = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">&a;</svg>';
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'abcdefghi'[i]} "${`&${'bcdefghij'[i]};`.repeat(10)}">`).join(
    '',
  );
  const types = [
    `<!DOCTYPE svg [${laughs}<!ENTITY j "ha">]>`,
    '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://example.com/svg11.dtd" [<!ENTITY a "b">]>',
    '<!DOCTYPE svg SYSTEM "a.dtd"><!DOCTYPE svg [<!ENTITY a "b">]>',
  ];
  for (const type of types) {
    for (const bytes of [
      Buffer.from(type + root),
      Buffer.from(`<?xml version="1.0"?>\n${type}${root}`),
      Buffer.from(`\ufeff${type}${root}`, 'utf16le'),
    ])
      t.strictSame(recognizePicture(bytes), { fault: 'document-type' });
  }
  t.strictSame(recognizePicture(Buffer.from(root)), { fault: 'broken' }, 'an unknown entity');
});

t.test('polyglots are what their first bytes say', async (t) => {
  const script = '*/=1;alert(1)//<script>alert(1)</script>';
  t.strictSame(recognizePicture(join(gif(0x2f2a, 5), script)), is('image/gif', 0x2f2a, 5));
  t.strictSame(recognizePicture(gif(0x2f2a, 5, script)), { fault: 'no-pixels' }, 'a script where the picture has its blocks');
  const active = '<script>alert(1)</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>';
  t.strictSame(recognizePicture(svg('width="5" height="6" onload="alert(1)"', active)), is('image/svg+xml', 5, 6));
  t.strictSame(recognizePicture(join('<!-- ', png(5, 5), ' -->')), { fault: 'broken' }, 'bytes that are no text');
});

t.test('a header of Content-Type contradicts only another type', async (t) => {
  for (const type of pictureTypes) {
    for (const header of [
      undefined,
      '',
      type,
      `${type}; charset=utf-8`,
      ` ${type.toUpperCase()} `,
      'application/octet-stream',
      'Application/Octet-Stream; a=b',
    ])
      t.equal(contradicts(header, type), false, `${header} for ${type}`);
    for (const header of [
      'text/html',
      'image/*',
      'image/bmp',
      'application/json',
      ...pictureTypes.filter((other) => other !== type),
    ])
      t.equal(contradicts(header, type), true, `${header} for ${type}`);
  }
  t.equal(contradicts('image/jpg', 'image/jpeg'), false);
  t.equal(contradicts('image/jpg', 'image/png'), true);
});

t.test('changed bytes are recognized or refused, never an error', async () => {
  const samples = [
    png(9, 9),
    gif(9, 9),
    jpeg(9, 9, exif(6)),
    webpLossy(9, 9),
    webpExtended(9, 9),
    avif(9, 9),
    svg('width="9" height="9"', '<g/>'),
  ];
  const change = fc.tuple(fc.nat(200), fc.nat(255));
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.array(change, { maxLength: 8 }), fc.nat(200), (sample, changes, cut) => {
      const bytes = Buffer.from(sample.subarray(0, sample.length - (cut % 40)));
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      const found = recognizePicture(bytes);
      if ('fault' in found) return found.fault in faultTexts;
      return pictureTypes.includes(found.type) && found.width > 0 && found.height > 0;
    }),
  );
});

t.test('the thread recognizes files and bytes, in the order of the calls', async (t) => {
  const recognizer = new PictureRecognizer();
  t.teardown(() => recognizer.close());
  const file = path.join(temporaryFolder(t), 'a');
  fs.writeFileSync(file, png(4, 3));
  t.strictSame(
    await Promise.all([recognizer.recognize(file), recognizer.recognize(gif(2, 1)), recognizer.recognize(Buffer.from('x'))]),
    [is('image/png', 4, 3), is('image/gif', 2, 1), { fault: 'other-type' }],
  );
  await t.rejects(recognizer.recognize(`${file}-missing`), { code: 'ENOENT' });
  t.strictSame(await recognizer.recognize(file), is('image/png', 4, 3), 'an error does not end it');
});

/** Each dimension of an AVIF makes image-size search the rest of the file. */
function slowPicture(): Buffer {
  const dimensions = Buffer.concat(Array<Buffer>(500_000).fill(box('ispe', u32(0), u32(4), u32(4))));
  return join(box('ftyp', 'avif\0\0\0\0'), box('meta', u32(0), box('iprp', box('ipco', dimensions))));
}

t.test('a picture that a busy machine delays is no fault of the picture', async (t) => {
  const recognizer = new PictureRecognizer({ runMs: 600_000, wallMs: 300 });
  t.teardown(() => recognizer.close());
  const error = await recognizer.recognize(slowPicture()).catch((reason: unknown) => reason);
  t.match(problemOf(error), { status: 503, headers: { 'Retry-After': '1' } });
});

t.test('a picture that takes too long ends its thread, and the next one has another', async (t) => {
  const recognizer = new PictureRecognizer({ runMs: 300 });
  t.teardown(() => recognizer.close());
  const slow = slowPicture();
  const found = await Promise.all([recognizer.recognize(slow), recognizer.recognize(png(4, 3))]);
  t.strictSame(found, [{ fault: 'too-slow' }, is('image/png', 4, 3)]);
});

t.test('a picture that needs too much memory is refused', async (t) => {
  const recognizer = new PictureRecognizer({ runMs: 60_000, heapMb: 32 });
  t.teardown(() => recognizer.close());
  const found = await recognizer.recognize(svg('width="9" height="9"', '<g/>'.repeat(500_000)));
  t.strictSame(found, { fault: 'too-slow' });
});

t.test('an SVG that is too large is not read', async (t) => {
  const file = path.join(temporaryFolder(t), 'a');
  fs.writeFileSync(file, svg('width="9" height="9"'));
  fs.truncateSync(file, 20 * 1024 * 1024 + 1);
  t.strictSame(recognizePicture(file), { fault: 'too-large' });
});

t.test('after close, calls reject', async (t) => {
  const recognizer = new PictureRecognizer();
  const waiting = [recognizer.recognize(png(1, 1)), recognizer.recognize(png(1, 1))].map((call) =>
    call.catch((error: Error) => error.name),
  );
  await recognizer.close();
  t.strictSame(await Promise.all(waiting), ['StoppedError', 'StoppedError']);
  await t.rejects(recognizer.recognize(png(1, 1)), { name: 'StoppedError' });
});
