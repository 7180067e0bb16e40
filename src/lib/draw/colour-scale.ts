/** Mixes colours of a scale in OKLab, where equal steps look equal. */
import { modeOklab, modeRgb, useMode } from 'culori/fn';
import { type Colour, hexWithAlpha } from './css-colour.ts';

const toOklab = useMode(modeOklab);
const toRgb = useMode(modeRgb);

/** A colour in OKLab; l, a and b are multiplied by the opacity, so that a transparent colour does not tint its neighbour. */
type Stop = readonly [l: number, a: number, b: number, alpha: number];

/** Returns the colour at a position from 0 (the first) to 1 (the last), as `#rrggbb` or `#rrggbbaa`. */
export function smoothScale(colours: readonly [Colour, ...Colour[]]): (position: number) => string {
  const stops = colours.map(({ rgb: [r, g, b], alpha }): Stop => {
    const lab = toOklab({ mode: 'rgb', r, g, b });
    return [lab.l * alpha, lab.a * alpha, lab.b * alpha, alpha];
  });
  const last = stops.length - 1;
  return (position) => {
    const place = Math.min(1, Math.max(0, position)) * last;
    const below = Math.min(Math.floor(place), Math.max(0, last - 1));
    const share = place - below;
    if (share === 0) return hexWithAlpha(colours[below] as Colour);
    if (share === 1) return hexWithAlpha(colours[below + 1] as Colour);
    const [from, to] = [stops[below] as Stop, stops[below + 1] as Stop];
    const alpha = from[3] + (to[3] - from[3]) * share;
    const part = (i: 0 | 1 | 2): number => (alpha === 0 ? 0 : (from[i] + (to[i] - from[i]) * share) / alpha);
    const { r, g, b } = toRgb({ mode: 'oklab', l: part(0), a: part(1), b: part(2) });
    return hexWithAlpha({ rgb: [r, g, b], alpha });
  };
}

/** As {@link smoothScale}, in as many equal steps as there are colours. */
export function steppedScale(colours: readonly [Colour, ...Colour[]]): (position: number) => string {
  const texts = colours.map(hexWithAlpha);
  const last = texts.length - 1;
  return (position) => texts[Math.max(0, Math.min(last, Math.floor(position * texts.length)))] as string;
}
