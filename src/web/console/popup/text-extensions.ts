/** What the text view can contain: the elements of popups that people use, without attributes that popups do not have. */
import { type Extensions, Mark } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';
import { contentAddress } from '../../viewer/element/content-address.ts';

/** A mark without attributes, which the toolbar does not offer, but the text view keeps. */
const plainMark = (tag: string) => Mark.create({ name: tag, parseHTML: () => [{ tag }], renderHTML: () => [tag, 0] });

export const textExtensions: Extensions = [
  StarterKit.configure({
    trailingNode: false,
    codeBlock: { HTMLAttributes: {}, exitOnTripleEnter: true, enableTabIndentation: false },
    link: {
      openOnClick: false,
      autolink: false,
      HTMLAttributes: { target: null, rel: null },
      isAllowedUri: (address) => contentAddress('link', address) !== undefined,
    },
  }),
  // Pictures in the address itself are uploaded when they are pasted.
  Image.configure({ inline: true, allowBase64: true }),
  // The sanitizer leaves cells no width, span or alignment.
  Table.extend({ renderHTML: () => ['table', ['tbody', 0]] }).configure({ resizable: false, View: null }),
  TableRow,
  TableHeader.extend({ renderHTML: () => ['th', 0] }),
  TableCell.extend({ renderHTML: () => ['td', 0] }),
  ...['sub', 'sup', 'small', 'mark'].map(plainMark),
];
