/**
 * The messages between the console and the frame of the popup editor. The frame has an opaque origin and may show hostile content, so each
 * side reads only messages of the other window, of known kinds, with values of bounded size.
 */
import type { Place } from '../forms/controls/targets/link-target.ts';

/** Longest content that the editor takes, in UTF-16 code units: more than any server takes (`--body-mb`). */
export const contentLengthMax = 64 * 1024 * 1024;
/** Above this length, the editor says that the server may refuse it. The default of `--body-mb` takes 5 MiB. */
export const contentLengthDoubtful = 4_000_000;
/** Largest picture that the frame may send for an upload, in bytes. */
export const pictureBytesMax = 64 * 1024 * 1024;
/** Longest address of a picture, and longest name of a file, in UTF-16 code units. A picture in the project itself is an address, too. */
const [addressMax, nameMax, reasonMax] = [8_000_000, 255, 10_000];

export type FromFrame =
  /** The page is loaded. */
  | { readonly kind: 'ready' }
  /** The user has edited the content. */
  | { readonly kind: 'content'; readonly content: string }
  /** The user wants to close the editor, by Escape; or the console, and everything that was typed is sent. */
  | { readonly kind: 'close' }
  /** The user wants a picture of the library. */
  | { readonly kind: 'library' }
  /** The user has dropped or pasted a picture. @param place the name that the answer gives it */
  | { readonly kind: 'upload'; readonly file: Blob; readonly name: string; readonly place: string };

export type FromConsole =
  /** The popup to edit. @param popup its members, as the API has them */
  | {
      readonly kind: 'popup';
      readonly popup: object;
      readonly name: string;
      readonly places: readonly Place[];
      readonly isReadOnly: boolean;
    }
  /** The user closes the editor: the frame answers with `close`, after what was typed last. */
  | { readonly kind: 'finish' }
  /** A picture that the user has chosen or uploaded. @param address a path of a file, or an address */
  | { readonly kind: 'picture'; readonly address: string }
  /** The answer to an upload. @param address '' if it was refused or cancelled @param reason for the user; '' for none */
  | { readonly kind: 'uploaded'; readonly place: string; readonly address: string; readonly reason: string };

const textIn = (value: unknown, max: number): value is string => typeof value === 'string' && value.length <= max;

const isPlace = (value: unknown): value is Place => {
  const { id, name, kind } = (value ?? {}) as Record<string, unknown>;
  return typeof id === 'string' && typeof name === 'string' && (kind === 'floor' || kind === 'object');
};

/** A message of the frame; `undefined` if it is none. */
export function readFromFrame(data: unknown): FromFrame | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, content, file, name, place } = data as Record<string, unknown>;
  switch (kind) {
    case 'ready':
    case 'close':
    case 'library':
      return { kind };
    case 'content':
      return textIn(content, contentLengthMax) ? { kind, content } : undefined;
    case 'upload':
      return file instanceof Blob &&
        file.type.startsWith('image/') &&
        file.size <= pictureBytesMax &&
        textIn(name, nameMax) &&
        textIn(place, nameMax)
        ? { kind, file, name, place }
        : undefined;
    default:
      return undefined;
  }
}

/** A message of the console; `undefined` if it is none. */
export function readFromConsole(data: unknown): FromConsole | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, popup, name, places, isReadOnly, address, place, reason } = data as Record<string, unknown>;
  if (kind === 'popup')
    return typeof popup === 'object' &&
      popup !== null &&
      typeof name === 'string' &&
      Array.isArray(places) &&
      typeof isReadOnly === 'boolean'
      ? { kind, popup, name, places: places.filter(isPlace), isReadOnly }
      : undefined;
  if (kind === 'finish') return { kind };
  if (kind === 'uploaded')
    return textIn(place, nameMax) && textIn(address, addressMax) && textIn(reason, reasonMax)
      ? { kind, place, address, reason }
      : undefined;
  return kind === 'picture' && textIn(address, addressMax) ? { kind, address } : undefined;
}
