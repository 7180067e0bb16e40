/** Selects objects by kind. */
import { texts } from '../console-texts.ts';
import { Menu } from '../ui/menu.tsx';
import type { EditorModel } from './editor-model.ts';
import { kindsOfSelection, selectAlike } from './object-commands.ts';

export function SelectMenu({ model }: { readonly model: EditorModel }) {
  const t = texts.several;
  const hasObject = model.selectedObjects.length > 0;
  const items = kindsOfSelection
    .filter((by) => hasObject || by === 'unnamed' || by === 'all')
    .map((by) => ({
      label: t.alike[by],
      onChoose: () => {
        if (selectAlike(model, by) === 0) model.edits.say(t.noneAlike);
      },
    }));
  return <Menu label={t.select} items={items} />;
}
