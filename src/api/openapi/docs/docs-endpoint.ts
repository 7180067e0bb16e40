/**
 * `GET /docs`: the API reference for people, generated from the description at the first request and cached. One response contains all of
 * it, with style and script, so that it needs no other URL and works below any path.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { ReplyHead, TextReply } from '../../../http/response/reply.ts';
import type { PublicEndpoint } from '../../../http/route.ts';
import { packageRoot } from '../../../lib/package.ts';
import { conditional, etagOfContent } from '../../crud/etag.ts';
import { publicEndpoint } from '../../declaration.ts';
import { type OpenApiOptions, openapiOf } from '../openapi.ts';
import { pageOf } from './page.ts';

/** The files with style and script in the package. */
const folder = 'data/docs';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/**
 * Content security policy of the page: only its own script and style, and requests only to its own server. Responses are never inserted
 * as markup, and no other page may embed it in a frame.
 */
const policyOf = (style: string, script: string): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${digestOf(script)}'`,
    `style-src 'sha256-${digestOf(style)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Browsers must revalidate the page each time, but can reuse a cached copy. */
const cacheControl = 'public, no-cache';

export function docsEndpoint(options: () => OpenApiOptions): PublicEndpoint {
  let page: (TextReply & Required<Pick<ReplyHead, 'etag' | 'headers'>>) | undefined;
  return publicEndpoint('/docs', (request) => {
    page ??= make(options());
    const made = page;
    return conditional(request, made.etag, { 'Cache-Control': cacheControl }, () => made);
  });
}

function make(options: OpenApiOptions): TextReply & Required<Pick<ReplyHead, 'etag' | 'headers'>> {
  const [style, script] = ['page.css', 'page.js'].map((name) =>
    fs.readFileSync(new URL(`${folder}/${name}`, packageRoot()), 'utf8'),
  ) as [string, string];
  const text = pageOf({ document: openapiOf(options), style, script });
  const headers = {
    'Cache-Control': cacheControl,
    'Content-Security-Policy': policyOf(style, script),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  return {
    status: 200,
    text: Buffer.from(text),
    contentType: 'text/html; charset=utf-8',
    etag: etagOfContent(text),
    headers,
  };
}
