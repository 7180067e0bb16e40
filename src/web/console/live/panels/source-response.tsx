/** The newest response of a data source: asked for now, pushed by hand, and as a tree from which variables are made. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { sameJson } from '../../../../lib/change/same-json.ts';
import { texts } from '../../console-texts.ts';
import type { EditorModel } from '../../editor/editor-model.ts';
import { FollowListPanel } from '../../follow-list/follow-list-panel.tsx';
import { ListCards } from '../../follow-list/list-cards.tsx';
import { addAt, addOfRow, addOfRows } from '../../follow-list/new-variables.ts';
import { followedLists } from '../../follow-list/read-lists.ts';
import { lateTexts } from '../../late-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { finishTyping } from '../../ui/use-draft.ts';
import { type JsonRow, placeKey } from '../json-rows.ts';
import { JsonTree } from '../json-tree.tsx';
import type { SourceResponse as Response } from '../live-api.ts';
import { valueAt } from '../path-keys.ts';
import { isRecords, type RecordPlace, recordAt } from '../record-choice.ts';
import { RowQuestion } from './row-question.tsx';

interface Props {
  readonly model: EditorModel;
  readonly id: string;
}

export function SourceResponse({ model, id }: Props) {
  const { live, store, canWrite, edits } = model.document;
  const t = texts.live;
  // Another failure, or none any more, comes with another response.
  const failing = live.failing.value?.find((each) => each.data_source_id === id && !each.published);
  useEffect(() => {
    if (live.mayHaveResponse(id)) void live.load(id);
  }, [id, failing?.since, failing?.code]);
  store.revision({ kind: 'data_source' }).value;
  const { response, isAsking, failure } = live.responseOf(id);
  const hasUrl = String(store.shown(id)?.['url'] ?? '') !== '';
  const isTyped = useTypedAddress();
  const isUnsaved = store.unsaved(id) !== undefined && edits.state.value !== 'saving';
  const ask = () => {
    finishTyping();
    void live.fetch(id);
  };
  return (
    <section class="source-response" aria-labelledby="response-heading">
      <h3 id="response-heading">{t.response}</h3>
      <div class="row">
        {canWrite && (hasUrl || isTyped) && <Button label={t.tryIt} class="primary" disabled={isAsking} onClick={ask} />}
        <Button label={t.showNewest} disabled={isAsking} onClick={() => void live.load(id)} />
      </div>
      {isUnsaved && <p class="warning-text">{t.tryUnsaved}</p>}
      <div role="status" class="response-status">
        {isAsking ? (
          t.asking
        ) : response === undefined ? (
          <p class="hint">{hasUrl || isTyped ? t.noResponse : t.noPush}</p>
        ) : (
          <Status {...response} />
        )}
      </div>
      <Problem text={failure} />
      <PublishedFailure model={model} id={id} />
      <ListCards model={model} sourceId={id} />
      {response?.body !== undefined && <Body model={model} id={id} body={response.body} />}
      {canWrite && !hasUrl && !isTyped && <PushEditor key={id} model={model} id={id} />}
    </section>
  );
}

/** True while the field of the address has a text that is not committed yet. */
function useTypedAddress(): boolean {
  const isTyped = useSignal(false);
  useEffect(() => {
    const look = ({ type, target }: Pick<Event, 'type' | 'target'>): void => {
      if (!(target instanceof HTMLInputElement) || target.id !== 'field-url') return;
      isTyped.value = type !== 'focusout' && target.value.trim() !== '';
    };
    // Esc takes the text back without an event of the field.
    const events = ['input', 'keyup', 'focusout'];
    for (const name of events) addEventListener(name, look);
    // The text may be older than this panel, which is loaded late.
    look({ type: 'input', target: document.activeElement });
    return () => {
      for (const name of events) removeEventListener(name, look);
    };
  }, []);
  return isTyped.value;
}

function Status({ at, status, ms, bytes, pushed, problem, body_at }: Response) {
  const t = texts.live;
  return (
    <>
      <p>
        {pushed ? t.pushed : status === null ? t.noStatus : t.status(status)}
        {!pushed && status !== null && ` · ${t.ms(ms)}`}
        {` · ${t.bytes(bytes)} · `}
        <time dateTime={at}>{t.clock(at)}</time>
      </p>
      {problem !== null && (
        <p class="problem">
          {problem.detail} {lateTexts.health.goodData(body_at)}
        </p>
      )}
    </>
  );
}

/** The public map asks the data source with other settings, and these fail. */
function PublishedFailure({ model, id }: Props) {
  const t = lateTexts.health;
  const found = model.document.live.failing.value?.find((each) => each.published && each.data_source_id === id);
  if (found === undefined) return null;
  return (
    <p class="warning-text">
      {t.published(found.detail)} {t.since(found.since)} {t.goodData(found.body_at)} {t.publishedHint}
    </p>
  );
}

function Body({ model, id, body }: Props & { readonly body: unknown }) {
  const { store, canWrite } = model.document;
  const t = texts.live;
  const asked = useSignal<RecordPlace | undefined>(undefined);
  const place = asked.value;
  /** Keys of the list that objects are about to follow. */
  const followed = useSignal<readonly string[] | undefined>(undefined);
  const rows = followed.value && valueAt(body, followed.value);
  const source = { model, sourceId: id };
  const sourceName = String(store.shown(id)?.['name'] || texts.unnamed);
  const choiceOf = ({ kind }: JsonRow): string =>
    !canWrite || kind === 'object' ? '' : kind === 'array' ? t.makeIterator : t.makeVariable;
  const make = ({ keys, kind }: JsonRow): void => {
    asked.value = kind === 'value' ? recordAt(body, keys) : undefined;
    if (asked.value === undefined) addAt(source, keys, kind === 'array' ? 'iterator' : 'primitive');
  };
  return (
    <>
      {canWrite && <p class="hint">{t.treeHint}</p>}
      <JsonTree
        key={id}
        label={t.responseOf(sourceName)}
        id="json"
        root={body}
        rootName={t.rootOfResponse}
        choiceOf={choiceOf}
        onChoose={make}
        listAction={(row) =>
          canWrite && (
            <Button
              label={lateTexts.followList.action}
              onClick={() => {
                followed.value = row.keys;
              }}
            />
          )
        }
      />
      {isRecords(rows) && (
        <FollowListPanel
          key={placeKey(followed.value ?? [])}
          {...{ model, sourceId: id, list: followed.value ?? [], rows }}
          before={followedLists(model).find(({ sourceId, list }) => sourceId === id && sameJson(list, followed.value))}
          onClose={() => {
            followed.value = undefined;
          }}
        />
      )}
      {place !== undefined && (
        <RowQuestion
          place={place}
          onRow={() => addOfRow(source, place)}
          onAll={() => void addOfRows(source, place)}
          onClose={() => {
            asked.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** Responses of up to this number of bytes can be edited by hand. */
const editedBytesMax = 100_000;

/** A response by hand, for a data source that has no address. */
function PushEditor({ model, id }: Props) {
  const { live } = model.document;
  const t = texts.live;
  const { response, isAsking } = live.responseOf(id);
  const typed = useSignal<string | undefined>(undefined);
  const problem = useSignal('');
  const isLong = response !== undefined && response.bytes > editedBytesMax;
  const text = typed.value ?? (response?.body === undefined || isLong ? '' : JSON.stringify(response.body, null, 2));
  const push = async () => {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch (error) {
      problem.value = t.notJson((error as Error).message);
      return;
    }
    await live.push(id, body);
    if (live.responseOf(id).failure === '') typed.value = undefined;
  };
  return (
    <div class={`field ${problem.value === '' ? '' : 'invalid'}`}>
      <label for="push-body">{t.push}</label>
      <textarea
        id="push-body"
        class="code"
        rows={Math.min(12, Math.max(4, text.split('\n').length))}
        spellcheck={false}
        aria-describedby={problem.value === '' ? 'push-hint' : 'push-hint push-problem'}
        aria-invalid={problem.value !== ''}
        value={text}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          problem.value = '';
        }}
      />
      <p class="hint" id="push-hint">
        {t.pushHint}
      </p>
      {problem.value !== '' && (
        <p class="problem" id="push-problem" role="alert">
          {problem.value}
        </p>
      )}
      <p>
        <Button label={t.pushIt} class="primary" disabled={isAsking} onClick={() => void push()} />
      </p>
    </div>
  );
}
