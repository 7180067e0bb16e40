// tier: normal, process: shared
/** Encodings of files: given, by a byte order mark, by an XML declaration, and by the bytes. */
import t from 'tap';
import { Notes } from '../../src/web/convert/notes.ts';
import { decodeText } from '../../src/web/convert/read/decode-text.ts';
import { summaryOfCase } from './case-summary.ts';
import { convertText, refusalOf } from './support.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const wide = (text: string, isBig = false): Uint8Array => {
  const all = new Uint8Array(text.length * 2);
  const view = new DataView(all.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), !isBig);
  return all;
};
const decode = (file: Uint8Array | string, encoding?: string): string[] => {
  const notes = new Notes();
  const text = decodeText(typeof file === 'string' ? bytes(file) : file, encoding, notes);
  return [text.replace(/<\?xml.*\?>/, ''), ...notes.list().map(({ code, detail }) => `${code}: ${detail}`)];
};
const declaring = (encoding: string, rest: string): string => `<?xml version="1.0" encoding="${encoding}"?>${rest}`;

t.test('the encoding of an XML declaration applies', async (t) => {
  t.same(await summaryOfCase('kml-cp1251.kml'), ['map', 'Кремль: spot 37.61,55.75']);
  t.same(decode(declaring('ISO-8859-2', '\xa3\xf3d\xbc')), ['Łódź']);
  t.same(decode(declaring('Shift_JIS', '\x93\x8c\x8b\x9e')), ['東京']);
  t.same(decode(`\n ${declaring('win-1251', '\xca')}`), ['\n К'], 'after blanks, in another spelling');
  t.same(decode(declaring('ISO-2022-JP', '\x1b$BEl5~\x1b(B')), ['東京']);
  t.same(decode(declaring('ISO-8859-1', 'caf\xe9 \x80')), ['café €']);
  t.same(decode(declaring('x-unknown', 'caf\xe9')), [
    'café',
    'encoding: The file names an encoding that is unknown, "x-unknown", and is not UTF-8: it was read as Windows-1252. If letters are wrong, name its encoding (--encoding).',
  ]);
});

t.test('UTF-16 is read with and without a byte order mark', async (t) => {
  for (const isBig of [false, true])
    for (const mark of ['', '\ufeff'])
      t.same(decode(wide(`${mark}${declaring('UTF-16', '<a>Łódź</a>')}`, isBig)), ['<a>Łódź</a>'], `${isBig} ${mark}`);
  t.match(decode(wide(declaring('UTF-8', 'ž'))), ['ž', /^encoding: The file says that it is UTF-8, but it is UTF-16/]);
});

t.test('a declaration that lies gives a note, and the text is what the bytes are', async (t) => {
  t.match(decode(declaring('UTF-8', 'caf\xe9')), [
    'café',
    /^encoding: The file says that it is UTF-8, but it is not: .*Windows-1252/,
  ]);
  t.match(decode(declaring('windows-1252', 'caf\xc3\xa9')), ['café', /^encoding: .* windows-1252, but it is UTF-8/]);
  t.match(decode(declaring('utf-16', 'caf\xc3\xa9')), ['café', /^encoding: .* utf-16, but it is UTF-8/]);
  t.match(decode(declaring('Shift_JIS', 'caf\xe9 ')), ['café ', /^encoding: .* Shift_JIS, but it is not/]);
  t.same(decode(declaring('windows-1251', 'plain')), ['plain']);
});

t.test('without a name, what is not UTF-8 is Windows-1252, with a note', async (t) => {
  t.same(decode('caf\xc3\xa9'), ['café']);
  t.same(decode('\xef\xbb\xbfcaf\xc3\xa9'), ['café']);
  t.same(decode('caf\xe9'), [
    'café',
    'encoding: The file is not UTF-8: it was read as Windows-1252. If letters are wrong, name its encoding (--encoding).',
  ]);
  t.match(decode('caf\xc3\xa9\ncaf\xe9'), ['café\ncafé', /^mixed-encodings: /]);
});

t.test('a given encoding is used; an unknown one is refused', async (t) => {
  t.same(decode('\xca\xf0\xe5\xec\xeb\xfc', 'windows-1251'), ['Кремль']);
  t.same(decode(declaring('windows-1252', '\xca'), 'cp1251'), ['К'], 'before the declaration');
  t.same(decode('\x80', 'latin-1'), ['€']);
  t.match(decode('caf\xe9', 'utf-8'), ['caf\ufffd', /^encoding: Some bytes of the file are no characters of utf-8/]);
  const csv = bytes('name;lat;lng\n\xca\xf0\xe5\xec\xeb\xfc;55.75;37.61');
  t.match(await refusalOf(csv, { encoding: 'klingon' }), /^unreadable: The encoding "klingon" is unknown\. Known are utf-8/);
  const conversion = await convertText('name;lat;lng\nA;48.2;16.37', { encoding: 'utf-8' });
  t.equal(conversion.objects.length, 1);
});
