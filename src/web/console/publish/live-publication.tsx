/** What a published map does with its data: how often it is evaluated, and which hosts the server asks for it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PublishedSource } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { ProjectStore } from '../document/project-store.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import type { Resource } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { hasData } from '../live/live-state.ts';
import { Button } from '../ui/button.tsx';
import { HintedField } from '../ui/hinted-field.tsx';
import { askSources } from './ask-publication.ts';

/** Seconds, as the server takes them. */
const refreshRange = { least: 5, most: 86_400, ofLiveMap: 60 };
/** Pause between two questions for the newest answers, in milliseconds. */
const pollMs = 5000;

/** Data sources of which the newest answer is read before publishing, so that many of them make few requests. */
const readMax = 8;

/** The data sources that variables read, and that the server asks. */
function askedSources(store: ProjectStore): Resource[] {
  const read = new Set(store.members({ kind: 'variable' }).map(({ data_source_id }) => data_source_id));
  return store.members({ kind: 'data_source' }).filter(({ id, url }) => read.has(id) && URL.canParse(String(url ?? '')));
}

/** A refresh, and why it suits. */
interface Suitable {
  readonly seconds: number;
  readonly reason: string;
}

/** The seconds for which the newest answers of all data sources may be used; a minute for one that does not say. */
export function suitableRefresh({ store, live }: ProjectDocument): Suitable {
  const { least, most, ofLiveMap } = refreshRange;
  const ages = askedSources(store).map(({ id }) => live.responseOf(id).response?.max_age ?? undefined);
  const shortest = Math.min(...(ages.length === 0 ? [ofLiveMap] : ages.map((age) => age ?? ofLiveMap)));
  const seconds = Math.min(most, Math.max(least, shortest));
  const t = lateTexts.publish;
  return { seconds, reason: ages.includes(shortest) ? t.suitable(seconds) : t.usual(seconds) };
}

/** The refresh that is offered for a first publication: without actions, data do nothing. */
export const offeredRefresh = (project: ProjectDocument): number =>
  project.store.ids({ kind: 'action' }).length > 0 ? suitableRefresh(project).seconds : 0;

/** Reads the newest answers, on which the refresh depends. */
export function useNewestAnswers({ store, live }: ProjectDocument): void {
  const isEvaluated = live.evaluation.value !== undefined;
  useEffect(() => (hasData(store) ? live.watch() : undefined), [live]);
  useEffect(() => {
    for (const { id } of askedSources(store).slice(0, readMax))
      if (live.responseOf(id).response === undefined && live.mayHaveResponse(id)) void live.load(id);
  }, [isEvaluated]);
}

/** Whether a text is a refresh. */
export function isRefresh(text: string): boolean {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isInteger(seconds)) return false;
  return seconds === 0 || (seconds >= refreshRange.least && seconds <= refreshRange.most);
}

export function RefreshField(props: {
  /** What is typed; `undefined` for nothing. */
  readonly text: string | undefined;
  readonly stored: number;
  /** The refresh that suits the data sources; `undefined` to offer nothing else. */
  readonly suitable?: Suitable | undefined;
  readonly onText: (text: string) => void;
}) {
  const { text = String(props.stored), suitable } = props;
  const isInvalid = !isRefresh(text);
  const t = lateTexts.publish;
  const hint = t.refreshHint(refreshRange.least, refreshRange.most);
  return (
    <>
      <HintedField id="refresh" label={t.refresh} hint={hint} problem={isInvalid ? hint : ''}>
        {(described) => (
          <input
            {...described}
            class="seconds"
            type="number"
            min={0}
            max={refreshRange.most}
            value={text}
            onInput={(event) => props.onText(event.currentTarget.value)}
          />
        )}
      </HintedField>
      {suitable !== undefined && text !== '0' && text !== String(suitable.seconds) && (
        <p class="hint">
          {suitable.reason} <Button label={t.useSuitable} class="link" onClick={() => props.onText(String(suitable.seconds))} />
        </p>
      )}
      {!isInvalid && <p>{text === '0' ? t.still : t.visitorsSee(2 * Number(text))}</p>}
    </>
  );
}

/** The hosts that a project which is not public yet will ask: those of the data sources that variables read. */
export function Hosts({ store }: { readonly store: ProjectStore }) {
  store.revision({ kind: 'data_source' }).value;
  store.revision({ kind: 'variable' }).value;
  const hosts = [...new Set(askedSources(store).map(({ url }) => new URL(String(url)).host))];
  if (hosts.length === 0) return null;
  return <p class="hint">{lateTexts.publish.hosts(hosts)}</p>;
}

/** The data sources of a published map, and what each answered last. */
export function SourceList({ project, version }: { readonly project: ProjectDocument; readonly version: number }) {
  const found = useSignal<readonly PublishedSource[]>([]);
  const { store } = project;
  const { session } = project.connection;
  useEffect(() => {
    let isHere = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        if (document.visibilityState === 'visible') found.value = await askSources(session.client, store.id);
      } catch {
        // The list stays as it is: the panel says itself if the server does not answer.
      }
      if (isHere) timer = setTimeout(() => void ask(), pollMs);
    };
    void ask();
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [session, version]);
  const t = lateTexts.publish;
  if (found.value.length === 0) return null;
  return (
    <>
      <h3>{t.sources}</h3>
      <ul class="published-sources">
        {found.value.map(({ data_source_id, name, host, at, problem }) => (
          <li key={data_source_id}>
            <strong>{name || texts.unnamed}</strong> {host === '' ? t.pushed : host}
            <br />
            <span class="hint">{at === null ? t.noAnswer : t.answered(at)}</span>
            {problem !== null && <p class="warning-text">{problem.detail}</p>}
          </li>
        ))}
      </ul>
      <p class="hint">{t.asPublished}</p>
    </>
  );
}
