/**
 * The page of a published map: a shell without any text of the project. The viewer draws the map into it, and sets the title. The shell names
 * an empty icon, because browsers ask the server for one otherwise.
 */
import { createHash } from 'node:crypto';

const style =
  'html,body{height:100%;margin:0}mapwright-map{display:block;width:100%;height:100%}main{padding:2rem;font:1rem/1.5 system-ui,sans-serif;text-align:center}';

const styleDigest = createHash('sha256').update(style).digest('base64');

/**
 * The policy of the page: its own scripts, pictures and tiles from anywhere. A map cannot add a script, and no script can insert markup that
 * the viewer has not cleaned.
 *
 * @param ancestors pages that may show it in a frame; `undefined` for a page that is not served by this server
 */
export function pagePolicy(ancestors?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${styleDigest}'`,
    'img-src * data: blob:',
    ancestors === undefined ? "connect-src 'self' http: https:" : 'connect-src http: https:',
    "base-uri 'none'",
    "form-action 'none'",
    ...(ancestors === undefined ? [] : [`frame-ancestors ${ancestors}`]),
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/**
 * @param viewer address of the viewer's script
 * @param map address below which `map.json` is
 * @param policy for a page that is not sent with one in its headers
 */
export function pageOf(viewer: string, map: string, policy?: string): string {
  const ownPolicy = policy === undefined ? '' : `<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">\n`;
  return shell(
    `${ownPolicy}<script type="module" src="${escaped(viewer)}"></script>`,
    `<mapwright-map src="${escaped(map)}" gestures="greedy" search></mapwright-map>
<noscript>This map needs JavaScript.</noscript>`,
  );
}

/** For a person whose link leads to no map. */
export const notPublicPage = shell(
  '',
  `<main>
<h1>This map is not public (any more).</h1>
<p>Ask the person who gave you the link.</p>
</main>`,
);

function shell(head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head === '' ? '' : `${head}\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Map</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] as string);
}
