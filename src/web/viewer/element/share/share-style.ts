/** The style of the menu. */
import { lazySheet } from '../../drawing/lazy-sheet.ts';

const css = /* css */ `
.menu {
  position: absolute; inset-inline-end: 56px; inset-block-end: calc(34px + var(--_covered, 0px)); z-index: 2; display: grid; gap: 2px;
  inline-size: max-content; max-inline-size: min(20rem, 100% - 66px); max-block-size: calc(100% - 44px - var(--_covered, 0px)); padding: 6px; overflow: auto; overscroll-behavior: contain;
  background: var(--_surface); border-radius: var(--_radius); box-shadow: var(--_shadow);
}
.menu button { padding: 8px 12px; border: 0; border-radius: calc(var(--_radius) - 4px); background: none; text-align: start; overflow-wrap: anywhere; }
.menu > button { max-block-size: calc(3lh + 16px); overflow: hidden; }
.menu button:hover { background: color-mix(in srgb, var(--_text) 6%, transparent); }
.menu :is(button, select, input):focus-visible { outline: 3px solid var(--_accent); outline-offset: -3px; }
.menu .save { display: flex; flex-wrap: wrap; align-items: center; gap: 4px; margin-block-start: 4px; padding-block-start: 6px; border-block-start: 1px solid var(--_line); }
.menu .save button { flex: 1; }
.menu :is(select, input) { font: inherit; padding: 5px 8px; border: 1px solid color-mix(in srgb, var(--_quiet) 75%, transparent); border-radius: 6px; background: var(--_background); color: var(--_text); }
.menu input { inline-size: auto; margin: 4px; min-inline-size: 0; font-size: 13px; }
.menu p { margin: 4px 12px; font-size: 13px; color: var(--_quiet); inline-size: 0; min-inline-size: calc(100% - 24px); }
.menu p:empty { display: none; }
.menu button[aria-disabled="true"] { opacity: 0.6; cursor: default; }
@media (forced-colors: active) { .menu { border: 1px solid CanvasText; } }
@media print { .menu { display: none; } }
`;

/** One style sheet for all elements of the page. */
export const shareSheet = lazySheet(css);
