/** Objects as text in the clipboard. */
import { isPlain, type Members, type Resource } from '../project/resource-kinds.ts';

/** Objects in the clipboard, with the popups that are attached to them. */
export interface Copied {
  readonly mapwright: 'objects';
  /** Where they were copied. */
  readonly artboardId: string;
  readonly objects: readonly Resource[];
  readonly popups: readonly Resource[];
}

const listOf = (value: unknown): Resource[] =>
  (Array.isArray(value) ? value : []).filter((each): each is Resource => isPlain(each) && typeof each['id'] === 'string');

/** What a text of the clipboard has; `undefined` for any other text. */
export function copiedIn(text: string): Copied | undefined {
  if (!text.startsWith('{"mapwright":"objects"')) return undefined;
  try {
    const { artboardId, objects, popups }: Members = JSON.parse(text);
    return { mapwright: 'objects', artboardId: String(artboardId), objects: listOf(objects), popups: listOf(popups) };
  } catch {
    return undefined;
  }
}
