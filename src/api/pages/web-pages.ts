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
      // The popup editor and the preview.
      "frame-src 'self'",
    ],
    referrer: 'strict-origin-when-cross-origin',
  });

/**
 * The frames of the console: `/console/popup`, the popup editor, and `/console/preview`, the map as visitors see it. They show what projects
 * contain, so their origin is opaque, and they may load nothing but pictures. The policies of trusted types are those of DOMPurify and, for
 * what is pasted into the popup editor, of ProseMirror.
 */
export const framePages = (): PublicEndpoint[] =>
  Object.entries({ popup: 'dompurify ProseMirrorClipboard', preview: 'dompurify' }).flatMap(([name, trusted]) =>
    pageFiles({
      path: `/console/${name}`,
      folders: [`dist/pages/${name}/`],
      policy: [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        'img-src * data: blob:',
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "require-trusted-types-for 'script'",
        `trusted-types ${trusted}`,
        // Also if it is opened in a window of its own.
        'sandbox allow-scripts',
      ],
      referrer: 'strict-origin-when-cross-origin',
      isOpaque: true,
    }),
  );

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

/** `/docs/guide`: documents about the console, imports, live data and maps on any page. */
export const guidePages = (): PublicEndpoint[] =>
  pageFiles({
    path: '/docs/guide',
    folders: ['dist/pages/guide/'],
    policy: [
      ...commonPolicy.filter((directive) => !/^(?:script|connect)-src/.test(directive)),
      "style-src 'self'",
      "img-src 'self' data:",
    ],
    referrer: 'no-referrer',
  });
