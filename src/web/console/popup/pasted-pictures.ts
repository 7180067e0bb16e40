/** What of dropped or pasted data becomes a picture: files, and pictures that pasted HTML contains in their addresses. */
import { Fragment, type Node, Slice } from '@tiptap/pm/model';
import { contentAddress } from '../../viewer/element/content-address.ts';
import { boundedContent } from '../../viewer/element/content-bounds.ts';
import { sanitized } from '../../viewer/element/safe-content.ts';
import { pictureInUrl } from '../files/picture-in-url.ts';
import { frameTexts as texts } from './frame-texts.ts';
import type { PendingPictures } from './pending-pictures.ts';

/**
 * The files to take instead of the text of the data. Spreadsheets and word processors add a picture of the text to the text, and browsers HTML
 * without a text to a picture.
 */
export function filesIn(data: DataTransfer | null, isPaste: boolean): readonly File[] {
  const files = [...(data?.files ?? [])];
  const html = files.length === 0 ? '' : (data?.getData('text/html') ?? '');
  if (html === '') return files;
  const hasText = isPaste && data?.getData('text/plain').trim() !== '';
  return hasText || sanitized(boundedContent(html).html).textContent?.trim() !== '' ? [] : files;
}

/** Pasted content, in which pictures in the address itself are uploaded. Those that visitors cannot load are left out, with a message. */
export function withUploads(slice: Slice, pictures: PendingPictures): Slice {
  let unreachable = 0;
  const sourceOf = (source: string): string => {
    if (pictures.has(source)) return source;
    const file = pictureInUrl(source, texts.pictureName);
    if (file !== undefined) return pictures.add(file) ?? '';
    if (contentAddress('web picture', source) !== undefined) return source;
    unreachable++;
    return '';
  };
  const renewed = (content: Fragment): Fragment => {
    const nodes: Node[] = [];
    content.forEach((node) => {
      if (node.type.name !== 'image') nodes.push(node.isLeaf ? node : node.copy(renewed(node.content)));
      else {
        const before = String(node.attrs['src'] ?? '');
        const source = sourceOf(before);
        if (source !== '')
          nodes.push(source === before ? node : node.type.create({ ...node.attrs, src: source }, null, node.marks));
      }
    });
    return Fragment.fromArray(nodes);
  };
  const content = renewed(slice.content);
  if (unreachable > 0) pictures.refuse(texts.unreachable(unreachable));
  // Without its picture, an inline slice may be empty.
  return content.size === 0 ? Slice.empty : new Slice(content, slice.openStart, slice.openEnd);
}
