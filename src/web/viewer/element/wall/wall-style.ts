/** The style of a wall: nothing that reacts to a pointer, and a bar whose texts are as large as names on the map. */
import { lazySheet } from '../../drawing/lazy-sheet.ts';

const css = /* css */ `
.frame.wall { --_wall: max(15px, 2vh); grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); color: var(--_text); background: var(--_background); }
.frame.wall.dark { color-scheme: dark; }
/* The frame itself is touched. */
.frame.wall { cursor: none; }
.frame.wall * { pointer-events: none !important; }
.wall .view { grid-area: 1 / 1; }
.wall .view > :not(.canvas, .names, .popup, .message.center, .credit, .live), .wall :is(.popup .close, .message button) { display: none; }
.wall .name { text-shadow: 0 0 0.15em #fff, 0 0 0.15em #fff, 0 0 0.23em #fff, 0 0 0.3em #fff, 0 0 0.45em #fff; }
/* The same in the size of their number. */
.wall .group { inline-size: 2.77em; block-size: 2.77em; margin: -1.385em; font-size: max(13px, 2vh); }
.wall .popup { font-size: var(--_wall); }
.wall .credit { font-size: max(12px, 1.1vh); }
.wall-bar {
  grid-area: 2 / 1; display: flex; flex-wrap: wrap; align-items: center; gap: 0.4em 2em; padding: 0.6em 1.2em; overflow: hidden; font-size: var(--_wall);
  background: var(--_surface); border-block-start: 1px solid var(--_line);
}
.wall-name { font-size: 1.5em; line-height: 1.2; overflow-wrap: anywhere; }
.wall-name:empty { display: none; }
.wall .legend { position: static; max-inline-size: none; font-size: inherit; background: none; border-radius: 0; box-shadow: none; }
.wall .legend summary { display: none; }
.wall .legend ul { display: flex; flex-wrap: wrap; gap: 0.2em 1.4em; max-block-size: 25vh; padding: 0; overflow: hidden; }
.wall .legend li { gap: 0.5em; padding: 0; }
.wall .swatch { inline-size: 1em; block-size: 1em; margin-block-start: 0.22em; border-radius: 0.25em; }
.wall-state { display: flex; align-items: center; gap: 0.5em; margin-inline-start: auto; white-space: nowrap; }
.wall-state:not([data-state="fresh"]) { font-weight: 700; }
.wall-state::before { content: ""; flex: none; inline-size: 0.7em; block-size: 0.7em; border-radius: 50%; background: light-dark(#15803d, #4ade80); }
.wall-state[data-state="stale"]::before { border-radius: 0; background: light-dark(#b45309, #fbbf24); }
.wall-state[data-state="failed"]::before { border-radius: 0; rotate: 45deg; background: light-dark(#b91c1c, #f87171); }
.wall-bar time { font-size: 1.5em; line-height: 1.2; font-weight: 700; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wall-state[hidden] + time { margin-inline-start: auto; }
@media (forced-colors: active) {
  .wall-state::before { forced-color-adjust: none; background: CanvasText; }
}
`;

/** One style sheet for all elements of the page. */
export const wallSheet = lazySheet(css);
