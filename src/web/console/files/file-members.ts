/** Where a project has addresses of pictures. */
import type { Kind } from '../project/resource-kinds.ts';

/** The members with addresses of pictures, as the model has them: an address alone, or HTML. */
export const fileMembers: Partial<Record<Kind, Readonly<Record<string, 'alone' | 'html'>>>> = {
  project: { thumb: 'alone' },
  artboard: { image_url: 'alone' },
  popup: { image: 'alone', content: 'html' },
  action: { popup_image: 'alone', popup_content: 'html' },
};
