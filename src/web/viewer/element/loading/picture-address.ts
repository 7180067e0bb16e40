/** The addresses of pictures that a map shows. */
import { addressOf } from '../../../../lib/draw/link-rules.ts';
import { type FilesBase, loadedFrom } from './file-address.ts';

/** An address for a picture: http(s), or an image in the address itself. @param filesBase as for {@link loadedFrom} */
export const pictureAddress = (text: string, filesBase: FilesBase | undefined): string | undefined =>
  addressOf(loadedFrom(text, filesBase), 'picture', document.baseURI);
