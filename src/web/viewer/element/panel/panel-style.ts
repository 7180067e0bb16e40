/** The style of the list and of the panel. Where they are in the element is part of the style of the element. */
import { lazySheet } from '../../drawing/lazy-sheet.ts';

const css = /* css */ `
.places { grid-area: 1 / 1; display: flex; flex-direction: column; min-block-size: 0; min-inline-size: 0; }
.list.detailed .places { visibility: hidden; }
.places > input, .narrow {
  margin: 10px; padding: 7px 10px; border: 1px solid color-mix(in srgb, var(--_quiet) 75%, transparent); border-radius: calc(var(--_radius) - 2px); background: var(--_background);
}
.summary { display: flex; gap: 8px; align-items: baseline; margin: -2px 14px 6px; }
.count { margin: 0; font-size: 13px; color: var(--_quiet); }
.clear, .all, .only { padding: 0 6px; border: 0; border-radius: 6px; background: none; color: var(--_accent); font-size: 13px; text-decoration: underline; }
.places .rows { position: relative; flex: 1; min-block-size: 0; overflow-y: auto; overscroll-behavior: contain; }
.rows > ul { position: relative; margin: 0; padding: 0; list-style: none; }
.rows > ul > li { position: absolute; inset-inline: 0; block-size: var(--_row, 40px); }
.rows > ul > li.heading { display: flex; align-items: end; padding: 0 14px 6px; font-size: 13px; font-weight: 600; color: var(--_quiet); overflow: hidden; white-space: nowrap; }
.rows > ul > li > button {
  inline-size: 100%; block-size: 100%; padding: 0 14px; border: 0; background: none; text-align: start; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.place, .note { color: var(--_quiet); font-weight: 400; }
.note { display: block; overflow: hidden; text-overflow: ellipsis; font-size: 13px; }
.note:empty { display: none; }
.rows > ul > li > button:hover { background: color-mix(in srgb, var(--_text) 6%, transparent); }
.rows > ul > li > button:focus-visible { outline-offset: -3px; }
.rows > ul > li > button[aria-current="true"] { background: color-mix(in srgb, var(--_accent) 14%, transparent); font-weight: 600; }
.skip { margin: 6px 10px; padding: 5px 10px; border: 1px solid var(--_line); border-radius: 8px; background: none; }

/* The keyboard reaches the list also where it is not visible: then only the button that skips it is. */
.list.quiet .rows { flex: none; inline-size: 1px; block-size: 1px; overflow: hidden; }
.list.quiet:has(.skip:focus) { inset-block-start: 10px; inset-inline-start: 10px; z-index: 2; inline-size: auto; block-size: auto; clip-path: none; border-radius: 8px; box-shadow: var(--_shadow); }

.description { margin: 0; padding: 4px 14px 10px; border-block-end: 1px solid var(--_line); white-space: pre-line; overflow-wrap: anywhere; }
.section { border-block-end: 1px solid var(--_line); }
.section summary { padding: 8px 14px; font-weight: 600; cursor: pointer; }
.section summary:focus-visible { outline: 3px solid var(--_accent); outline-offset: -3px; }
.section .body { position: relative; padding: 0 14px 8px; }
.categories .all { position: absolute; inset-block-start: -30px; inset-inline-end: 10px; min-block-size: 24px; }
.all:disabled { visibility: hidden; }
.section .narrow { margin: 0 0 6px; inline-size: 100%; }
.checks { margin: 0; padding: 0; list-style: none; }
.checks li { display: flex; align-items: center; gap: 4px; }
.checks label { flex: 1; min-inline-size: 0; min-block-size: 32px; display: flex; align-items: center; gap: 8px; cursor: pointer; }
.checks input { flex: none; inline-size: 16px; block-size: 16px; margin: 0; accent-color: var(--_accent); }
.checks .term { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.checks .number, .more { color: var(--_quiet); font-size: 13px; font-variant-numeric: tabular-nums; }
.more { margin: 6px 0 0; }
.checks .only { min-block-size: 24px; }
@media (hover: hover) { .checks li:not(:hover, :focus-within) .only { clip-path: inset(50%); } }
.sign { flex: none; display: grid; place-items: center; inline-size: 22px; block-size: 22px; overflow: hidden; border-radius: 50%; box-shadow: 0 0 0 1px color-mix(in srgb, var(--_text) 25%, transparent); }
.sign svg { inline-size: 60%; block-size: 60%; stroke: none; }
.sign img { inline-size: 100%; block-size: 100%; object-fit: cover; }
.section fieldset { margin: 0 0 8px; padding: 0; border: 0; min-inline-size: 0; }
.section legend { padding: 4px 0; font-size: 13px; color: var(--_quiet); overflow-wrap: anywhere; }
.range { display: flex; gap: 8px; }
.range label { flex: 1; min-inline-size: 0; font-size: 13px; color: var(--_quiet); }
.range input { display: block; inline-size: 100%; padding: 5px 8px; border: 1px solid color-mix(in srgb, var(--_quiet) 75%, transparent); border-radius: 6px; background: var(--_background); color: var(--_text); font-size: 15px; }

.details { grid-area: 1 / 1; display: flex; flex-direction: column; min-block-size: 0; min-inline-size: 0; outline: none; }
.details .about { flex: 1; }
.details .back { flex: none; display: flex; align-items: center; gap: 4px; margin: 8px; padding: 6px 10px 6px 4px; border: 0; border-radius: 8px; background: none; color: var(--_accent); align-self: start; }
:host(:dir(rtl)) .back svg { scale: -1 1; }
.details .about > :first-child:not(.picture) { margin-block-start: 0; }
.details:focus-visible { box-shadow: inset 0 0 0 3px var(--_accent); }

.handle { display: none; }
@container (max-width: 40rem) {
  .frame.panelled .handle { display: grid; place-items: center; grid-area: 1 / 1; block-size: 24px; padding: 0; border: 0; border-radius: 16px 16px 0 0; background: none; touch-action: none; cursor: grab; }
  .handle span { inline-size: 40px; block-size: 4px; border-radius: 2px; background: var(--_quiet); }
  .handle:focus-visible { outline-offset: -3px; }
  .frame.panelled .list { grid-template-rows: 24px minmax(0, 1fr); }
  .frame.panelled :is(.places, .details) { grid-row: 2; }
  .frame.panelled .places > input { margin-block-start: 2px; }
  .list.collapsed .rows, .list.collapsed .summary { visibility: hidden; }
  .details .back { margin-block: 0 4px; }
}
@media (forced-colors: active) {
  .frame.panelled .list { border: 1px solid CanvasText; }
  .sign { forced-color-adjust: none; }
  .handle span { background: CanvasText; }
}
`;

/** One style sheet for all elements of the page. */
export const panelSheet = lazySheet(css);
