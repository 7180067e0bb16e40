/**
 * The style of the element. Pages change it with the custom properties at its top. `light-dark()` follows the colour scheme of the page, so a
 * map is dark only on pages that can be dark.
 */
import { lazySheet } from '../drawing/lazy-sheet.ts';

/**
 * It has no comments, because visitors would load them: `.data` is above the credit; the edge of an artboard can be moved up to the middle of the
 * view, so that a popup covers no object; details and the content of `.list` have style sheets in their parts; `.message` is below the switch of artboards.
 */
const css = /* css */ `
:host {
  --_background: var(--mapwright-background, light-dark(#eef2f6, #0f172a));
  --_surface: var(--mapwright-surface, light-dark(#ffffff, #1b2536));
  --_text: var(--mapwright-text, light-dark(#0f172a, #e5eaf2));
  --_quiet: var(--mapwright-quiet, light-dark(#52606d, #a3b1c2));
  --_line: var(--mapwright-line, light-dark(#d5dde6, #334155));
  --_accent: var(--mapwright-accent, light-dark(#1d4ed8, #8ab4ff));
  --_on-accent: var(--mapwright-on-accent, light-dark(#ffffff, #0f172a));
  --_font: var(--mapwright-font, system-ui, sans-serif);
  --_radius: var(--mapwright-radius, 10px);
  --_shadow: 0 1px 2px rgb(15 23 42 / 16%), 0 8px 24px rgb(15 23 42 / 18%);
  display: block;
  position: relative;
  block-size: 30rem;
  max-block-size: 100dvh;
  container-type: inline-size;
  overflow: hidden;
  color: var(--_text);
  background: var(--_background);
  font: 15px / 1.45 var(--_font);
  text-align: start;
  text-indent: 0;
  text-transform: none;
  white-space: normal;
  letter-spacing: normal;
  word-spacing: normal;
}
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
.frame { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); block-size: 100%; }
.frame.listed { grid-template: minmax(0, 1fr) / minmax(12rem, 17rem) minmax(0, 1fr); }
.frame.panelled { position: relative; grid-template: minmax(0, 1fr) / minmax(14rem, 21rem) minmax(0, 1fr); }
.view { position: relative; min-inline-size: 0; overflow: hidden; grid-row: 1; grid-column: -2 / -1; }
.canvas { position: absolute; inset: 0; outline: none; touch-action: none; cursor: grab; }
.canvas .ol-viewport { touch-action: inherit; }
.canvas.cooperative { touch-action: pan-x pan-y; }
.canvas.acts { cursor: pointer; }
.canvas:active { cursor: grabbing; }
.canvas:focus-visible::after {
  content: ""; position: absolute; inset: 0; pointer-events: none;
  box-shadow: inset 0 0 0 3px var(--_accent), inset 0 0 0 5px var(--_surface);
}
button, input { font: inherit; color: inherit; margin: 0; }
button { cursor: pointer; }
:is(button, a, input, .scroll):focus-visible { outline: 3px solid var(--_accent); outline-offset: 1px; }
svg { display: block; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }

.artboards {
  position: absolute; inset-block-start: 10px; inset-inline: 10px; inline-size: fit-content; max-inline-size: calc(100% - 20px);
  display: flex; gap: 2px; padding: 3px; overflow-x: auto; scrollbar-width: none;
  background: var(--_surface); border-radius: var(--_radius); box-shadow: var(--_shadow);
}
.artboards button {
  flex: none; max-inline-size: min(16rem, 60%); padding: 5px 12px; border: 0; background: none; border-radius: calc(var(--_radius) - 3px); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--_quiet);
}
.artboards button:hover { color: var(--_text); }
.artboards button:focus-visible { outline-offset: -3px; }
.artboards button[aria-pressed="true"] { background: var(--_accent); color: var(--_on-accent); }

.names { position: absolute; inset: 0; overflow: hidden; pointer-events: none; }
.names > * { position: absolute; inset-block-start: 0; left: 0; }
.name {
  inline-size: max-content; max-inline-size: 8.5rem; font-size: 13px; font-weight: 600; line-height: 1.2; text-align: center; text-wrap: balance; overflow-wrap: anywhere; color: #0f172a;
  text-shadow: 0 0 2px #fff, 0 0 2px #fff, 0 0 3px #fff, 0 0 4px #fff, 0 0 6px #fff;
}
.group {
  display: grid; place-items: center; inline-size: 36px; block-size: 36px; margin: -18px; border: 2px solid var(--_surface); border-radius: 50%; background: var(--_accent); color: var(--_on-accent);
  font-size: 13px; font-weight: 700; box-shadow: 0 1px 4px rgb(15 23 42 / 40%);
}

.corner {
  position: absolute; inset-inline: 0; inset-block-end: calc(10px + var(--_covered, 0px)); padding-inline: 10px 56px;
  display: flex; flex-direction: column; align-items: start; pointer-events: none;
}
.data:not(:empty) {
  display: flex; gap: 8px; align-items: center; max-inline-size: min(24rem, 100%); margin-block: 8px 24px; padding: 6px 12px; border-radius: 8px; font-size: 14px; font-weight: 600; text-wrap: balance;
  background: light-dark(#fef3c7, #422006); color: light-dark(#713f12, #fde68a); box-shadow: var(--_shadow), inset 0 0 0 1px color-mix(in srgb, currentColor 40%, transparent);
}
.data svg { flex: none; }
.legend {
  max-inline-size: min(15rem, 72%); overflow: hidden; font-size: 13px; pointer-events: auto;
  background: var(--_surface); border-radius: var(--_radius); box-shadow: var(--_shadow);
}
.legend summary { padding: 6px 12px; font-weight: 600; cursor: pointer; }
:is(.legend summary, .legend ul):focus-visible { outline: 3px solid var(--_accent); outline-offset: -3px; border-radius: inherit; }
.legend ul { margin: 0; padding: 0 12px 8px; list-style: none; overflow-y: auto; max-block-size: 14rem; }
.legend li { display: flex; gap: 8px; padding-block: 2px; overflow-wrap: anywhere; }
.swatch { flex: none; inline-size: 14px; block-size: 14px; margin-block-start: 3px; border-radius: 4px; box-shadow: 0 0 0 1px color-mix(in srgb, var(--_text) 25%, transparent); }

.controls {
  position: absolute; inset-inline-end: 10px; inset-block-end: calc(34px + var(--_covered, 0px)); display: grid;
  background: var(--_surface); border-radius: var(--_radius); box-shadow: var(--_shadow); overflow: hidden;
}
.controls button { display: grid; place-items: center; inline-size: 36px; block-size: 36px; border: 0; background: none; color: var(--_quiet); }
.controls button:hover { color: var(--_text); background: color-mix(in srgb, var(--_text) 6%, transparent); }
.controls button + button { border-block-start: 1px solid var(--_line); }
.controls button:focus-visible { outline-offset: -3px; }

.credit {
  position: absolute; inset-inline-end: 0; inset-block-end: var(--_covered, 0); padding: 2px 8px; font-size: 12px;
  background: color-mix(in srgb, var(--_surface) 88%, transparent); border-start-start-radius: 6px; color: var(--_quiet);
}
.credit a { color: inherit; }

.label {
  position: absolute; inset-block-start: 0; left: 0; max-inline-size: min(20rem, 90%); padding: 3px 9px; pointer-events: none;
  background: #0f172a; color: #fff; border-radius: 6px; font-size: 13px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  box-shadow: 0 0 0 1px rgb(255 255 255 / 30%);
}

.list { position: relative; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-block-size: 0; background: var(--_surface); border-inline-end: 1px solid var(--_line); grid-row: 1; grid-column: 1; }
.list.quiet, .skip:not(:focus) { position: absolute; inline-size: 1px; block-size: 1px; margin: 0; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.message {
  position: absolute; inset-block-start: 10px; inset-inline-start: 50%; translate: -50% 0; inline-size: max-content; max-inline-size: min(30rem, 100% - 32px); display: flex; gap: 10px; align-items: center; padding: 7px 14px;
  background: #0f172a; color: #fff; border-radius: 8px; font-size: 14px; box-shadow: 0 0 0 1px rgb(255 255 255 / 30%);
}
.preparing { margin-block-end: 8px; padding: 3px 9px; border-radius: 6px; background: #0f172a; color: #fff; font-size: 13px; }
.message:not(.center) { padding: 3px 9px; font-size: 13px; }
.artboards:not([hidden]) ~ .message:not(.center) { inset-block-start: 58px; }
:host(:dir(rtl)) .message { translate: 50% 0; }
.message.center { inset-block: 50% auto; translate: -50% -50%; max-inline-size: calc(100% - 32px); flex-wrap: wrap; justify-content: center; background: var(--_surface); color: var(--_text); box-shadow: var(--_shadow); padding: 14px 18px; }
.message button { padding: 4px 12px; border: 1px solid currentColor; border-radius: 6px; background: none; }
.hint { position: absolute; inset: 0; display: grid; place-items: center; padding: 16px; text-align: center; background: rgb(15 23 42 / 55%); color: #fff; font-size: 18px; font-weight: 600; pointer-events: none; opacity: 0; visibility: hidden; transition: opacity 200ms, visibility 0s 200ms; }
.hint.shown { opacity: 1; visibility: visible; transition: opacity 100ms; }
@media (prefers-reduced-motion: reduce) { .hint, .hint.shown { transition: none; } }
.live, .unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@container (max-width: 40rem) {
  .frame.listed { grid-template: minmax(0, 3fr) minmax(0, 2fr) / minmax(0, 1fr); }
  .frame.listed .view { grid-area: 1 / 1; }
  .frame.listed .list { grid-area: 2 / 1; border-inline-end: 0; border-block-start: 1px solid var(--_line); }
  .frame.panelled { grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
  .frame.panelled .list { position: absolute; inset-inline: 0; inset-block-end: 0; block-size: var(--_sheet, 76px); border: 0; border-radius: 16px 16px 0 0; box-shadow: var(--_shadow); z-index: 3; }
}
@media print {
  :host { print-color-adjust: exact; break-inside: avoid; }
  .controls, .artboards, .label, .message, .preparing, .hint { display: none !important; }
}
@media (forced-colors: active) {
  .artboards, .controls, .legend, .group, .popup, .message, .label, .credit, .data:not(:empty) { border: 1px solid CanvasText; }
  .artboards button[aria-pressed="true"] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
}
`;

/** One style sheet for all elements of the page. */
export const elementSheet = lazySheet(css);
