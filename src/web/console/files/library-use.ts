/** What the library is opened for. */
import type { PictureAddress } from './picture-uploads.ts';

/** What the library does with a picture that the user chooses; without `onUse` it becomes a background. */
export interface LibraryUse {
  readonly onUse?: (picture: PictureAddress) => void;
}
