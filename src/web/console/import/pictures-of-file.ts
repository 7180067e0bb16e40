/** Pictures that a file brings: the background of an artboard, and those that popups show, which are uploaded before the objects. */
import type { Conversion } from '../../convert/converter.ts';
import { pictureDataUrl } from '../files/picture.ts';
import type { PictureUploads } from '../files/picture-uploads.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import type { ConverterScript } from './open-file.ts';

/** Members of the artboard whose background is the rest of an SVG. */
export async function backgroundMembers({ background = '' }: Conversion, fileName: string): Promise<Members> {
  const { url } = await pictureDataUrl(new File([background], fileName, { type: 'image/svg+xml' }));
  return { type: 'image', image_url: url };
}

/** The conversion with the addresses of its pictures. One that is refused is not shown, which a notice says. */
export async function withUploads(
  script: ConverterScript,
  conversion: Conversion,
  uploads: PictureUploads,
  onProgress: (done: number, of: number) => void,
): Promise<Conversion> {
  const { pictures = [] } = conversion;
  const addresses: (string | undefined)[] = [];
  for (const { name, bytes, type } of pictures) {
    onProgress(addresses.length, pictures.length);
    const file = new File([bytes as Uint8Array<ArrayBuffer>], name.slice(name.lastIndexOf('/') + 1), { type });
    addresses.push((await uploads.store(file, true))?.url);
  }
  return script.withPictures(conversion, addresses);
}
