/** The colours of a palette from the start of its range to its end, as the evaluation mixes them. */
import { useMemo } from 'preact/hooks';
import { smoothScale, steppedScale } from '../../../lib/draw/colour-scale.ts';
import { type Colour, parseColour } from '../../../lib/draw/css-colour.ts';
import { texts } from '../console-texts.ts';

/** Colours that are computed. */
const samples = 100;

/** The colours at evenly spaced places; none while a text of the palette is no colour. */
function samplesOf(palette: readonly string[], isSmooth: boolean): readonly string[] {
  const colours = palette.map((text) => parseColour(text));
  const [first, ...others] = colours;
  if (first === undefined || !others.every((colour): colour is Colour => colour !== undefined)) return [];
  const scale = (isSmooth ? smoothScale : steppedScale)([first, ...others]);
  return Array.from({ length: samples }, (_, at) => scale((at + 0.5) / samples));
}

export function PaletteGradient(props: {
  readonly colours: readonly string[];
  readonly isSmooth: boolean;
  /** Numbers of the first and of the last colour. */
  readonly from: number;
  readonly to: number;
}) {
  const { colours, isSmooth } = props;
  const shown = useMemo(() => samplesOf(colours, isSmooth), [colours, isSmooth]);
  if (shown.length === 0) return null;
  return (
    <figure class="gradient">
      <svg viewBox={`0 0 ${samples} 1`} preserveAspectRatio="none" role="img" aria-label={texts.live.gradient(colours)}>
        {shown.map((colour, at) => (
          <rect key={at} x={at} width={1} height={1} fill={colour} shape-rendering="crispEdges" />
        ))}
      </svg>
      <figcaption class="hint" aria-hidden="true">
        <span>{props.from}</span>
        <span>{props.to}</span>
      </figcaption>
    </figure>
  );
}
