/** What the converter has to say about rows and elements of the file. */
import type { Note } from '../../convert/converter.ts';
import { lateTexts } from '../late-texts.ts';

/** Notes that are shown. */
const shownMax = 100;

export function ImportReport({ notes }: { readonly notes: readonly Note[] }) {
  const t = lateTexts.imports;
  if (notes.length === 0) return null;
  return (
    <details open>
      <summary>{t.report(notes.length)}</summary>
      <ul class="import-notes">
        {notes.slice(0, shownMax).map(({ at, detail, leftOut, code }, i) => (
          <li key={i} class={`note-${code}`}>
            {at !== '' && <strong>{at}: </strong>}
            {detail} {leftOut && <em>({t.leftOut})</em>}
          </li>
        ))}
      </ul>
      {notes.length > shownMax && <p class="hint">{t.moreNotes(notes.length - shownMax)}</p>}
    </details>
  );
}
