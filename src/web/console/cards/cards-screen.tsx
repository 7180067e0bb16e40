/** The projects as cards: search, new, duplicate, delete, import, examples. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import type { Route } from '../screen-route.ts';
import { hashOf } from '../screen-route.ts';
import { AccountMenu } from '../server/account-menu.tsx';
import type { ConsoleSession } from '../server/console-session.ts';
import { Confirm } from '../ui/confirm.tsx';
import { FileButton } from '../ui/file-button.tsx';
import { Icon, Logo } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';
import { Preview } from './preview.tsx';
import { type ListedProject, ProjectList } from './project-list.ts';

/** Cards at first, and per click on "more". */
const shownStep = 48;

export function CardsScreen({ session, go }: { readonly session: ConsoleSession; readonly go: (to: Route) => void }) {
  const list = useMemo(() => new ProjectList(session), [session]);
  const query = useSignal('');
  const most = useSignal(shownStep);
  const removing = useSignal<ListedProject | undefined>(undefined);
  const isOver = useSignal(false);
  const t = texts.cards;
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
  const take = async (files: FileList | null | undefined) => open(await list.takeFiles([...(files ?? [])]));
  const create = async () => open(await list.create());
  const projects = found.value;
  const none = list.projects.value?.length === 0;
  const busy = list.busy.value;
  const { text: notice, isProblem } = list.notice.value;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen with a button instead
    <div
      class={`cards-screen ${isOver.value ? 'drop-target' : ''}`}
      onDragOver={(event) => {
        if (!list.canCreate || event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={(event) => {
        if (event.relatedTarget === null) isOver.value = false;
      }}
      onDrop={(event) => {
        if (!list.canCreate) return;
        event.preventDefault();
        isOver.value = false;
        void take(event.dataTransfer?.files);
      }}
    >
      <header class="bar">
        <span class="brand">
          <Logo /> {texts.name}
        </span>
        <AccountMenu session={session} />
      </header>
      <main>
        <div class="cards-head">
          <h1>{t.title}</h1>
          {!none && (
            <label class="search">
              <Icon name="search" />
              <input
                type="search"
                aria-label={t.search}
                placeholder={t.search}
                value={query.value}
                onInput={(event) => {
                  query.value = event.currentTarget.value;
                  most.value = shownStep;
                }}
              />
            </label>
          )}
          {list.canCreate && !none && (
            <>
              <FileButton label={t.importFile} onFiles={take} />
              <button type="button" class="primary" onClick={() => void create()}>
                <Icon name="plus" /> {t.create}
              </button>
            </>
          )}
        </div>
        <p class={isProblem ? 'problem' : 'notice-line'} role={isProblem ? 'alert' : 'status'}>
          {busy === '' ? notice : busy}
        </p>
        {projects === undefined && notice === '' && <p class="starting">{texts.loading}</p>}
        {none && (
          <section class="welcome">
            <h2>{t.welcome}</h2>
            <p>{list.canCreate ? t.welcomeText : t.welcomeReadOnly}</p>
            {list.canCreate && (
              <div class="row">
                <button type="button" class="primary" onClick={() => void create()}>
                  <Icon name="plus" /> {t.create}
                </button>
                <button type="button" disabled={busy !== ''} onClick={() => void list.loadExamples()}>
                  {t.examples}
                </button>
                <FileButton label={t.importFile} onFiles={take} />
              </div>
            )}
          </section>
        )}
        {projects?.length === 0 && !none && <p class="empty">{t.noMatch(query.value)}</p>}
        <ul class="cards">
          {projects?.slice(0, most.value).map((project) => (
            <li key={project.id} class="card">
              <a href={hashOf({ screen: 'editor', project: project.id })}>
                <Preview session={session} id={project.id} publication={list.publications.value.get(project.id)} />
                <span class="card-name">{project.name || texts.unnamed}</span>
                <span class="hint">{texts.timeOf(project.created)}</span>
              </a>
              <Menu
                label={t.menu(project.name || texts.unnamed)}
                items={[
                  ...(list.canCreate ? [{ label: t.duplicate, onChoose: () => void list.duplicate(project) }] : []),
                  { label: t.download, onChoose: () => void list.download(project) },
                  ...(list.canWrite
                    ? [
                        {
                          label: t.remove,
                          isDanger: true,
                          onChoose: () => {
                            removing.value = project;
                          },
                        },
                      ]
                    : []),
                ]}
              />
            </li>
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
              {t.more}
            </button>
          </p>
        )}
        {list.canCreate && !none && projects !== undefined && (
          <p class="hint drop-hint">
            {t.dropHere}{' '}
            <button type="button" class="link" disabled={busy !== ''} onClick={() => void list.loadExamples()}>
              {t.examples}
            </button>
          </p>
        )}
      </main>
      {removing.value !== undefined && (
        <Confirm
          title={t.removeTitle(removing.value.name || texts.unnamed)}
          text={t.removeText}
          action={t.remove}
          onDecide={(yes) => {
            const project = removing.value;
            removing.value = undefined;
            if (yes && project !== undefined) void list.remove(project);
          }}
        />
      )}
    </div>
  );
}
