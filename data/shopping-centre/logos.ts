/** Logos of the shops, drawn for this example: a white mark of 48 × 48 units on the colour of the shop, and the same on a banner with its name. */
import { svgAddress } from '../plan.ts';

const start = '<svg xmlns="http://www.w3.org/2000/svg"';

/** A square with round corners. */
export const logo = (color: string, mark: string): string =>
  svgAddress(
    `${start} viewBox="0 0 48 48" width="96" height="96"><rect width="48" height="48" rx="11" fill="${color}"/><path fill="#fff" fill-rule="evenodd" d="${mark}"/></svg>`,
  );

/** The picture of a popup. */
export const banner = (color: string, mark: string, name: string): string => {
  const text = name.replaceAll('&', '&amp;');
  return svgAddress(
    [
      `${start} viewBox="0 0 320 130" width="640" height="260"><rect width="320" height="130" fill="${color}"/>`,
      `<g fill="#fff" fill-rule="evenodd"><path opacity=".13" transform="translate(196 -34) scale(4.2)" d="${mark}"/>`,
      `<path transform="translate(20 24) scale(.96)" d="${mark}"/>`,
      `<text x="22" y="106" font-family="system-ui,sans-serif" font-size="22" font-weight="700">${text}</text></g></svg>`,
    ].join(''),
  );
};
