/** The styles of the paper: that of the sheet itself, and that of the page that is printed, of which nothing else is left. */
import { lazySheet } from '../../../drawing/lazy-sheet.ts';

/** A4 in millimetres, without its margins. */
const margin = { block: 10, inline: 12 };
export const paper = {
  landscape: { width: 297 - 2 * margin.inline, height: 210 - 2 * margin.block },
  portrait: { width: 210 - 2 * margin.inline, height: 297 - 2 * margin.block },
} as const;

export type Orientation = keyof typeof paper;

export const printId = 'mapwright-print';

/** The rules of pages have at most a few identifiers. */
const strong = `#${printId}`.repeat(6);
const resets = `
  display: block !important; position: static !important; inset: auto !important; float: none !important; inline-size: auto !important; block-size: auto !important;
  min-inline-size: 0 !important; min-block-size: 0 !important; max-inline-size: none !important; max-block-size: none !important; margin: 0 !important; padding: 0 !important; border: 0 !important;
  overflow: visible !important; visibility: visible !important; opacity: 1 !important; transform: none !important; filter: none !important; clip-path: none !important; mask: none !important;
  contain: none !important; content-visibility: visible !important; columns: auto !important; zoom: 1 !important; writing-mode: horizontal-tb !important; background: #fff !important;`;

/** A style of the whole document: rules about pages have no effect in a shadow tree. `:is()` makes its rules stronger than those of the page. */
const pageCss = (orientation: Orientation): string => `
@page { size: A4 ${orientation} !important; margin: ${margin.block}mm ${margin.inline}mm !important; }
${strong} { all: initial !important; display: block !important; }
@media screen { ${strong} { position: fixed !important; inset-block-start: 0 !important; left: -100000px !important; inline-size: ${paper[orientation].width}mm !important; } }
@media print {
  :is(html, ${strong}), :is(body, ${strong}) { ${resets} }
  :is(html, ${strong})::before, :is(html, ${strong})::after, :is(body, ${strong})::before, :is(body, ${strong})::after { content: none !important; display: none !important; }
  :is(body, ${strong}) > :not(#${printId}) { display: none !important; }
  ${strong} { visibility: visible !important; }
}`;

/** A millimetre is kept free, so that a rounded height does not need a second page. */
const css = /* css */ `
.sheet { color-scheme: light; color: #0f172a; background: #fff; font: 10pt/1.35 system-ui, sans-serif; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
* { box-sizing: border-box; }
h1, h2, h3, p, ul, ol { margin: 0; padding: 0; }
ul, ol { list-style: none; }
.first { display: flex; flex-direction: column; gap: 3mm; }
.landscape { block-size: ${paper.landscape.height - 1}mm; }
.portrait { block-size: ${paper.portrait.height - 1}mm; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 4mm; overflow-wrap: anywhere; }
h1 { font-size: 16pt; line-height: 1.2; }
header p { font-size: 12pt; color: #475569; }
.map { position: relative; flex: 1; min-block-size: 0; outline: 0.3mm solid #94a3b8; }
.map canvas { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; }
.legend { display: flex; flex-wrap: wrap; gap: 1mm 5mm; }
.legend li { display: flex; align-items: center; gap: 1.5mm; overflow-wrap: anywhere; }
.swatch, .sign { flex: none; display: grid; place-items: center; inline-size: 4mm; block-size: 4mm; border-radius: 1mm; outline: 0.2mm solid #94a3b8; }
.sign { border-radius: 50%; overflow: hidden; }
.sign :is(svg, img) { inline-size: 2.6mm; block-size: 2.6mm; }
.legend.long { margin-block-start: 4mm; }
footer { display: flex; flex-wrap: wrap; align-items: end; gap: 1mm 5mm; font-size: 8pt; color: #334155; overflow-wrap: anywhere; }
.scale { padding-block-start: 0.5mm; border: solid #0f172a; border-width: 0 0.3mm 0.3mm; block-size: 4.5mm; text-align: center; color: #0f172a; white-space: nowrap; }
.date { margin-inline-start: auto; }
.places { break-before: page; }
.places h2 { margin-block-end: 2mm; font-size: 14pt; }
.columns { column-width: 58mm; column-gap: 6mm; }
h3 { margin-block: 3mm 1mm; font-size: 11pt; break-after: avoid; overflow-wrap: anywhere; }
.columns > :first-child { margin-block-start: 0; }
.columns li { display: flex; gap: 2mm; padding-block: 0.4mm; break-inside: avoid; }
.columns b { flex: none; align-self: start; min-inline-size: 6mm; padding-inline: 1mm; border-radius: 3mm; font-size: 7.5pt; line-height: 1.5; text-align: center; color: #fff; background: #0f172a; margin-block-start: 0.5mm; }
.columns b:empty { visibility: hidden; }
.columns span { min-inline-size: 0; overflow-wrap: anywhere; }
.columns small { display: block; color: #475569; }
.more { margin-block-start: 3mm; }
`;

export const sheetStyle = lazySheet(css);

export function pageStyle(orientation: Orientation): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(pageCss(orientation));
  return sheet;
}
