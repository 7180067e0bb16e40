/** The categories of a map: their order, colours, icons and names, and how many objects each has. */
import { categoryColours } from '../../../lib/draw/public-map.ts';
import { categoryCounts, changeCategory, mergeCategory, orderCategories } from '../commands/category-commands.ts';
import { selectCategory } from '../commands/object-commands.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { ColourInput } from '../forms/controls/colour-field.tsx';
import { Cell } from '../forms/list-fields.tsx';
import { IconSign } from '../icons/icon-sign.tsx';
import type { MapCategory } from '../kinds/map-categories.ts';
import { lateTexts } from '../late-texts.ts';
import { AddByName } from '../ui/add-by-name.tsx';
import { Icon, IconButton } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';

export function CategoryList({ model }: { readonly model: EditorModel }) {
  const { document } = model;
  const categories = document.looks.categories.value;
  const counts = categoryCounts(document);
  const add = (name: string): boolean => {
    const isNew = categories.every((each) => each.name !== name);
    const category = { name, label: '', color: nextColour(categories), icon: '', isHidden: false };
    if (isNew) void changeCategory(document, category, {});
    return isNew;
  };
  const t = lateTexts.mapSettings;
  return (
    <>
      <h3 id="categories-title">{t.categories}</h3>
      {categories.length === 0 && <p class="hint">{t.noCategories}</p>}
      <ul class="category-rows" aria-labelledby="categories-title">
        {categories.map((category, at) => (
          <CategoryRow key={category.name} {...{ model, categories, category, at }} count={counts.get(category.name) ?? 0} />
        ))}
      </ul>
      {document.canWrite && <AddByName label={t.newCategory} action={t.addCategory} onAdd={add} />}
    </>
  );
}

const nextColour = (categories: readonly MapCategory[]): string =>
  categoryColours.find((colour) => categories.every(({ color }) => color !== colour)) ?? categoryColours[0];

function CategoryRow(props: {
  readonly model: EditorModel;
  readonly categories: readonly MapCategory[];
  readonly category: MapCategory;
  /** Its place in the list. */
  readonly at: number;
  readonly count: number;
}) {
  const { model, categories, category, at, count } = props;
  const { document } = model;
  const isDisabled = !document.canWrite;
  const { name } = category;
  const t = lateTexts.mapSettings;
  const move = (to: number) => {
    const others = categories.map((each) => each.name).toSpliced(at, 1);
    void orderCategories(document, others.toSpliced(to, 0, name));
  };
  return (
    <li>
      <ColourInput
        label={t.categoryColour(name)}
        value={category.color}
        isDisabled={isDisabled}
        onCommit={(color) => void changeCategory(document, category, { color })}
      />
      <button
        type="button"
        class="quiet"
        aria-label={t.categoryIcon(name)}
        title={t.categoryIcon(name)}
        disabled={isDisabled}
        onClick={() => {
          model.workspace.icons.value = (icon) => void changeCategory(document, category, { icon });
        }}
      >
        {category.icon === '' ? <Icon name="spot" /> : <IconSign address={category.icon} />}
      </button>
      <Cell
        label={t.categoryLabel(name)}
        list={category}
        textOf={({ label }) => label || name}
        isDisabled={isDisabled}
        onCommit={(label) => void changeCategory(document, category, { label: label === name ? '' : label })}
      />
      <span class="count">
        {t.objectsOf(count)}
        {model.workspace.hiddenCategories.value.has(name) && <span class="hint"> {t.hiddenHere}</span>}
      </span>
      <label class="check">
        <input
          type="checkbox"
          aria-label={t.hidden(name)}
          checked={category.isHidden}
          disabled={isDisabled}
          onChange={(event) => void changeCategory(document, category, { hidden: event.currentTarget.checked })}
        />
        {t.hiddenShort}
      </label>
      {!isDisabled && (
        <span class="row">
          <IconButton icon="raise" label={t.up(name)} isDisabled={at === 0} onClick={() => move(at - 1)} />
          <IconButton icon="lower" label={t.down(name)} isDisabled={at === categories.length - 1} onClick={() => move(at + 1)} />
          <Menu label={t.actions(name)} items={actionsOf(props)} />
        </span>
      )}
    </li>
  );
}

function actionsOf({ model, categories, category, count }: Parameters<typeof CategoryRow>[0]) {
  const { document } = model;
  const { name } = category;
  const t = lateTexts.mapSettings;
  const merge = async (into: string) => {
    await mergeCategory(document, name, into);
    document.edits.notices.sayUndoable(into === '' ? t.removed(name) : t.merged(name, into));
  };
  const { workspace } = model;
  const toggle = workspace.hiddenCategories.value.has(name) ? texts.editor.showCategory : texts.editor.hideCategory;
  return [
    { label: toggle(category.label || name), onChoose: () => workspace.toggleCategory(name) },
    ...(count > 0 ? [{ label: t.selectAll, onChoose: () => selectCategory(model, name) }] : []),
    ...(count > 0 ? categories.filter((each) => each !== category) : []).map((each) => ({
      label: t.mergeInto(each.label || each.name),
      onChoose: () => void merge(each.name),
    })),
    { label: t.removeCategory, isDanger: true, onChoose: () => void merge('') },
  ];
}
