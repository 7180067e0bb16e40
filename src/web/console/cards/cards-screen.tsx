/** The projects as cards, in folders: search, order, new, import, examples, and what is done with selected ones. */
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { UploadLines } from '../files/upload-lines.tsx';
import { lateTexts } from '../late-texts.ts';
import { Credit } from '../map/credit.tsx';
import { AccountMenu } from '../people/account-menu.tsx';
import { hashOf, type Route } from '../screen-route.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { FileButton } from '../ui/file-button.tsx';
import { Logo } from '../ui/icons.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Select } from '../ui/select.tsx';
import { Card, FolderCard } from './card.tsx';
import { CardSelection } from './card-selection.ts';
import type { ExampleName } from './example-projects.ts';
import { leafOf, type Order, orders, type Shown, shownIn, trailOf } from './folders.ts';
import type { ListedProject } from './listed-project.ts';
import { liveFirst, nameFirst } from './new-projects.ts';
import { ProjectList } from './project-list.ts';
import { SelectionBar } from './selection-bar.tsx';
import { Starts } from './starts.tsx';

/** Cards at first, and per click on "more". */
const shownStep = 48;

/** Pause between two questions about data sources that fail, in milliseconds. */
const failingPollMs = 30_000;

/** In the storage of the browser. */
const orderKey = 'mapwright.console.order';
const rememberedOrder = (): Order => orders.find((each) => each === localStorage.getItem(orderKey)) ?? 'change';

/** What the parts of the screen share. */
interface Cards {
  readonly list: ProjectList;
  readonly selection: CardSelection;
  /** The folder that is shown; '' for all projects. */
  readonly folder: string;
  readonly query: Signal<string>;
  readonly order: Signal<Order>;
  /** Cards that are shown at most. */
  readonly most: Signal<number>;
  /** Projects that the user is asked about. */
  readonly removing: Signal<readonly ListedProject[]>;
  /** `undefined` until the projects are loaded. */
  readonly shown: Shown | undefined;
  /** Imports files. */
  readonly take: (files: FileList | null | undefined) => Promise<void>;
  /** Starts with pictures as backgrounds. */
  readonly takePlan: (files: FileList | null) => Promise<void>;
  readonly create: () => Promise<void>;
  readonly startExample: (name: ExampleName) => Promise<void>;
  /** Starts with a project that follows simulated data. */
  readonly startLive: () => Promise<void>;
}

interface Props {
  readonly session: ConsoleSession;
  readonly folder: string;
  readonly go: (to: Route) => void;
}

export function CardsScreen(props: Props) {
  const cards = useCards(props);
  const { list, shown, query, selection, removing } = cards;
  const t = lateTexts.cards;
  const { className, ...drop } = useFileDrop(cards);
  useKeys(cards);
  const none = list.projects.value?.length === 0;
  const selected = shown?.projects.filter(({ id }) => selection.ids.value.has(id)) ?? [];
  return (
    <div class={className} {...drop}>
      <header class="bar">
        <span class="brand">
          <Logo /> {texts.name}
        </span>
        <AccountMenu session={props.session} />
      </header>
      <main>
        <Head cards={cards} isEmpty={none} />
        <Notice list={list} isLoading={shown === undefined} />
        {none && <Welcome cards={cards} />}
        {shown !== undefined && !none && shown.folders.length + shown.projects.length === 0 && (
          <p class="empty">{query.value.trim() === '' ? t.emptyFolder : t.noMatch(query.value)}</p>
        )}
        <CardList cards={cards} />
        {list.controls.canCreate && !none && shown !== undefined && (
          <p class="hint drop-hint">
            {t.dropHere}{' '}
            <Button label={t.examples} class="link" disabled={list.busy.value !== ''} onClick={() => void list.loadExamples()} />
          </p>
        )}
        {[...list.shownTiles.value.values()].map((source) => (
          <p class="hint card-credit" key={source.url}>
            <Credit source={source} />
          </p>
        ))}
        <SelectionBar
          list={list}
          selection={selection}
          selected={selected}
          onAll={() => selectAll(cards)}
          onRemove={() => {
            removing.value = selected;
          }}
        />
      </main>
      <Question cards={cards} />
    </div>
  );
}

/** The state of the screen. */
function useCards({ session, folder, go }: Props): Cards {
  const list = useMemo(() => new ProjectList(session), [session]);
  const selection = useMemo(() => new CardSelection(), [session]);
  const query = useSignal('');
  const order = useSignal(rememberedOrder());
  const most = useSignal(shownStep);
  const removing = useSignal<readonly ListedProject[]>([]);
  const isFirst = useRef(true);
  useEffect(() => void list.load(), [list]);
  useEffect(() => {
    const ask = () => document.visibilityState === 'visible' && void list.askFailing();
    ask();
    const timer = setInterval(ask, failingPollMs);
    return () => clearInterval(timer);
  }, [list]);
  useLayoutEffect(() => {
    document.title = `${leafOf(folder) || lateTexts.cards.title} – ${texts.name}`;
    query.value = '';
    most.value = shownStep;
    selection.clear();
    list.folder = folder;
    // The link that led here is gone.
    if (!isFirst.current) document.querySelector<HTMLElement>('.cards-head h1')?.focus();
    isFirst.current = false;
  }, [folder]);
  const at = useSignal(folder);
  at.value = folder;
  const shown = useComputed(() => list.projects.value && shownIn(list.projects.value, at.value, query.value, order.value)).value;
  const open = (id: string | undefined) => {
    if (id !== undefined) go({ screen: 'editor', project: id });
  };
  return {
    ...{ list, selection, folder, query, order, most, removing, shown },
    take: async (files) => open(await list.takeFiles([...(files ?? [])])),
    takePlan: async (files) => open(await list.startPlan([...(files ?? [])])),
    create: async () => {
      const id = await list.create();
      if (id !== undefined) nameFirst(id);
      open(id);
    },
    startExample: async (name) => open(await list.startExample(name)),
    startLive: async () => {
      const id = await list.startExample('office', lateTexts.starts.liveName);
      if (id !== undefined) liveFirst(id);
      open(id);
    },
  };
}

const selectAll = ({ selection, shown }: Cards): void => selection.set(shown?.projects.map(({ id }) => id) ?? []);

/** Ctrl A selects all, Delete asks about the selected ones, Esc selects none: anywhere but in a field, a menu and a dialog. */
function useKeys(cards: Cards): void {
  const newest = useRef(cards);
  newest.current = cards;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { selection, shown, list, removing } = newest.current;
      const target = event.target as Element;
      if (event.defaultPrevented || target.closest('input:not(.pick), select, textarea, dialog, [role=menu]') !== null) return;
      const selected = shown?.projects.filter(({ id }) => selection.ids.value.has(id)) ?? [];
      if (event.key === 'a' && (event.ctrlKey || event.metaKey)) selectAll(newest.current);
      else if (event.key === 'Escape') selection.clear();
      else if (event.key === 'Delete' && selected.length > 0 && list.controls.canWrite) removing.value = selected;
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Attributes of the screen, onto which files can be dropped. */
function useFileDrop({ list, take }: Cards) {
  const isOver = useSignal(false);
  return {
    className: `cards-screen ${isOver.value ? 'drop-target' : ''}`,
    onDragOver: (event: DragEvent) => {
      if (!list.controls.canCreate || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      isOver.value = true;
    },
    onDragLeave: (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    },
    onDrop: (event: DragEvent) => {
      if (!list.controls.canCreate) return;
      event.preventDefault();
      isOver.value = false;
      void take(event.dataTransfer?.files);
    },
  };
}

/** @param isEmpty whether there is no project at all */
function Head({ cards, isEmpty }: { readonly cards: Cards; readonly isEmpty: boolean }) {
  const { list, folder, query, order, most, selection, take, create } = cards;
  const t = lateTexts.cards;
  return (
    <div class="cards-head">
      <div class="crumbs">
        {folder !== '' && (
          <nav aria-label={t.folders}>
            <a href={hashOf({ screen: 'cards' })}>{t.title}</a>
            {trailOf(folder)
              .slice(0, -1)
              .map((path) => (
                <a key={path} href={hashOf({ screen: 'cards', folder: path })}>
                  {leafOf(path)}
                </a>
              ))}
          </nav>
        )}
        <h1 tabIndex={-1}>{leafOf(folder) || t.title}</h1>
      </div>
      {!isEmpty && (
        <>
          <SearchField
            label={t.search}
            value={query.value}
            onSearch={(text) => {
              query.value = text;
              most.value = shownStep;
              selection.clear();
            }}
          />
          <Select
            aria-label={t.order}
            value={order.value}
            options={orders.map((each) => [each, t.orders[each]])}
            onChoose={(chosen) => {
              order.value = chosen;
              localStorage.setItem(orderKey, chosen);
            }}
          />
        </>
      )}
      {list.controls.canCreate && !isEmpty && (
        <>
          <FileButton label={t.importFile} onFiles={take} />
          <Button icon="plus" label={t.create} class="primary" onClick={() => void create()} />
        </>
      )}
    </div>
  );
}

function Notice({ list, isLoading }: { readonly list: ProjectList; readonly isLoading: boolean }) {
  const busy = list.busy.value;
  const uploads = list.uploads.value;
  const { text, isProblem } = list.notice.value;
  return (
    <>
      <p class={isProblem ? 'problem' : 'notice-line'} role={isProblem ? 'alert' : 'status'}>
        {busy === '' ? text : busy}
      </p>
      {uploads !== undefined && <UploadLines uploads={uploads} />}
      {isLoading && text === '' && <p class="starting">{texts.loading}</p>}
    </>
  );
}

function Welcome({ cards: { list, take, takePlan, create, startExample, startLive } }: { readonly cards: Cards }) {
  const t = lateTexts.cards;
  return (
    <section class="welcome">
      <h2>{t.welcome}</h2>
      <p>{list.controls.canCreate ? t.welcomeText : t.welcomeReadOnly}</p>
      {list.controls.canCreate && (
        <Starts
          isBusy={list.busy.value !== ''}
          onPlan={takePlan}
          onImport={take}
          onLive={startLive}
          onExample={startExample}
          onEmpty={create}
          onAllExamples={() => list.loadExamples()}
        />
      )}
    </section>
  );
}

function CardList({ cards }: { readonly cards: Cards }) {
  const { list, selection, shown, folder, query, most, removing } = cards;
  const projects = shown?.projects ?? [];
  const ids = projects.map(({ id }) => id);
  const isSearch = query.value.trim() !== '';
  return (
    <>
      <ul class="cards">
        {shown?.folders.map((each) => (
          <FolderCard key={each.path} folder={each} />
        ))}
        {projects.slice(0, most.value).map((project) => (
          <Card
            key={project.id}
            {...{ list, selection, project, shown: ids }}
            name={isSearch || folder === '' ? project.name : leafOf(project.name)}
            onRemove={() => {
              removing.value = [project];
            }}
          />
        ))}
      </ul>
      {projects.length > most.value && (
        <p>
          <Button
            label={texts.more}
            onClick={() => {
              most.value += shownStep;
            }}
          />
        </p>
      )}
    </>
  );
}

/** The question before projects are deleted. */
function Question({ cards: { list, selection, removing } }: { readonly cards: Cards }) {
  const t = lateTexts.cards;
  const projects = removing.value;
  if (projects.length === 0) return null;
  const names = projects.map(({ name }) => name || texts.unnamed);
  return (
    <Confirm
      title={t.removeTitle(names)}
      text={t.removeText(names)}
      action={texts.remove}
      onDecide={(yes) => {
        removing.value = [];
        if (!yes) return;
        selection.clear();
        void list.remove(projects);
      }}
    />
  );
}
