/** Which rows are which objects: by key, name or property, and what has no partner. */
import type { Signal } from '@preact/signals';
import { isPlain } from '../../../lib/change/value-parts.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { Members, Resource } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Select } from '../ui/select.tsx';
import { type PlacedObject, propertyNames, type RowMatches, textOfObject } from './list-columns.ts';
import type { ListMatch } from './list-plan.ts';
import { Choice, Section, type SectionProps } from './section.tsx';

/** Rows without an object that can be given one here. */
const fixedRowsMax = 50;
/** Objects that are offered for a row. */
const offeredMax = 500;

type Props = SectionProps & {
  readonly model: EditorModel;
  /** Number of rows. */
  readonly count: number;
  readonly found: RowMatches;
  readonly objects: readonly PlacedObject[];
  readonly fixes: Signal<ReadonlyMap<string, Members>>;
};

export function MatchSection(props: Props) {
  const { plan, columns, model, count, found, objects, fixes } = props;
  const { match } = plan;
  const { store } = model.document;
  const t = lateTexts.followList;
  const change = (members: Partial<ListMatch>): void => {
    fixes.value = new Map();
    props.onChange({ match: { ...match, ...members } });
  };
  const properties = propertyNames(objects);
  if (match.by === 'property') properties.add(match.property);
  const categories = new Set(objects.map(({ object }) => String(object['category'] ?? '')).filter((name) => name !== ''));
  if (match.category !== '') categories.add(match.category);
  const way = match.by === 'property' ? `property ${match.property}` : match.by;
  return (
    <Section title={t.match}>
      <p class="row wrap">
        <Choice
          word={t.column}
          value={match.column}
          options={columns.map(({ name }) => [name, name])}
          onChoose={(column) => change({ column })}
        />
        <Choice
          word={t.is}
          value={way}
          options={[
            ['key', t.ways.key],
            ['name', t.ways.name],
            ...[...properties].map((name) => [`property ${name}`, t.ways.property(name)] as const),
          ]}
          onChoose={(next) => {
            if (next === 'key' || next === 'name') change({ by: next, property: '' });
            else change({ by: 'property', property: next.slice('property '.length) });
          }}
        />
      </p>
      <p class="row wrap">
        <Choice
          word={t.on}
          value={match.artboardId}
          options={[
            ['', t.allArtboards],
            ...store.members({ kind: 'artboard' }).map(({ id, name }) => [id, String(name || texts.unnamed)] as const),
          ]}
          onChoose={(artboardId) => change({ artboardId })}
        />
        {categories.size > 0 && (
          <Choice
            word={t.category}
            value={match.category}
            options={[['', t.allCategories], ...[...categories].map((name) => [name, name] as const)]}
            onChoose={(category) => change({ category })}
          />
        )}
      </p>
      <p role="status" class={found.rows.length === 0 ? '' : 'warning-text'}>
        {t.matched(found.matched, count)} {found.rows.length > 0 && t.rowsWithout(found.rows.length)}{' '}
        {found.unnamed > 0 && t.objectsWithout(found.unnamed)}
      </p>
      {found.rows.length > 0 && <Unmatched match={match} found={found} fixes={fixes} />}
    </Section>
  );
}

/** The rows without an object, each with a choice of one: it gets the text of the row. */
function Unmatched({
  match,
  found,
  fixes,
}: {
  readonly match: ListMatch;
  readonly found: RowMatches;
  readonly fixes: Props['fixes'];
}) {
  const t = lateTexts.followList;
  const choose = (text: string, id: string): void => {
    const object = found.objects.find((each) => each.id === id);
    if (object !== undefined) fixes.value = new Map(fixes.value).set(id, namedBy(object, match, text));
  };
  const options = found.objects.slice(0, offeredMax).map((each) => [each.id, nameOf(each, match)] as const);
  return (
    <details>
      <summary>{t.showRows}</summary>
      <table class="follow-rows">
        <thead>
          <tr>
            <th scope="col">{t.row}</th>
            <th scope="col">{match.column}</th>
            <th scope="col">{t.object}</th>
          </tr>
        </thead>
        <tbody>
          {found.rows.slice(0, fixedRowsMax).map(({ row, text }) => (
            <tr key={row}>
              <td>{row + 1}</td>
              <td>{text === '' ? t.noValue : text}</td>
              <td>
                {text !== '' && options.length > 0 && (
                  <Select
                    aria-label={t.objectOf(text)}
                    value=""
                    options={[['', t.choose], ...options]}
                    onChoose={(id) => choose(text, id)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.rows.length > fixedRowsMax && <p class="hint">{t.moreRows(found.rows.length - fixedRowsMax)}</p>}
      <p class="hint">{t.fixHint(match.by === 'property' ? t.ways.property(match.property) : t.ways[match.by])}</p>
    </details>
  );
}

/** The members by which an object has a text. */
function namedBy({ properties }: Resource, { by, property }: ListMatch, text: string): Members {
  if (by !== 'property') return { [by]: text };
  return { properties: { ...(isPlain(properties) ? properties : {}), [property]: text } };
}

const nameOf = (object: Resource, match: ListMatch): string => {
  const name = String(object['name'] || texts.unnamed);
  const text = textOfObject(object, match);
  return text === '' || text === name ? name : `${name} (${text})`;
};
