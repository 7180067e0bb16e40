/** Texts of a popup, the members of an action that set them, and new popups. */
import type { Members } from '../evaluation.ts';
import { member, numberMember, textMember } from '../open-json.ts';
import type { ActionReader } from './action-reader.ts';
import { popupDefaults } from './resource-defaults.ts';

const popupTexts = [
  ['title', 'popup_title', 'text'],
  ['image', 'popup_image', 'picture'],
  ['content', 'popup_content', 'html'],
  ['buttonText', 'popup_button_text', 'text'],
  ['buttonLink', 'popup_button_link', 'link'],
] as const;

/** Sets the texts of an action that are not empty; one that is left out stays as it is. */
export function textSetter(reader: ActionReader): (popup: Record<string, unknown>, item: number) => void {
  const texts = popupTexts.flatMap(([name, from, use]) =>
    textMember(reader.action.json, from) === '' ? [] : [{ name, fill: reader.text(from, use) }],
  );
  return (popup, item) => {
    for (const { name, fill } of texts) {
      const text = fill(item);
      if (text !== undefined) popup[name] = text;
    }
  };
}

/** Makes the popup of an object for an item. */
type PopupMaker = (item: number, objectId: string, id: string) => Members;

/** `undefined` for an action that creates no popups. */
export function popupMaker(reader: ActionReader): PopupMaker | undefined {
  const { json } = reader.action;
  if (member(json, 'create_popup') !== true) return undefined;
  const texts = popupTexts.map(([name, from, use]) => ({ name, fill: reader.text(from, use) }));
  const fixed = fixedMembers(json);
  return (item, objectId, id) => {
    const popup: Record<string, unknown> = { ...fixed, id, attachedTo: objectId };
    for (const { name, fill } of texts) popup[name] = fill(item) ?? '';
    return popup;
  };
}

/** The members of a new popup that are no texts. */
export const fixedMembers = (json: ActionReader['action']['json']): Members => ({
  ...popupDefaults,
  maxWidth: numberMember(json, 'popup_max_width', 500),
  buttonAction: textMember(json, 'popup_button_action') === 'none' ? 'none' : 'follow-link',
  openLinkInNewTab: member(json, 'popup_open_link_in_new_tab') === true,
});
