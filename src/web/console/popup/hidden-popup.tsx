/** Says that visitors never see the popup of an object, because a click does something else. */
import { addressOf } from '../../../lib/draw/link-rules.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Doubt } from '../ui/problem.tsx';

/** As the viewer decides it: an action that leads nowhere leaves the click to the popup. */
function leadsTo({ store }: ProjectDocument, object: Members): 'artboard' | 'link' | undefined {
  const { click_action: action, click_action_artboard_id: artboardId, click_action_url: url } = object;
  if (action === 'change-artboard') return store.refOf(String(artboardId))?.kind === 'artboard' ? 'artboard' : undefined;
  return action === 'follow-link' && addressOf(String(url), 'link', 'https://map.example/') !== undefined ? 'link' : undefined;
}

/** @param objectId of the object to which the popup is attached */
export function HiddenPopup({ model, objectId }: { readonly model: EditorModel; readonly objectId: string }) {
  const { store } = model.document;
  store.revision({ kind: 'object', artboardId: store.refOf(objectId)?.artboardId }).value;
  model.document.artboards.value;
  const target = leadsTo(model.document, store.shown(objectId) ?? {});
  return <Doubt text={target === undefined ? '' : lateTexts.hiddenPopup[target]} />;
}
