/** Archives for tests: spreadsheets, KMZ files and shapefiles, as small as their programs would read them. */
import { strToU8, zipSync } from 'fflate';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A ZIP archive with these files. */
export const zipOf = (files: Files): Uint8Array =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([name, file]) => [name, typeof file === 'string' ? strToU8(file) : file])),
  );

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const sheetsOf = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageOf = 'http://schemas.openxmlformats.org/package/2006';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The name of a column of a spreadsheet, up to the 26th. */
const letter = (column: number): string => String.fromCharCode(65 + column);

function cellOf(value: string | number | { readonly formula: string; readonly value: number }, at: string): string {
  if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
  if (typeof value === 'object') return `<c r="${at}"><f>${value.formula}</f><v>${value.value}</v></c>`;
  return value === '' ? '' : `<c r="${at}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
}

export type Sheet = readonly (readonly Parameters<typeof cellOf>[0][])[];

/** The files of a spreadsheet of Excel, by path. @param sheets rows by name of the sheet */
export function xlsxFiles(sheets: Readonly<Record<string, Sheet>>): Record<string, string> {
  const names = Object.keys(sheets);
  const numbered = names.map((name, i) => ({ name, number: i + 1 }));
  const part = (number: number): string => `worksheets/sheet${number}.xml`;
  const types = numbered.map(
    ({ number }) =>
      `<Override PartName="/xl/${part(number)}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
  );
  const files: Record<string, string> = {
    '[Content_Types].xml': `${xmlHead}<Types xmlns="${packageOf}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${types.join('')}</Types>`,
    '_rels/.rels': `${xmlHead}<Relationships xmlns="${packageOf}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${xmlHead}<workbook xmlns="${sheetsOf}" xmlns:r="${relations}"><sheets>${numbered
      .map(({ name, number }) => `<sheet name="${escaped(name)}" sheetId="${number}" r:id="rId${number}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xmlHead}<Relationships xmlns="${packageOf}/relationships">${numbered
      .map(({ number }) => `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="${part(number)}"/>`)
      .join('')}</Relationships>`,
  };
  for (const { name, number } of numbered) {
    const rows = (sheets[name] ?? []).map(
      (cells, y) => `<row r="${y + 1}">${cells.map((value, x) => cellOf(value, `${letter(x)}${y + 1}`)).join('')}</row>`,
    );
    files[`xl/${part(number)}`] = `${xmlHead}<worksheet xmlns="${sheetsOf}"><sheetData>${rows.join('')}</sheetData></worksheet>`;
  }
  return files;
}

/** A `.shp` of points. */
export function shpOf(points: readonly (readonly [x: number, y: number])[]): Uint8Array {
  const bytes = new Uint8Array(100 + points.length * 28);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 9994);
  view.setInt32(24, bytes.length / 2);
  view.setInt32(28, 1000, true);
  view.setInt32(32, 1, true);
  for (const [i, [x, y]] of points.entries()) {
    const at = 100 + i * 28;
    view.setInt32(at, i + 1);
    view.setInt32(at + 4, 10);
    view.setInt32(at + 8, 1, true);
    view.setFloat64(at + 12, x, true);
    view.setFloat64(at + 20, y, true);
  }
  return bytes;
}

/** A `.dbf` with one column of texts of 20 bytes. */
export function dbfOf(column: string, values: readonly Uint8Array[]): Uint8Array {
  const width = 20;
  const head = 32 + 32 + 1;
  const bytes = new Uint8Array(head + values.length * (width + 1) + 1).fill(32, head);
  const view = new DataView(bytes.buffer);
  bytes.set([3, 126, 1, 1]);
  view.setUint32(4, values.length, true);
  view.setUint16(8, head, true);
  view.setUint16(10, width + 1, true);
  bytes.set(strToU8(column), 32);
  bytes[32 + 11] = 'C'.charCodeAt(0);
  bytes[32 + 16] = width;
  bytes[64] = 13;
  for (const [i, value] of values.entries()) bytes.set(value.subarray(0, width), head + i * (width + 1) + 1);
  bytes[bytes.length - 1] = 26;
  return bytes;
}
