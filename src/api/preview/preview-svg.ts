/**
 * A drawing as SVG. It contains no text of the project and no address, and is made of numbers alone: no value of a project can become
 * markup.
 */
import { hexOf } from '../../lib/draw/css-colour.ts';
import { cssModes } from './blend-layers.ts';
import { cornersIn, type Drawing, type Figure, type Points, type Shape, type Stroke, stepCorners } from './drawn-artboard.ts';

/** Blend modes, each with a class of one letter. */
const classes = new Map(cssModes.map((mode, at) => [mode, String.fromCharCode(97 + at)]));
const style = `<style>${[...classes].map(([mode, name]) => `.${name}{mix-blend-mode:${mode}}`).join('')}</style>`;

/** Corners that a shape without corners costs. */
const shapeCorners = 64;

/** Writes a drawing. Yields between steps of a bounded size. */
export function* previewSvg({ width, height, background, shapes }: Drawing): Generator<void, string> {
  let body = '';
  let step = 0;
  for (const shape of shapes) {
    body += painted(shape, elementOf(shape.figure));
    step += shapeCorners + cornersIn(shape.figure);
    if (step < stepCorners) continue;
    step = 0;
    yield;
  }
  const hasModes = shapes.some(({ layers }) => layers.some(({ mode }) => mode !== undefined));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${hasModes ? style : ''}<rect width="${width}" height="${height}" fill="${hexOf(background)}"/>${body}</svg>`;
}

/** The start of an element, without its paint: `<circle cx="1" cy="2" r="3"`. */
function elementOf(figure: Figure): string {
  if (figure.kind === 'circle') return `<circle cx="${figure.x}" cy="${figure.y}" r="${figure.radius}"`;
  if (figure.kind === 'line') return `<polyline points="${pairsOf(figure.points, ' ')}"`;
  if (figure.kind === 'polygon') return `<polygon points="${pairsOf(figure.points, ' ')}"`;
  return `<path fill-rule="evenodd" d="${figure.rings.map((points) => `M${pairsOf(points, 'L')}Z`).join('')}"`;
}

function pairsOf(points: Points, separator: string): string {
  let text = '';
  for (let at = 0; at < points.length; at += 2) text += `${at === 0 ? '' : separator}${points[at]},${points[at + 1]}`;
  return text;
}

/** The elements of a shape: one, or several on top of each other for a blend mode that the browser does not have. */
function painted({ layers, opacity, stroke }: Shape, element: string): string {
  if (layers.length === 0) return `${element} fill="none"${outlineOf(stroke)}/>`;
  return layers
    .map(({ rgb, mode }) => {
      const paint = ` fill="${hexOf(rgb)}"${opacity === 1 ? '' : ` fill-opacity="${opacity}"`}`;
      return `${element}${paint}${outlineOf(stroke)}${mode === undefined ? '' : ` class="${classes.get(mode)}"`}/>`;
    })
    .join('');
}

function outlineOf(stroke: Stroke | undefined): string {
  if (stroke === undefined) return '';
  const { rgb, width, opacity } = stroke;
  return ` stroke="${hexOf(rgb)}" stroke-width="${width}"${opacity === 1 ? '' : ` stroke-opacity="${opacity}"`}`;
}
