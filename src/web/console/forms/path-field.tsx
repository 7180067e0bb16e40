/** The path of a variable's value: chosen in the newest response, with filters as rows. */
import { useSignal } from '@preact/signals';
import { isPlain } from '../../../lib/change/value-parts.ts';
import { operatorOf } from '../../../live/evaluate/values/comparison.ts';
import { texts } from '../console-texts.ts';
import type { Members, Resource } from '../kinds/resource-kinds.ts';
import { takesValue } from '../live/condition-truth.ts';
import type { JsonKind } from '../live/json-rows.ts';
import { JsonTree } from '../live/json-tree.tsx';
import { keysOf, withKeys } from '../live/path-keys.ts';
import { Button } from '../ui/button.tsx';
import { OperatorChoice } from './conditions-field.tsx';
import type { ControlProps, FormModel } from './controls/control-props.ts';
import { OpenField } from './controls/open-field.tsx';
import { Cell, RemoveButton, replaced, without } from './list-fields.tsx';

const readsItems: ReadonlySet<unknown> = new Set(['primitive-from-iterator', 'coords-from-iterator']);

/** The kinds of JSON that a type reads: a value, or a list or an object, which coordinates may be, too. */
const wantedBy = (type: unknown): readonly JsonKind[] =>
  type === 'primitive' || type === 'primitive-from-iterator' ? ['value'] : ['array', 'object'];

export function PathField(props: ControlProps) {
  const { model, target, value, controlId, isDisabled, onCommit } = props;
  const isOpen = useSignal(false);
  const variable = model.document.store.shown(target.id);
  const path = (value ?? {}) as Members;
  const keys = keysOf(path);
  const t = texts.live;
  const variableReadsItems = readsItems.has(variable?.['type']);
  const whole = variableReadsItems ? t.wholeItem : t.wholeResponse;
  const toggle = (): void => {
    isOpen.value = !isOpen.value;
    const source = String(variable?.['data_source_id'] ?? '');
    if (isOpen.value && !variableReadsItems && model.document.live.mayHaveResponse(source)) void model.document.live.load(source);
  };
  const shown = (
    <span class="path grow" id={`${controlId}-path`}>
      {keys === undefined ? t.pathNowhere : keys.length === 0 ? whole : keys.join(' › ')}
    </span>
  );
  return (
    <OpenField control={props} isKnown={isPlain(value) && filtersOf(path).every(isPlain)} head={shown}>
      <div class="path-field">
        {!isDisabled && (
          <Button
            label={isOpen.value ? t.closeTree : t.choosePath}
            id={controlId}
            aria-expanded={isOpen.value}
            aria-describedby={`${controlId}-path`}
            onClick={toggle}
          />
        )}
        {isOpen.value && variable !== undefined && (
          <PathTree
            model={model}
            variable={variable}
            rootName={variableReadsItems ? t.rootOfItem : t.rootOfResponse}
            chosen={keys}
            onChoose={(chosen) => {
              isOpen.value = false;
              onCommit(withKeys(path, chosen), value);
              document.getElementById(controlId)?.focus();
            }}
          />
        )}
        <Filters {...props} path={path} />
      </div>
    </OpenField>
  );
}

/** The JSON that a variable reads as a tree: the first item of its iterator, or the newest response of its data source. */
function PathTree(props: {
  readonly model: FormModel;
  readonly variable: Resource;
  readonly rootName: string;
  readonly chosen: readonly string[] | undefined;
  readonly onChoose: (keys: readonly string[]) => void;
}) {
  const { model, variable, rootName, chosen } = props;
  const { live, store } = model.document;
  const t = texts.live;
  const wanted = wantedBy(variable['type']);
  const isOfItem = readsItems.has(variable['type']);
  const from = String(variable[isOfItem ? 'iterator_id' : 'data_source_id'] ?? '');
  if (from === '') return <p class="hint">{isOfItem ? t.noIterator : t.noSource}</p>;
  const items = isOfItem ? live.valueOf(from) : undefined;
  const root = isOfItem ? (Array.isArray(items) ? items[0] : undefined) : live.responseOf(from).response?.body;
  const name = String(store.shown(from)?.['name'] || '');
  return (
    <>
      {root !== undefined && (
        <JsonTree
          id="path"
          label={isOfItem ? t.itemOf(name) : t.responseOf(name || texts.unnamed)}
          root={root}
          rootName={rootName}
          chosen={chosen}
          choiceOf={({ kind }) => (wanted.includes(kind) ? t.choose : '')}
          onChoose={({ keys }) => props.onChoose(keys)}
        />
      )}
      {isOfItem ? root === undefined && <p class="hint">{t.noItem}</p> : <SourceState model={model} source={from} />}
    </>
  );
}

/** Says how the newest response of a data source came, with the ways to another one. */
function SourceState({ model, source }: { readonly model: FormModel; readonly source: string }) {
  const { live, store, canWrite } = model.document;
  const t = texts.live;
  const { isAsking, failure, response } = live.responseOf(source);
  const { name, url = '' } = store.shown(source) ?? { id: '' };
  return (
    <>
      {response?.body === undefined && (
        <p class="hint" role="status">
          {isAsking ? t.asking : t.noResponse}
        </p>
      )}
      {failure !== '' && <p class="problem">{failure}</p>}
      {response?.problem != null && <p class="problem">{response.problem.detail}</p>}
      <p class="row">
        {canWrite && url !== '' && <Button label={t.tryIt} disabled={isAsking} onClick={() => void live.fetch(source)} />}
        <Button
          label={t.openSource(String(name || texts.unnamed))}
          class="link"
          onClick={() => model.selection.select([source])}
        />
      </p>
    </>
  );
}

const filtersOf = (path: Members): readonly unknown[] => (Array.isArray(path['filters']) ? path['filters'] : []);

/** The value that a text in a cell stands for: in the type that the value had before, if the text has its form. */
function typedLike(before: unknown, text: string): unknown {
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  return text;
}

/** A value in a cell. */
const cellText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

function Filters({ path, isDisabled, onCommit }: ControlProps & { readonly path: Members }) {
  const filters = filtersOf(path);
  const t = texts.live;
  const commit = (next: readonly unknown[], base: Members): void => onCommit({ ...base, filters: next }, base);
  return (
    <fieldset class="rows choice">
      <legend class="sr-only">{t.filters}</legend>
      {filters.length > 0 && <span class="hint">{t.filtersHint}</span>}
      {filters.map((filter, at) => (
        <FilterRow key={at} at={at} path={path} filter={filter as Members} isDisabled={isDisabled} commit={commit} />
      ))}
      {!isDisabled && (
        <Button
          icon="plus"
          label={t.addFilter}
          onClick={() => commit([...filters, { key: '', operator: 'equals', value: '' }], path)}
        />
      )}
    </fieldset>
  );
}

function FilterRow(props: {
  readonly at: number;
  readonly path: Members;
  readonly filter: Members;
  readonly isDisabled: boolean;
  /** @param base the path at which the edit began */
  readonly commit: (next: readonly unknown[], base: Members) => void;
}) {
  const { at, path, filter, isDisabled, commit } = props;
  const t = texts.live;
  const stored = String(filter['operator'] ?? 'equals');
  const filterOf = (base: Members): Members => (filtersOf(base)[at] ?? {}) as Members;
  const set = (base: Members, change: Members): void =>
    commit(replaced(filtersOf(base), at, { ...filterOf(base), ...change }), base);
  return (
    <div class="filter-row">
      <Cell
        label={t.filterKey(at + 1)}
        list={path}
        textOf={(base) => cellText(filterOf(base)['key'])}
        isDisabled={isDisabled}
        onCommit={(key, base) => set(base, { key })}
      />
      <OperatorChoice
        label={t.filterOperator(at + 1)}
        stored={stored}
        isDisabled={isDisabled}
        onChoose={(chosen) => set(path, { operator: chosen })}
      />
      {takesValue(operatorOf(stored)) && (
        <Cell
          label={t.filterValue(at + 1)}
          list={path}
          textOf={(base) => cellText(filterOf(base)['value'])}
          isDisabled={isDisabled}
          onCommit={(text, base) => set(base, { value: typedLike(filterOf(base)['value'], text) })}
        />
      )}
      {!isDisabled && <RemoveButton n={at + 1} onClick={() => commit(without(filtersOf(path), at), path)} />}
    </div>
  );
}
