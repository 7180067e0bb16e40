/** The style of names and groups on a map that becomes a picture: that of the element, without its colours that follow the page. */
import { lazySheet } from '../lazy-sheet.ts';

const style = `
:host { font: 16px/1.5 system-ui, sans-serif; }
.view { position: absolute; inset: 0; }
.names { position: absolute; inset: 0; overflow: hidden; }
.names > * { position: absolute; inset-block-start: 0; left: 0; }
.name {
  inline-size: max-content; max-inline-size: 8.5rem; font-size: 13px; font-weight: 600; line-height: 1.2;
  text-align: center; text-wrap: balance; overflow-wrap: anywhere; color: #0f172a;
}
.group {
  display: grid; place-items: center; box-sizing: border-box; inline-size: 36px; block-size: 36px; margin: -18px;
  border-radius: 50%; font-size: 13px; font-weight: 700; color: #fff;
}
`;

export const flatSheet = lazySheet(style);
