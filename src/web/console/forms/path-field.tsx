/** The path of a variable's value: chosen in the newest response, with filters as rows. */
import { useSignal } from '@preact/signals';
import { isPlain } from '../../../lib/change/value-parts.ts';
import { operatorOf, operators } from '../../../live/evaluate/values/comparison.ts';
import { texts } from '../console-texts.ts';
import type { Members, Resource } from '../kinds/resource-kinds.ts';
import { takesValue } from '../live/condition-truth.ts';
import type { JsonKind, JsonRow } from '../live/json-rows.ts';
import { JsonTree } from '../live/json-tree.tsx';
import { keysOf, withKeys } from '../live/path-keys.ts';
import { Button } from '../ui/button.tsx';
import type { ControlProps, FormModel } from './control-props.ts';
import { Cell, RemoveButton, replaced, without } from './list-fields.tsx';
import { OpenField } from './open-field.tsx';

const readsItems: ReadonlySet<unknown> = new Set(['primitive-from-iterator', 'coords-from-iterator']);

/** What a type reads: a value, a list, or coordinates, which are a list or a GeoJSON object. */
const wantedBy = (type: unknown): readonly JsonKind[] => {
  if (type === 'primitive' || type === 'primitive-from-iterator') return ['value'];
  return type === 'iterator' ? ['array', 'object'] : ['array', 'object'];
};

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

function PathTree(props: {
  readonly model: FormModel;
  readonly variable: Resource;
  readonly rootName: string;
  readonly chosen: readonly string[] | undefined;
  readonly onChoose: (keys: readonly string[]) => void;
}) {
  const { model, variable } = props;
  const { live, store } = model.document;
  const t = texts.live;
  const wanted = wantedBy(variable['type']);
  let root: unknown;
  let missing = '';
  if (readsItems.has(variable['type'])) {
    const iterator = String(variable['iterator_id'] ?? '');
    const items = live.valueOf(iterator);
    root = Array.isArray(items) ? items[0] : undefined;
    missing = iterator === '' ? t.noIterator : t.noItem;
  } else {
    const source = String(variable['data_source_id'] ?? '');
    root = live.responseOf(source).response?.body;
    if (source === '') missing = t.noSource;
    else return <SourceTree {...props} source={source} root={root} wanted={wanted} />;
  }
  if (root === undefined) return <p class="hint">{missing}</p>;
  return (
    <Tree
      {...props}
      root={root}
      wanted={wanted}
      label={t.itemOf(String(store.shown(String(variable['iterator_id']))?.['name'] ?? ''))}
    />
  );
}

/** The tree of a data source's newest response, or how to get one. */
function SourceTree(
  props: Parameters<typeof PathTree>[0] & {
    readonly source: string;
    readonly root: unknown;
    readonly wanted: readonly JsonKind[];
  },
) {
  const { model, source, root } = props;
  const { live, store, canWrite } = model.document;
  const t = texts.live;
  const { isAsking, failure, response } = live.responseOf(source);
  const name = String(store.shown(source)?.['name'] || texts.unnamed);
  return (
    <>
      {root !== undefined && <Tree {...props} label={t.responseOf(name)} />}
      {root === undefined && (
        <p class="hint" role="status">
          {isAsking ? t.asking : t.noResponse}
        </p>
      )}
      {failure !== '' && <p class="problem">{failure}</p>}
      {response?.problem != null && <p class="problem">{response.problem.detail}</p>}
      <p class="row">
        {canWrite && (store.shown(source)?.['url'] ?? '') !== '' && (
          <Button label={t.tryIt} disabled={isAsking} onClick={() => void live.fetch(source)} />
        )}
        <Button label={t.openSource(name)} class="link" onClick={() => model.selection.select([source])} />
      </p>
    </>
  );
}

function Tree(props: {
  readonly root: unknown;
  readonly rootName: string;
  readonly label: string;
  readonly wanted: readonly JsonKind[];
  readonly chosen: readonly string[] | undefined;
  readonly onChoose: (keys: readonly string[]) => void;
}) {
  const choiceOf = ({ kind }: JsonRow): string => (props.wanted.includes(kind) ? texts.live.choose : '');
  return (
    <JsonTree
      id="path"
      label={props.label}
      root={props.root}
      rootName={props.rootName}
      chosen={props.chosen}
      choiceOf={choiceOf}
      onChoose={({ keys }) => props.onChoose(keys)}
    />
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
  const operator = operatorOf(String(filter['operator'] ?? 'equals'));
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
        value={filter['operator']}
        isDisabled={isDisabled}
        onChoose={(chosen) => set(path, { operator: chosen })}
      />
      {takesValue(operator) && (
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

function OperatorChoice(props: {
  readonly label: string;
  readonly value: unknown;
  readonly isDisabled: boolean;
  readonly onChoose: (operator: string) => void;
}) {
  const stored = String(props.value ?? 'equals');
  const value = operatorOf(stored) ?? stored;
  const listed: readonly string[] = operatorOf(stored) === undefined ? [stored, ...operators] : operators;
  const names: Readonly<Record<string, string>> = texts.actions.operators;
  return (
    <select
      aria-label={props.label}
      disabled={props.isDisabled}
      value={value}
      onChange={(event) => props.onChoose(event.currentTarget.value)}
    >
      {listed.map((operator) => (
        <option key={operator} value={operator} selected={operator === value}>
          {Object.hasOwn(names, operator) ? names[operator] : operator}
        </option>
      ))}
    </select>
  );
}
