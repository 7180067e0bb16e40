/** The report of an import of a file of another program, for programs and for people. */
import type { Format, Mapping, Note } from '../../../web/convert/converter.ts';
import { formatNames, hasRows } from '../../../web/convert/format-names.ts';
import { program } from '../../command-declaration.ts';
import { plural } from '../../output/format-values.ts';
import { printableLine, wrapped } from '../../output/printable.ts';
import { inputName } from '../../output/stdin.ts';
import { printTable } from '../../output/table.ts';

/** Lines of the table of notes. */
const notesShown = 20;
/** Characters of the first column. */
const placeCharactersMax = 40;

/** The result of an import, or of a dry run. */
export interface ImportReport {
  readonly file: string;
  readonly format: Format;
  /** `null` for a new project that a dry run did not create. */
  readonly project_id: string | null;
  readonly artboard_id: string | null;
  /** Rows or elements of the file. */
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** Pictures that were uploaded, or that a dry run would upload. */
  readonly pictures: number;
  /** True if a new artboard has the picture of the file behind it. */
  readonly has_background: boolean;
  /** The meaning of columns. */
  readonly mapping: Mapping;
  readonly notes: readonly Note[];
  readonly warning: string | null;
}

/** `latitude "Breite"; longitude "Länge"; name "Titel"` */
function columnsText({ latitude, longitude, x, y, name, key, category, fields = [] }: Mapping): string {
  const both = latitude !== undefined && latitude === longitude;
  const places = both ? { place: latitude } : { latitude, longitude };
  const members = { ...places, x, y, name, key, category: category?.column };
  const named = Object.entries(members).flatMap(([member, column]) => (column === undefined ? [] : [`${member} "${column}"`]));
  const shown = fields.map(({ column }) => `"${column}"`).join(', ');
  return [...named, ...(shown === '' ? [] : [`visitors see ${shown}`])].join('; ');
}

/** True if an import has nothing to write. */
export const isEmpty = ({ created, updated, has_background }: ImportReport): boolean =>
  created + updated === 0 && !has_background;

export async function printReport(
  report: ImportReport,
  { dryRun, into }: { readonly dryRun: boolean; readonly into: string | undefined },
): Promise<void> {
  const { file, format, project_id, read, created, updated, deleted, notes, warning } = report;
  const counts = `${created} created, ${updated} updated, ${deleted} deleted`;
  const elements = plural(read, hasRows(format) ? 'row' : 'element');
  const where = project_id === null ? '' : ` in project ${project_id}`;
  process.stdout.write(
    `${inputName(file)}: ${elements} of ${formatNames[format]}. Objects${where}: ${counts}${dryRun ? ' (nothing was written)' : ''}.\n`,
  );
  const columns = columnsText(report.mapping);
  if (columns !== '') process.stdout.write(`Columns: ${columns}.\n`);
  if (report.pictures > 0) process.stdout.write(`Pictures: ${report.pictures}.\n`);
  if (report.has_background) process.stdout.write(`The rest of the picture is the background${dryRun ? ' then' : ''}.\n`);
  if (into === undefined && project_id !== null) process.stdout.write(`To edit it: ${program} console ${project_id} --open\n`);
  if (warning === 'swapped-axes')
    process.stdout.write('Latitude and longitude seem to be exchanged. If so, import the file again with --swap-axes.\n');
  if (notes.length === 0) return;
  const shown = notes.slice(0, notesShown);
  await printTable(
    ['where', 'what', ''],
    shown.map(({ at, detail, leftOut }) => [
      printableLine(at || 'file', placeCharactersMax),
      wrapped(detail),
      leftOut ? 'left out' : '',
    ]),
  );
  if (notes.length > shown.length)
    process.stdout.write(`and ${plural(notes.length - shown.length, 'more note')}; --json has all.\n`);
}
