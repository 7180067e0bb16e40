/** The menu of the objects: selects by kind, copies, pastes. */

import { changeMember, kindsOfSelection, selectAlike } from '../commands/object-commands.ts';
import { texts } from '../console-texts.ts';
import { copiedIn } from '../editor/copied-objects.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { Menu } from '../ui/menu.tsx';

/** A page over plain HTTP may not use the clipboard: then what was copied can be pasted on this page. */
function copyToClipboard(model: EditorModel): void {
  const text = model.copies.copy();
  if (text !== undefined) void navigator.clipboard?.writeText(text).catch(() => undefined);
}

async function pasteFromClipboard(model: EditorModel): Promise<void> {
  const text = await navigator.clipboard?.readText().catch(() => '');
  if (text !== undefined && copiedIn(text) !== undefined) await model.copies.paste(text);
  else await model.copies.pasteAgain();
}

export function SelectMenu({ model }: { readonly model: EditorModel }) {
  const t = texts.several;
  const hasObject = model.selection.selectedObjects.length > 0;
  const items = kindsOfSelection
    .filter((by) => hasObject || by === 'unnamed' || by === 'all')
    .map((by) => ({
      label: t.alike[by],
      onChoose: () => {
        if (selectAlike(model, by) === 0) model.document.edits.notices.say(t.noneAlike);
      },
    }));
  const copies = [
    ...(hasObject ? [{ label: texts.copies.copy, onChoose: () => copyToClipboard(model) }] : []),
    ...(model.document.canWrite ? [{ label: texts.copies.paste, onChoose: () => void pasteFromClipboard(model) }] : []),
  ];
  return <Menu label={t.select} items={[...items, ...categoriesOf(model), ...copies]} />;
}

/** Categories that the menu offers at most: a form takes any. */
const categoriesMax = 12;

/** Gives the selected objects a category, and hides the one that they have. */
function categoriesOf(model: EditorModel) {
  const { document, selection, workspace } = model;
  const [first] = selection.selectedObjects;
  if (first === undefined) return [];
  const t = texts.editor;
  const name = String(document.store.shown(first.id)?.['category'] ?? '');
  const others = document.canWrite ? document.looks.categories.value.filter((each) => each.name !== name) : [];
  return [
    ...(name === '' ? [] : [{ label: t.hideCategory(name), onChoose: () => workspace.toggleCategory(name) }]),
    ...others.slice(0, categoriesMax).map((each) => ({
      label: t.giveCategory(each.label || each.name),
      onChoose: () => void changeMember(model, 'category', each.name),
    })),
  ];
}
