/** Where a project has addresses of pictures. */
import type { Kind } from '../../kinds/resource-kinds.ts';

/** Where a member has them: it is an address alone, HTML, an object of texts, or settings with pictures in `public_map`. */
export type FileTexts = 'alone' | 'html' | 'values' | 'public_map';

/** The members with addresses of pictures, as the model has them. */
export const fileMembers: Partial<Record<Kind, Readonly<Record<string, FileTexts>>>> = {
  project: { thumb: 'alone', settings: 'public_map' },
  artboard: { image_url: 'alone' },
  object: { properties: 'values', icon: 'alone' },
  popup: { image: 'alone', content: 'html' },
  action: { popup_image: 'alone', popup_content: 'html' },
};
