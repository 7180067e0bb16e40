/**
 * The gestures of a map. Cooperative ones leave scrolling to the page that the map is in: the wheel zooms only with Ctrl (⌘), and on a touch
 * screen the map moves with two fingers. A hint says so.
 */
import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js';
import DragPan from 'ol/interaction/DragPan.js';
import type Interaction from 'ol/interaction/Interaction.js';
import KeyboardPan from 'ol/interaction/KeyboardPan.js';
import KeyboardZoom from 'ol/interaction/KeyboardZoom.js';
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js';
import PinchZoom from 'ol/interaction/PinchZoom.js';
import Kinetic from 'ol/Kinetic.js';
import type MapBrowserEvent from 'ol/MapBrowserEvent.js';
import type { Pixel } from 'ol/pixel.js';
import { zoomFactor } from '../drawing/view/first-view.ts';

interface GestureOptions {
  isCooperative(): boolean;
  /** Whether movements may continue after a gesture. */
  animates(): boolean;
}

/** Greatest distance of the clicks of a double click, in pixels. */
const samePlacePx = 10;

/** Levels of OpenLayers by which a key, a double click or a turn of the wheel zooms at most. */
const delta = Math.log2(zoomFactor);

/** The values that OpenLayers itself uses. */
const kinetic = { decay: -0.005, minVelocity: 0.05, delayMs: 100 };

export function mapInteractions({ isCooperative, animates }: GestureOptions): Interaction[] {
  const duration = animates() ? 250 : 0;
  const drag: DragPan = new DragPan({
    ...(animates() ? { kinetic: new Kinetic(kinetic.decay, kinetic.minVelocity, kinetic.delayMs) } : {}),
    condition: ({ originalEvent }) => {
      if (originalEvent instanceof PointerEvent && originalEvent.pointerType === 'mouse' && originalEvent.button > 0)
        return false;
      return !isCooperative() || (originalEvent as PointerEvent).pointerType !== 'touch' || drag.getPointerCount() === 2;
    },
  });
  return [
    drag,
    new PinchZoom({ duration }),
    new SamePlaceZoom({ duration, delta }),
    new MouseWheelZoom({
      duration,
      maxDelta: delta,
      condition: ({ originalEvent }) => !isCooperative() || hasZoomKey(originalEvent as WheelEvent),
    }),
    new KeyboardPan({ duration: Math.min(duration, 100) }),
    new KeyboardZoom({ duration, delta }),
  ];
}

/** OpenLayers takes any two quick clicks for a double click, also on different objects. */
class SamePlaceZoom extends DoubleClickZoom {
  #clicks: readonly Pixel[] = [];

  override handleEvent(event: MapBrowserEvent): boolean {
    if (event.type === 'click') this.#clicks = [...this.#clicks.slice(-1), event.pixel];
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = this.#clicks;
    if (event.type === 'dblclick' && Math.hypot(x2 - x1, y2 - y1) > samePlacePx) return true;
    return super.handleEvent(event);
  }
}

/** Browsers report a pinch on a touchpad as a wheel with Ctrl. */
const hasZoomKey = ({ ctrlKey, metaKey }: WheelEvent): boolean => ctrlKey || metaKey;

/** The key that browsers of this system zoom with. */
export const zoomKey = (): string => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl');

/** Calls `hint` for gestures that a cooperative map leaves to the page. */
export function watchOtherGestures(
  target: HTMLElement,
  isCooperative: () => boolean,
  hint: (kind: 'wheel' | 'touch') => void,
): void {
  target.addEventListener(
    'wheel',
    (event) => {
      if (isCooperative() && !hasZoomKey(event)) hint('wheel');
    },
    { passive: true },
  );
  target.addEventListener(
    'touchmove',
    ({ touches }) => {
      if (isCooperative() && touches.length === 1) hint('touch');
    },
    { passive: true },
  );
}
