/** What differs from a version, as a list; above it the kinds of changes, which are the legend of the map, too. */
import { texts } from '../console-texts.ts';
import type { Change } from '../editor/workspace.ts';
import type { Kind } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { VirtualList } from '../ui/lists/virtual-list.tsx';
import { allChanges, type Difference, type VersionView } from './version-view.ts';

/** What a row shows without colours. */
const signs: Readonly<Record<Change, string>> = { created: '+', changed: '~', deleted: '−' };

/** How the kind of a resource is called: also of a file. */
export const kindName = (kind: string): string => texts.kinds[kind as Kind]?.one ?? lateTexts.versions.file;

export function ChangeSign({ change }: { readonly change: Change }) {
  return (
    <span class={`change-sign ${change}`} aria-hidden="true">
      {signs[change]}
    </span>
  );
}

export function ChangeList({ view }: { readonly view: VersionView }) {
  const comparison = view.comparison.value;
  const listed = view.listed.value;
  const t = lateTexts.versions;
  if (comparison === undefined) return null;
  const { counts, changes } = comparison;
  const sum = counts.created + counts.changed + counts.deleted;
  return (
    <section class="lists" aria-label={t.changes}>
      <div class="section-head">
        <h2>{t.changes}</h2>
      </div>
      {sum > 0 && (
        <fieldset class="change-filter" aria-label={t.changes}>
          {allChanges.map((change) => (
            <button
              key={change}
              type="button"
              class={change}
              aria-pressed={view.filter.value.has(change)}
              onClick={() => view.toggle(change)}
            >
              <ChangeSign change={change} /> {t.filter(change, counts[change])}
            </button>
          ))}
        </fieldset>
      )}
      {changes.length < sum && <p class="hint change-note">{t.cut(changes.length)}</p>}
      {sum === 0 && <p class="empty">{t.same}</p>}
      {sum > 0 && view.filter.value.size === 0 && <p class="empty">{t.noneShown}</p>}
      {listed.length > 0 && <Rows view={view} listed={listed} />}
    </section>
  );
}

function Rows({ view, listed }: { readonly view: VersionView; readonly listed: readonly Difference[] }) {
  const chosen = view.chosen.value;
  return (
    <VirtualList
      label={lateTexts.versions.changes}
      id="change"
      count={listed.length}
      active={listed.findIndex(({ id }) => id === chosen)}
      isSelected={(at) => listed[at]?.id === chosen}
      row={(at) => {
        const { change, kind, name } = listed[at] as Difference;
        return (
          <>
            <ChangeSign change={change} />
            <span class="grow">
              <span class="sr-only">{lateTexts.versions.change[change]}: </span>
              {name || texts.unnamed}
            </span>
            <span class="hint">{kindName(kind)}</span>
          </>
        );
      }}
      onChoose={(at) => view.choose(listed[at] as Difference)}
      onKey={(event) => {
        if (event.key === 'Enter') view.model.workspace.pane.value = 'form';
      }}
    />
  );
}
