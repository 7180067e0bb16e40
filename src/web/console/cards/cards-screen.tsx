/** The projects as cards: search, new, duplicate, delete, import, examples. */
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { UploadLines } from '../files/upload-lines.tsx';
import { lateTexts } from '../late-texts.ts';
import type { Route } from '../screen-route.ts';
import { hashOf } from '../screen-route.ts';
import { AccountMenu } from '../server/account-menu.tsx';
import type { ConsoleSession } from '../server/console-session.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Credit } from '../ui/credit.tsx';
import { FileButton } from '../ui/file-button.tsx';
import { Icon, Logo } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';
import { nameFirst } from './new-projects.ts';
import { Preview } from './preview.tsx';
import { type ListedProject, ProjectList } from './project-list.ts';

/** Cards at first, and per click on "more". */
const shownStep = 48;

/** What the parts of the screen share. */
interface Cards {
  readonly list: ProjectList;
  /** Imports files. */
  readonly take: (files: FileList | null | undefined) => Promise<void>;
  readonly create: () => Promise<void>;
}

export function CardsScreen({ session, go }: { readonly session: ConsoleSession; readonly go: (to: Route) => void }) {
  const list = useMemo(() => new ProjectList(session), [session]);
  const query = useSignal('');
  const most = useSignal(shownStep);
  const t = lateTexts.cards;
  useEffect(() => {
    document.title = `${t.title} – ${texts.name}`;
    void list.load();
  }, [list]);
  const found = useComputed(() => {
    const wanted = query.value.trim().toLocaleLowerCase();
    return list.projects.value?.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  });
  const open = (id: string | undefined) => {
    if (id !== undefined) go({ screen: 'editor', project: id });
  };
  const cards: Cards = {
    list,
    take: async (files) => open(await list.takeFiles([...(files ?? [])])),
    create: async () => {
      const id = await list.create();
      if (id !== undefined) nameFirst(id);
      open(id);
    },
  };
  const { className, ...drop } = useFileDrop(cards);
  const projects = found.value;
  const none = list.projects.value?.length === 0;
  return (
    <div class={className} {...drop}>
      <header class="bar">
        <span class="brand">
          <Logo /> {texts.name}
        </span>
        <AccountMenu session={session} />
      </header>
      <main>
        <Head
          cards={cards}
          isEmpty={none}
          query={query.value}
          onQuery={(text) => {
            query.value = text;
            most.value = shownStep;
          }}
        />
        <Notice list={list} isLoading={projects === undefined} />
        {none && <Welcome cards={cards} />}
        {projects?.length === 0 && !none && <p class="empty">{t.noMatch(query.value)}</p>}
        <CardList list={list} projects={projects} most={most} />
        {list.canCreate && !none && projects !== undefined && (
          <p class="hint drop-hint">
            {t.dropHere}{' '}
            <button type="button" class="link" disabled={list.busy.value !== ''} onClick={() => void list.loadExamples()}>
              {t.examples}
            </button>
          </p>
        )}
        {list.needsCredit.value && (
          <p class="hint card-credit">
            <Credit />
          </p>
        )}
      </main>
    </div>
  );
}

/** Attributes of the screen, onto which files can be dropped. */
function useFileDrop({ list, take }: Cards) {
  const isOver = useSignal(false);
  return {
    className: `cards-screen ${isOver.value ? 'drop-target' : ''}`,
    onDragOver: (event: DragEvent) => {
      if (!list.canCreate || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      isOver.value = true;
    },
    onDragLeave: (event: DragEvent) => {
      if (event.relatedTarget === null) isOver.value = false;
    },
    onDrop: (event: DragEvent) => {
      if (!list.canCreate) return;
      event.preventDefault();
      isOver.value = false;
      void take(event.dataTransfer?.files);
    },
  };
}

function Head(props: {
  readonly cards: Cards;
  /** Whether there is no project at all. */
  readonly isEmpty: boolean;
  readonly query: string;
  readonly onQuery: (text: string) => void;
}) {
  const { list, take, create } = props.cards;
  const t = lateTexts.cards;
  return (
    <div class="cards-head">
      <h1>{t.title}</h1>
      {!props.isEmpty && (
        <label class="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label={t.search}
            placeholder={t.search}
            value={props.query}
            onInput={(event) => props.onQuery(event.currentTarget.value)}
          />
        </label>
      )}
      {list.canCreate && !props.isEmpty && (
        <>
          <FileButton label={t.importFile} onFiles={take} />
          <button type="button" class="primary" onClick={() => void create()}>
            <Icon name="plus" /> {t.create}
          </button>
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

function Welcome({ cards: { list, take, create } }: { readonly cards: Cards }) {
  const t = lateTexts.cards;
  return (
    <section class="welcome">
      <h2>{t.welcome}</h2>
      <p>{list.canCreate ? t.welcomeText : t.welcomeReadOnly}</p>
      {list.canCreate && (
        <div class="row">
          <button type="button" class="primary" onClick={() => void create()}>
            <Icon name="plus" /> {t.create}
          </button>
          <button type="button" disabled={list.busy.value !== ''} onClick={() => void list.loadExamples()}>
            {t.examples}
          </button>
          <FileButton label={t.importFile} onFiles={take} />
        </div>
      )}
    </section>
  );
}

function CardList(props: {
  readonly list: ProjectList;
  readonly projects: readonly ListedProject[] | undefined;
  /** Cards that are shown at most. */
  readonly most: Signal<number>;
}) {
  const { list, projects, most } = props;
  const removing = useSignal<ListedProject | undefined>(undefined);
  const t = lateTexts.cards;
  return (
    <>
      <ul class="cards">
        {projects?.slice(0, most.value).map((project) => (
          <Card
            key={project.id}
            list={list}
            project={project}
            onRemove={() => {
              removing.value = project;
            }}
          />
        ))}
      </ul>
      {projects !== undefined && projects.length > most.value && (
        <p>
          <button
            type="button"
            onClick={() => {
              most.value += shownStep;
            }}
          >
            {texts.more}
          </button>
        </p>
      )}
      {removing.value !== undefined && (
        <Confirm
          title={t.removeTitle(removing.value.name || texts.unnamed)}
          text={t.removeText}
          action={texts.remove}
          onDecide={(yes) => {
            const project = removing.value;
            removing.value = undefined;
            if (yes && project !== undefined) void list.remove(project);
          }}
        />
      )}
    </>
  );
}

function Card(props: { readonly list: ProjectList; readonly project: ListedProject; readonly onRemove: () => void }) {
  const { list, project } = props;
  const t = lateTexts.cards;
  return (
    <li class="card">
      <a href={hashOf({ screen: 'editor', project: project.id })}>
        <Preview list={list} id={project.id} />
        <span class="card-name">{project.name || texts.unnamed}</span>
        <span class="hint">{texts.timeOf(project.created)}</span>
      </a>
      <Menu
        label={t.menu(project.name || texts.unnamed)}
        items={[
          ...(list.canCreate ? [{ label: t.duplicate, onChoose: () => void list.duplicate(project) }] : []),
          { label: t.download, onChoose: () => void list.download(project) },
          ...(list.canWrite ? [{ label: texts.remove, isDanger: true, onChoose: () => props.onRemove() }] : []),
        ]}
      />
    </li>
  );
}
