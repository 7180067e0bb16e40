/** The first rows of the file as a table. */
import type { Conversion } from '../../convert/converter.ts';
import { lateTexts } from '../late-texts.ts';

export function FirstRows({ conversion: { columns, rows } }: { readonly conversion: Conversion }) {
  if (columns.length === 0 || rows.length === 0) return null;
  const label = lateTexts.imports.firstRows(rows.length);
  return (
    <details>
      <summary>{label}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard */}
      <section class="import-rows" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, at) => (
              <tr key={at}>
                {columns.map(({ name }, i) => (
                  <td key={name}>{cells[i]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
