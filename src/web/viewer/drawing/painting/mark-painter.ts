/**
 * Draws marks above the objects: a ring around the focused object, the chosen object, and the hover style where the objects themselves are an
 * image.
 */
import Style, { type StyleFunction } from 'ol/style/Style.js';
import { ObjectFeature } from '../object-feature.ts';
import { trace } from './drawn-shape.ts';
import { hasIconAbove, iconStyle, type PaintContext, shapeIn, shapeStyle } from './object-painter.ts';

export interface Marks {
  isFocused(feature: ObjectFeature): boolean;
  isHovered(feature: ObjectFeature): boolean;
  /** True if the object itself is drawn here, not only its ring. */
  isDrawn(feature: ObjectFeature): boolean;
}

/** A dark line between two light ones is visible on every background. Widths in CSS pixels. */
const ring = [
  { colour: '#ffffff', width: 7 },
  { colour: '#1d4ed8', width: 3 },
] as const;

/** Distance of the ring from the shape of a spot, to its middle. */
const ringGap = 3;
/** Width of the ring of a spot with its distance, in CSS pixels. */
export const ringPx = ringGap + ring[0].width / 2;

/** @param context of the objects */
export function markStyle(context: PaintContext, marks: Marks): StyleFunction {
  const drawn = { ...context, isHovered: marks.isHovered, isLeftOut: (feature: ObjectFeature) => !marks.isDrawn(feature) };
  const paint = shapeStyle(drawn).getRenderer();
  const mark = new Style({
    renderer: (coordinates, state) => {
      const { feature, context: canvas, pixelRatio } = state;
      if (!(feature instanceof ObjectFeature)) return;
      paint?.(coordinates, state);
      if (!marks.isFocused(feature)) return;
      const shape = shapeIn(coordinates, state, context, pixelRatio);
      trace(canvas, 'radius' in shape ? { ...shape, radius: shape.radius + ringGap * pixelRatio } : shape);
      canvas.lineJoin = 'round';
      for (const { colour, width } of ring) {
        canvas.strokeStyle = colour;
        canvas.lineWidth = width * pixelRatio;
        canvas.stroke();
      }
    },
    hitDetectionRenderer: () => undefined,
  });
  const withIcon = [mark, iconStyle(drawn)];
  return (feature) => (hasIconAbove(feature) ? withIcon : mark);
}
