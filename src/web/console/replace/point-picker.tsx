/** A plan with its three points: they are dragged, moved by arrow keys, or placed by a click or tap on the plan. */
import { useEffect, useRef } from 'preact/hooks';
import type { Plan, Side } from '../commands/replacement.ts';
import { lateTexts } from '../late-texts.ts';
import { loadedAddress } from '../server/server-root.ts';
import type { ThreePoints } from '../shapes/affine.ts';
import type { Point } from '../shapes/shape.ts';

interface Props {
  readonly side: Side;
  readonly plan: Plan;
  readonly points: ThreePoints;
  /** The point that a click or tap on the plan places: 0, 1 or 2. */
  readonly active: number;
  /** How much larger the plan is than its box. */
  readonly zoom: number;
  readonly onMove: (at: number, to: Point) => void;
  readonly onActive: (at: number) => void;
  /** A click or tap has placed the active point. */
  readonly onPlaced: () => void;
}

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** A step by keys is this share of the longer side; with Shift, a pixel. */
const stepShare = 0.01;

/** Where an arrow key moves a point; `undefined` for other keys. */
function movedByKey({ key, shiftKey }: KeyboardEvent, point: Point, { width, height }: Plan): Point | undefined {
  const direction = directions[key];
  if (direction === undefined) return undefined;
  const step = shiftKey ? 1 : Math.max(1, Math.round(Math.max(width, height) * stepShare));
  return { x: point.x + direction.x * step, y: point.y + direction.y * step };
}

/** The press of a point. */
interface Press {
  /** The point: 0, 1 or 2. */
  readonly at: number;
  /** True if it was the active one before: then a click on it places it, too. */
  readonly wasActive: boolean;
  readonly x: number;
  readonly y: number;
  readonly hasMoved: boolean;
}

type Dragged = { current: Press | undefined };

/** Pixels of the screen from which a press is a drag. */
const dragFrom = 3;

/**
 * The active point stays in view when the plan is enlarged, and when the other plan has placed its own; but a plan stays under the hand that
 * drags a point of it.
 */
function useInView(stage: { readonly current: HTMLDivElement | null }, dragged: Dragged, props: Props): void {
  const { plan, points, active, zoom } = props;
  useEffect(() => {
    const box = stage.current?.parentElement;
    const point = points[active];
    if (stage.current === null || !box || point === undefined || dragged.current !== undefined) return;
    const { offsetWidth, offsetHeight } = stage.current;
    box.scrollTo(
      (point.x / plan.width) * offsetWidth - box.clientWidth / 2,
      (point.y / plan.height) * offsetHeight - box.clientHeight / 2,
    );
  }, [zoom, active]);
}

export function PointPicker(props: Props) {
  const { side, plan, points, active, zoom, onMove } = props;
  const stage = useRef<HTMLDivElement>(null);
  const dragged = useRef<Press | undefined>(undefined);
  /** Where the pointer is on the plan, in pixels of the artboard. */
  const placeOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top, width, height } = (stage.current as HTMLDivElement).getBoundingClientRect();
    return { x: ((clientX - left) / width) * plan.width, y: ((clientY - top) / height) * plan.height };
  };
  useInView(stage, dragged, props);
  return (
    <figure class="point-picker">
      <figcaption>{lateTexts.replace.sides[side]}</figcaption>
      <div class={zoom > 1 ? 'point-scroll enlarged' : 'point-scroll'}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the points move by keys instead */}
        <div
          ref={stage}
          class="point-stage"
          style={{
            // The whole plan is in view as long as it is not enlarged.
            inlineSize: `calc(${zoom} * min(100%, var(--plan-height) * ${plan.width / plan.height}))`,
            aspectRatio: `${plan.width} / ${plan.height}`,
          }}
          onPointerDown={(event) => {
            if (event.target instanceof Element && event.target.closest('.point') === null) dragged.current = undefined;
          }}
          onClick={(event) => {
            const press = dragged.current;
            dragged.current = undefined;
            // A click on another point has chosen it; a drag, and a key on a button, are no click.
            if (event.detail === 0 || press?.hasMoved === true || press?.wasActive === false) return;
            onMove(active, placeOf(event));
            props.onPlaced();
          }}
        >
          <img src={loadedAddress(plan.url)} alt="" draggable={false} />
          {points.map((point, at) => (
            <PointHandle key={at} picker={props} dragged={dragged} at={at} point={point} placeOf={placeOf} />
          ))}
        </div>
      </div>
    </figure>
  );
}

/** One of the points: a button that is dragged, placed by a click within it if it is the active one, or moved by arrow keys. */
function PointHandle(props: {
  readonly picker: Props;
  readonly dragged: Dragged;
  readonly at: number;
  readonly point: Point;
  readonly placeOf: (event: MouseEvent) => Point;
}) {
  const { at, point, dragged, placeOf } = props;
  const { side, plan, active, onMove, onActive } = props.picker;
  const { x, y } = point;
  return (
    <button
      type="button"
      // The number is on the side of the middle of the plan.
      class={`point ${at === active ? 'active' : ''} ${x > plan.width / 2 ? 'number-left' : ''} ${y < plan.height / 2 ? 'number-below' : ''}`}
      aria-label={lateTexts.replace.pointOf(at + 1, side, x, y)}
      style={{ insetInlineStart: `${(x / plan.width) * 100}%`, insetBlockStart: `${(y / plan.height) * 100}%` }}
      onFocus={() => onActive(at)}
      onKeyDown={(event) => {
        const to = movedByKey(event, point, plan);
        if (to === undefined) return;
        event.preventDefault();
        onMove(at, to);
      }}
      onPointerDown={(event) => {
        dragged.current = { at, wasActive: at === active, x: event.clientX, y: event.clientY, hasMoved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
        onActive(at);
      }}
      onPointerMove={(event) => {
        const press = dragged.current;
        if (press?.at !== at || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        if (!press.hasMoved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < dragFrom) return;
        dragged.current = { ...press, hasMoved: true };
        onMove(at, placeOf(event));
      }}
    >
      <span>{at + 1}</span>
    </button>
  );
}
