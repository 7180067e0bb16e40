/** The left side of the editor: artboards, the lists of everything else, and problems. */
import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { parseColour } from '../../../lib/draw/css-colour.ts';
import { isText as isTextObject } from '../../../lib/draw/public-map.ts';
import { placeBefore, removeSelection, reorder } from '../commands/object-commands.ts';
import { startImport, takeFile } from '../commands/take-file.ts';
import { texts } from '../console-texts.ts';
import type { ProjectStore } from '../document/project-store.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { ListName } from '../editor/editor-selection.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { colourMember } from '../kinds/map-categories.ts';
import type { MemberKind, Members, Resource } from '../kinds/resource-kinds.ts';
import { HealthSign } from '../live/health/health-sign.tsx';
import { hasData } from '../live/live-state.ts';
import { LiveMark } from '../live/panels/live-mark.tsx';
import { hashOf } from '../screen-route.ts';
import { Button } from '../ui/button.tsx';
import { FileButton } from '../ui/file-button.tsx';
import { Icon, IconButton } from '../ui/icons.tsx';
import { type Extent, hasRows, VirtualList } from '../ui/lists/virtual-list.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { LazyPanel } from './lazy-panel.tsx';
import { SelectMenu } from './select-menu.tsx';

const lists: readonly ListName[] = ['object', 'popup', 'data_source', 'variable', 'action', 'problems'];

/** The evaluation and its problems are of the project as it is. */
const listsOf = ({ isPast }: ProjectDocument): readonly ListName[] =>
  isPast ? lists.filter((name) => name !== 'problems') : lists;

const headingOf = (list: ListName): string => (list === 'problems' ? texts.editor.problems : texts.kinds[list].heading);

/** The number of resources in a list, followed. */
function countOf(store: ProjectStore, kind: MemberKind): number {
  store.revision({ kind }).value;
  return store.ids({ kind }).length;
}

export function Outline({ model }: { readonly model: EditorModel }) {
  return (
    <div class="outline">
      <Artboards model={model} />
      <Lists model={model} />
    </div>
  );
}

export function Artboards({ model }: { readonly model: EditorModel }) {
  const { canWrite } = model.document;
  const artboards = model.document.artboards.value;
  const t = texts.editor;
  return (
    <section aria-labelledby="artboards-heading" class="artboards">
      <div class="section-head">
        <h2 id="artboards-heading">{t.artboards}</h2>
        <span class="grow" />
        {canWrite && <FileButton label={t.addPicture} accept="image/*" isIcon onFiles={(files) => takeFile(model, files)} />}
        {canWrite && <IconButton icon="plus" label={t.add('artboard')} onClick={() => void model.add('artboard')} />}
      </div>
      {artboards.length === 0 && <p class="empty">{canWrite ? texts.empty.artboard : texts.countOf('artboard', 0)}</p>}
      <ul>
        {artboards.map(({ id, name, type }) => (
          <li key={id}>
            <button
              type="button"
              class="artboard-row"
              aria-current={id === model.selection.artboardId.value}
              onClick={() => {
                model.selection.showArtboard(id);
              }}
              onDragOver={(event) => {
                if (hasRows(event)) event.preventDefault();
              }}
              onDrop={(event) => {
                if (!hasRows(event)) return;
                event.preventDefault();
                // The panel that arranges the selected objects has loaded it.
                void import('./lazy-panels.ts').then(({ moveToArtboard }) => moveToArtboard(model, id));
              }}
            >
              <Icon name={type === 'osm' ? 'globe' : 'artboard'} />
              <span class="grow">{String(name || texts.unnamed)}</span>
              <Count model={model} artboardId={id} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lists({ model }: { readonly model: EditorModel }) {
  const { store, canWrite, live, isPast } = model.document;
  const list = model.selection.list.value;
  const t = texts.editor;
  const tabText = (name: ListName) => {
    if (name === 'problems') return [headingOf(name), <HealthSign key={name} live={live} id={store.id} isShort />];
    const count = name === 'object' ? 0 : countOf(store, name);
    return headingOf(name) + (count === 0 ? '' : ` (${count})`);
  };
  return (
    <section class="lists" aria-label={headingOf(list)}>
      {hasData(store) && !isPast && <LazyPanel name="FailingWatch" model={model} />}
      <Tabs
        label={t.list}
        class="list-tabs"
        tabs={listsOf(model.document).map((name) => [name, tabText(name)])}
        shown={list}
        onShow={(name) => {
          model.selection.list.value = name;
          model.selection.query.value = '';
        }}
      >
        {list === 'problems' ? (
          <LazyPanel name="ProblemList" model={model} />
        ) : (
          <>
            {(list === 'object' || canWrite) && (
              <div class="list-actions">
                {list === 'object' ? (
                  <ObjectActions model={model} />
                ) : (
                  <Button icon="plus" label={t.add(list)} onClick={() => void model.add(list)} />
                )}
              </div>
            )}
            <ResourceList key={list} model={model} kind={list} />
          </>
        )}
      </Tabs>
    </section>
  );
}

function ObjectActions({ model }: { readonly model: EditorModel }) {
  return (
    <>
      {model.document.canWrite && model.selection.artboardId.value !== '' && (
        <FileButton
          label={texts.imports.open}
          title={texts.imports.hint}
          onFiles={(files) => {
            const [file] = files ?? [];
            if (file !== undefined) void startImport(model, file);
          }}
        />
      )}
      <a
        class="button quiet"
        href={hashOf({ screen: 'editor', project: model.document.store.id, panel: 'table' })}
        aria-label={texts.editor.table}
        title={texts.editor.table}
      >
        <Icon name="table" />
      </a>
      <SelectMenu model={model} />
    </>
  );
}

function Count({ model, artboardId }: { readonly model: EditorModel; readonly artboardId: string }) {
  const objects = { kind: 'object', artboardId } as const;
  model.document.store.revision(objects).value;
  return <span class="hint">{model.document.store.ids(objects).length}</span>;
}

/** An object as a small picture: its form and colour. */
function Swatch({ object }: { readonly object: Members }) {
  const isText = isTextObject(object);
  const colour = String(object[colourMember(object)]);
  const isColour = parseColour(colour) !== undefined;
  const isLine = object['type'] === 'poly' && object['closed'] === false;
  return (
    <svg class={isColour || isText ? 'swatch' : 'swatch unknown'} viewBox="0 0 16 16" aria-hidden="true">
      {isText ? (
        <path d="M3 3h10M8 3v10" fill="none" stroke="currentColor" stroke-width="2" />
      ) : isLine ? (
        <path d="M2 13L6 5l4 5 4-7" fill="none" stroke={colour} stroke-width="2" />
      ) : object['type'] === 'poly' ? (
        <path d="M2 5l6-3 6 5-3 7-8-1z" fill={colour} />
      ) : (
        <circle cx="8" cy="8" r="6" fill={colour} />
      )}
    </svg>
  );
}

/** What a row shows of a resource: its colour, its name. */
function Row(props: {
  readonly model: EditorModel;
  readonly resource: Resource;
  readonly kind: MemberKind;
  /** Where it is, if another one has the same name. */
  readonly place: string;
}) {
  const { model, resource, kind, place } = props;
  const { id } = resource;
  return (
    <>
      {kind === 'object' && <Swatch object={resource} />}
      <span class="grow">
        {model.document.liveView.nameOf(id)}
        {place !== '' && <span class="hint"> {place}</span>}
      </span>
      <HealthSign live={model.document.live} id={id} />
      <LiveMark liveView={model.document.liveView} id={id} />
    </>
  );
}

/** Names that several popups have. Objects are shown with their colours, on their artboard. */
function equalNamesOf({ liveView }: ProjectDocument, kind: MemberKind, ids: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(
    kind === 'popup' ? ids.map((id) => liveView.nameOf(id)).filter((name) => seen.has(name) || !seen.add(name)) : [],
  );
}

/** The object and the artboard of a popup whose name another one has, too; '' for others. */
function placeOf({ liveView, store }: ProjectDocument, popup: Resource, equalNames: ReadonlySet<string>): string {
  const objectId = String(popup['attachedTo'] ?? '');
  if (!equalNames.has(liveView.nameOf(popup.id)) || liveView.shown(objectId) === undefined) return '';
  const artboardId = store.refOf(objectId)?.artboardId;
  return [objectId, ...(artboardId === undefined ? [] : [artboardId])].map((id) => liveView.nameOf(id)).join(', ');
}

/** The resources of a list that match the search, followed. */
function useFound(model: EditorModel, kind: MemberKind): readonly string[] {
  const { store } = model.document;
  const found = useComputed(() => {
    const at = kind === 'object' ? model.selection.objects : { kind };
    model.selection.artboardId.value;
    store.revision(at).value;
    const ids = [...store.ids(at), ...model.document.liveView.createdIds(kind, model.selection.artboardId.value)];
    const wanted = model.selection.query.value.trim().toLocaleLowerCase();
    if (wanted === '') return ids;
    return ids.filter((id) => model.document.liveView.nameOf(id).toLocaleLowerCase().includes(wanted));
  });
  store.revision(kind === 'object' ? model.selection.objects : { kind }).value;
  return found.value;
}

/** The row of the keyboard, and what a choice in the list selects. */
function useChoice(model: EditorModel, kind: MemberKind, ids: readonly string[]) {
  /** Where a range begins, and the row that was chosen last. */
  const anchor = useSignal('');
  const last = useSignal('');
  const selection = new Set(model.selection.ids.value);
  // The last chosen one, as long as it is selected.
  const active = selection.has(last.value) ? last.value : (model.selection.ids.value[0] ?? '');
  const choose = (id: string, extent: Extent) => {
    model.workspace.tool.value = 'select';
    const isMore = extent === 'one more' || (extent === 'only' && model.selection.isAdding.value);
    if (extent === 'range') {
      const [from, to] = [ids.indexOf(selection.has(anchor.value) ? anchor.value : active), ids.indexOf(id)].sort(
        (a, b) => a - b,
      ) as [number, number];
      model.selection.select(ids.slice(Math.max(0, from), to + 1));
    } else if (isMore && kind === 'object')
      model.selection.select(selection.has(id) ? [...selection].filter((each) => each !== id) : [...selection, id]);
    else model.selection.select([id], { reveal: true });
    if (extent !== 'range') anchor.value = id;
    last.value = id;
  };
  return { selection, active, choose };
}

function ResourceList({ model, kind }: { readonly model: EditorModel; readonly kind: MemberKind }) {
  const { canWrite } = model.document;
  const { query, gap } = model.selection;
  const ids = useFound(model, kind);
  const equalNames = useMemo(() => equalNamesOf(model.document, kind, ids), [ids]);
  const { selection, active, choose } = useChoice(model, kind, ids);
  const idAt = (at: number) => ids[at] as string;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === ' ' && event.ctrlKey && active !== '') choose(active, 'one more');
    else if (event.altKey && canWrite && kind === 'object' && /^Arrow(?:Up|Down)$/.test(event.key))
      void reorder(model, event.key === 'ArrowDown' ? 'front' : 'back');
    else if (event.key === 'Delete' && canWrite) void removeSelection(model);
    else if (event.key === 'Enter') model.workspace.pane.value = 'form';
    else {
      if (event.key === 'Escape') model.selection.select([]);
      return;
    }
    event.preventDefault();
  };
  return (
    <>
      <SearchField
        class="small"
        id="list-search"
        label={texts.editor.search(kind)}
        value={query.value}
        onSearch={(text) => {
          query.value = text;
        }}
      />
      {ids.length === 0 ? (
        <p class="empty">
          {query.value !== '' ? texts.noMatch(query.value) : canWrite ? texts.empty[kind] : texts.countOf(kind, 0)}
        </p>
      ) : (
        <VirtualList
          label={texts.countOf(kind, ids.length)}
          count={ids.length}
          active={ids.indexOf(active)}
          gap={{ previous: ids.indexOf(gap.previous ?? ''), next: ids.indexOf(gap.next ?? '') }}
          isSelected={(at) => selection.has(idAt(at))}
          row={(at) => {
            const resource = model.document.liveView.shown(idAt(at)) ?? { id: '' };
            return <Row model={model} resource={resource} kind={kind} place={placeOf(model.document, resource, equalNames)} />;
          }}
          onChoose={(at, extent) => choose(idAt(at), kind !== 'object' ? 'only' : extent)}
          onKey={onKey}
          drag={
            kind === 'object' && canWrite && query.value === ''
              ? {
                  onStart: (at) => selection.has(idAt(at)) || choose(idAt(at), 'only'),
                  onDrop: (at) => void placeBefore(model, ids[at]),
                }
              : undefined
          }
        />
      )}
    </>
  );
}
