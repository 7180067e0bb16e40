/** The style of the details of an object, in a card on the map and in the panel. */
import { lazySheet } from '../../drawing/lazy-sheet.ts';

const css = /* css */ `
.popup {
  position: absolute; inline-size: max-content; min-inline-size: min(14rem, 100% - 16px); max-block-size: calc(100% - 16px - var(--_free, 0px)); display: flex; flex-direction: column;
  background: var(--_surface); border-radius: calc(var(--_radius) + 2px); box-shadow: var(--_shadow); outline: none; overflow: hidden;
}
.popup.sheet { inset-inline: 0; inset-block: auto 0; inline-size: auto; max-inline-size: none !important; max-block-size: max(45%, min(65%, 12rem)); border-end-start-radius: 0; border-end-end-radius: 0; }
.popup:focus-visible { box-shadow: var(--_shadow), 0 0 0 3px var(--_accent); }
.about { overflow: auto; overscroll-behavior: contain; padding: 14px 16px 16px; }
.about:focus-visible { outline-offset: -3px; border-radius: inherit; }
.fields { margin: 10px 0 0; }
.fields > div { padding-block: 6px; border-block-start: 1px solid var(--_line); }
.fields dt { color: var(--_quiet); font-size: 13px; }
.fields dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
.about .fields .picture { margin: 4px 0 0; inline-size: 100%; border-radius: 6px; }
.popup .close {
  position: absolute; inset-block-start: 8px; inset-inline-end: 8px; z-index: 1; display: grid; place-items: center; inline-size: 32px; block-size: 32px;
  padding: 0; border: 0; border-radius: 50%; background: var(--_surface); color: var(--_quiet);
}
.popup .close:hover { color: var(--_text); }
.about h2 { margin: 0; padding-inline-end: 32px; font-size: 17px; line-height: 1.3; overflow-wrap: anywhere; }
.about .picture { display: block; inline-size: calc(100% + 32px); max-inline-size: none; margin: -14px -16px 12px; max-block-size: min(20rem, var(--_picture, 20rem)); object-fit: contain; background: color-mix(in srgb, var(--_text) 6%, transparent); }
.about .content img { max-block-size: var(--_picture, none); object-fit: contain; }
.popup.small .scroll { display: flex; flex-direction: column; }
.popup.small .scroll > * { flex: none; }
.popup.small .picture { order: 1; margin: 12px -16px -16px; }
.about .content { margin-block-start: 6px; overflow-wrap: anywhere; }
.about .content.plain { white-space: pre-line; }
.about .part:not(:first-child) { content-visibility: auto; contain-intrinsic-size: auto 20rem; }
.about .cut { margin: 8px 0 0; padding-block-start: 8px; border-block-start: 1px solid var(--_line); color: var(--_quiet); font-size: 13px; }
.about .content > :first-child { margin-block-start: 0; }
.about .content > :last-child { margin-block-end: 0; }
.about .content :is(p, ul, ol, table, blockquote, pre) { margin-block: 0.5em; }
.about .content :is(h1, h2, h3, h4, h5, h6) { margin-block: 0.7em 0.3em; padding: 0; font-size: 15px; }
.about .content img { max-inline-size: 100%; inline-size: auto; block-size: auto; border-radius: 6px; }
.about .content pre { overflow-x: auto; }
.about .content :is(td, th) { padding: 2px 10px 2px 0; text-align: start; }
.about a { color: var(--_accent); }
.about .action { margin: 12px 0 0; }
.about .action a {
  display: inline-block; padding: 7px 16px; border-radius: calc(var(--_radius) - 2px); background: var(--_accent); color: var(--_on-accent);
  text-decoration: none; font-weight: 600;
}
`;

/** One style sheet for all elements of the page. */
export const detailsSheet = lazySheet(css);
