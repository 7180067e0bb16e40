/** The pages of the server: the console and the API reference. */
import type { PublicEndpoint } from '../../http/route.ts';
import { answered } from '../openapi/openapi-parts.ts';
import { publicGet } from '../openapi/public-operation.ts';
import { commonPolicy, pageFiles } from './page-files.ts';

/**
 * `/console`. Pictures may come from anywhere: backgrounds, popups and tiles name them. No text ever becomes markup.
 * Map servers refuse requests without a Referer; it names the origin only.
 */
export const consolePages = (): PublicEndpoint[] =>
  pageFiles({
    path: '/console',
    // Projects that the console loads as examples, and the console.
    folders: ['data/examples/', 'dist/pages/console/'],
    policy: [
      ...commonPolicy,
      "style-src 'self'",
      "img-src 'self' https: http: data: blob:",
      "require-trusted-types-for 'script'",
      // The address of its worker, and nothing else.
      'trusted-types mapwright-convert',
      "worker-src 'self'",
      // The popup editor.
      "frame-src 'self'",
    ],
    referrer: 'strict-origin-when-cross-origin',
  });

/**
 * `/console/popup`: the popup editor, in a frame of the console. It makes markup of projects into elements, so its origin is opaque, and it
 * may load nothing but pictures. The policies are those of DOMPurify and of ProseMirror, for what is pasted.
 */
export const popupPages = (): PublicEndpoint[] =>
  pageFiles({
    path: '/console/popup',
    folders: ['dist/pages/popup/'],
    policy: [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      'img-src * data: blob:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types dompurify ProseMirrorClipboard',
      // Also if it is opened in a window of its own.
      'sandbox allow-scripts',
    ],
    referrer: 'strict-origin-when-cross-origin',
    isOpaque: true,
  });

export const docsPaths = {
  '/docs': publicGet({
    id: 'getReference',
    summary: 'OpenAPI description as an HTML page',
    responses: {
      '200': answered('A page without external resources; `--no-docs` disables this path.', 'text/html', undefined, ['ETag']),
    },
    refusals: ['not_found'],
    isConditional: true,
  }),
};

/** `/docs`, the API reference, made with Swagger UI. */
export const docsPages = (): PublicEndpoint[] =>
  pageFiles({
    path: '/docs',
    folders: ['dist/pages/docs/'],
    policy: [...commonPolicy, "style-src 'self'", "img-src 'self' data:"],
    referrer: 'no-referrer',
  });
