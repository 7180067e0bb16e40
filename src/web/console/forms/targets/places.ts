/** What a link may lead to within a project: its floors, and then the objects of each. */
import type { EditorModel } from '../../editor/editor-model.ts';
import type { Place } from '../../popup/messages.ts';
import type { Resource } from '../../project/resource-kinds.ts';
import { type TargetName, targetNames } from './target-names.ts';

const hasName = ({ name }: Resource): boolean => typeof name === 'string' && name !== '';

/** Whether an artboard or an object has this identifier or name. */
export const hasPlace = ({ store }: EditorModel, place: string): boolean =>
  [...store.all()].some(
    ({ ref: { kind, id }, value: { name } }) =>
      place !== '' && (kind === 'artboard' || kind === 'object') && (id === place || String(name).trim() === place),
  );

export function placesOf({ store, artboards }: EditorModel): readonly (Place & TargetName)[] {
  const floors = artboards.peek();
  const objects = floors.flatMap(({ id }) => store.members({ kind: 'object', artboardId: id })).filter(hasName);
  const floorOf = (id: string): string => String(store.shown(store.refOf(id)?.artboardId ?? '')?.['name'] ?? '');
  return [
    ...targetNames(floors, () => '').map((name) => ({ ...name, kind: 'floor' as const })),
    ...targetNames(objects, floorOf).map((name) => ({ ...name, kind: 'object' as const })),
  ];
}
