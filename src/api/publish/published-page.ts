/**
 * The page of a published map, as people share it: its head for chats and search engines, a header if the map has one, the element that draws the
 * map, and its places for readers without JavaScript. All texts of the map are escaped.
 */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../lib/html/escape-html.ts';
import { iconAddress } from '../pages/site-icon.ts';
import type { PageContent, PageHeader } from './page/page-content.ts';
import { pageTextsFor } from './page/page-texts.ts';

/** Width and height of the picture that programs show with a link, in pixels. */
export const pictureSize = { width: 1200, height: 630 } as const;

/** Characters of a description in a preview, which cuts it anyway. */
const previewLengthMax = 300;

const style = [
  ':root{color-scheme:light dark}',
  'html,body{height:100%;margin:0}',
  'body{display:flex;flex-direction:column;background:Canvas;color:CanvasText;font:1rem/1.5 system-ui,sans-serif}',
  'mapwright-map{display:block;flex:1 0 0;width:100%;height:auto;min-height:min(20rem,100%)}',
  'h1{margin:0;font-size:1.125rem;line-height:1.3;overflow-wrap:anywhere}',
  '.only-read{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}',
  '.head{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;padding:.5rem .75rem;border-bottom:3px solid var(--accent,GrayText)}',
  '.head img{height:2rem;max-width:10rem;object-fit:contain}',
  '.head nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-inline-start:auto}',
  '.head a{display:inline-block;padding:.25rem 0;color:inherit;overflow-wrap:anywhere}',
  'main{max-width:45rem;margin:0 auto;padding:1rem}',
  '.note{padding-top:2rem;text-align:center}',
  'main h1{font-size:1.5rem}.places{overflow-wrap:anywhere}.places h2{font-size:1.25rem}.places li{margin-bottom:1rem}.places p{margin:.25rem 0}',
  '.places dl{display:grid;grid-template-columns:auto 1fr;gap:0 .75rem;margin:.25rem 0}.places dt{opacity:.75}.places dd{margin:0}',
].join('');

/** Without JavaScript, the places have the page, and nothing of the map is there. */
const withoutScript = 'html,body{height:auto}mapwright-map{display:none}';

const digestOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const commonStyles = [style, withoutScript].map(digestOf).join(' ');

/**
 * The policy of the page: its own scripts, pictures and tiles from anywhere, and no requests: see `withConnections`. A map cannot add a
 * script, and no script can insert markup that the viewer has not cleaned.
 *
 * @param ancestors pages that may show it in a frame; `undefined` for a page that is not served by this server
 */
export function pagePolicy(content: Pick<PageContent, 'header'> | undefined, ancestors?: string): string {
  const accent = accentStyle(content?.header);
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${commonStyles}${accent === '' ? '' : ` ${digestOf(accent)}`}`,
    'img-src * data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    ...(ancestors === undefined ? [] : [`frame-ancestors ${ancestors}`]),
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** The addresses in a page. */
export interface PageAddresses {
  /** The viewer's script. */
  readonly viewer: string;
  /** The folder of `map.json`. */
  readonly map: string;
  /** The whole address of the page; '' if it is not known. */
  readonly page: string;
  /** Its description for programs that embed it; '' for none. */
  readonly oembed: string;
  /** The whole address of the picture of the map; '' for none. */
  readonly picture: string;
}

/** @param policy for a page that is not sent with one in its headers */
export function pageOf(content: PageContent, addresses: PageAddresses, policy?: string): string {
  const { title, lang, header, places, description } = content;
  const texts = pageTextsFor(lang);
  const accent = accentStyle(header);
  const head = [
    ...(policy === undefined ? [] : [`<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`]),
    `<script type="module" src="${escapeHtml(addresses.viewer)}"></script>`,
    ...previewTags(content, addresses),
    ...(accent === '' ? [] : [`<style>${accent}</style>`]),
    `<noscript><style>${withoutScript}</style></noscript>`,
  ];
  return shell(
    { lang, title, head },
    `${header === undefined ? `<header class="only-read"><h1>${escapeHtml(title)}</h1></header>` : headerHtml(header, texts.links)}
<mapwright-map src="${escapeHtml(addresses.map)}" lang="" gestures="greedy" search menu permalink="page" role="main"></mapwright-map>
<noscript><main class="places">
${header === undefined ? `<h1>${escapeHtml(title)}</h1>\n` : ''}${paragraphs(description)}<p>${texts.needsScript}</p>
${places}</main></noscript>`,
  );
}

function previewTags({ title, description, lang, indexed }: PageContent, { page, oembed, picture }: PageAddresses): string[] {
  const about = shortened(description);
  const property = (name: string, value: string | number): string[] =>
    value === '' ? [] : [`<meta property="${name}" content="${escapeHtml(String(value))}">`];
  return [
    ...(about === '' ? [] : [`<meta name="description" content="${escapeHtml(about)}">`]),
    ...(indexed ? [] : ['<meta name="robots" content="noindex">']),
    ...(page === '' ? [] : [`<link rel="canonical" href="${escapeHtml(page)}">`]),
    ...property('og:type', 'website'),
    ...property('og:title', title),
    ...property('og:description', about),
    ...property('og:url', page),
    ...property('og:image', picture),
    ...(picture === ''
      ? []
      : [
          ...property('og:image:type', 'image/png'),
          ...property('og:image:width', pictureSize.width),
          ...property('og:image:height', pictureSize.height),
          ...property('og:image:alt', pageTextsFor(lang).picture(title)),
        ]),
    `<meta name="twitter:card" content="${picture === '' ? 'summary' : 'summary_large_image'}">`,
    ...(oembed === ''
      ? []
      : [`<link rel="alternate" type="application/json+oembed" href="${escapeHtml(oembed)}" title="${escapeHtml(title)}">`]),
  ];
}

/** A text in one line, up to the end of a word. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= previewLengthMax ? line : `${line.slice(0, previewLengthMax).replace(/\s+\S*$|\p{Surrogate}$/u, '')}…`;
}

/** Plain text as HTML: blank lines part paragraphs. */
const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter((part) => part !== '')
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>\n`)
    .join('');

const accentStyle = (header: PageHeader | undefined): string =>
  header === undefined || header.accent === ''
    ? ''
    : `:root{--accent:${header.accent}}mapwright-map{--mapwright-accent:${header.accent};--mapwright-on-accent:${header.onAccent}}`;

function headerHtml({ title, logo, links }: PageHeader, name: string): string {
  const anchors = links.map(({ label, url }) => `<a href="${escapeHtml(url)}"><bdi>${escapeHtml(label)}</bdi></a>`);
  return [
    '<header class="head">',
    ...(logo === '' ? [] : [`<img src="${escapeHtml(logo)}" alt="">`]),
    `<h1>${escapeHtml(title)}</h1>`,
    ...(anchors.length === 0 ? [] : [`<nav aria-label="${escapeHtml(name)}">${anchors.join('')}</nav>`]),
    '</header>',
  ].join('');
}

export interface Note {
  readonly title: string;
  readonly text: string;
  /** Where to go from here. */
  readonly link?: { readonly text: string; readonly href: string };
}

/** A page with a heading and a text, for a person whose link leads nowhere. */
export const notePage = ({ title, text, link }: Note): string =>
  shell(
    { lang: 'en', title, head: ['<meta name="robots" content="noindex">'] },
    `<main class="note">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>${link === undefined ? '' : `\n<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`}
</main>`,
  );

/** Languages that are written from right to left. */
const rightToLeft = /^(?:ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)(?:-|$)/i;

function shell(
  { lang, title, head }: { readonly lang: string; readonly title: string; readonly head: readonly string[] },
  body: string,
): string {
  return `<!doctype html>
<html lang="${escapeHtml(lang)}"${rightToLeft.test(lang) ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${iconAddress}">
<style>${style}</style>
${head.join('\n')}
</head>
<body>
${body}
</body>
</html>
`;
}
