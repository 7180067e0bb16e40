/**
 * Turns what OpenLayers says about pointers into events of the tools. The hand moves the map instead: the middle button, Space, two fingers,
 * and any drag if nothing can be changed.
 */
import Interaction from 'ol/interaction/Interaction.js';
import type MapBrowserEvent from 'ol/MapBrowserEvent.js';
import type { Point } from '../shapes/shape.ts';
import type { Held, ToolEvent } from '../tools/tool.ts';

interface PointerOptions {
  readonly toArtboard: (coordinate: number[]) => Point;
  readonly send: (event: ToolEvent) => void;
  /** Whether a drag moves the map. */
  readonly isHand: () => boolean;
  /** Whether tools change something; without that, a click selects and a drag moves the map. */
  readonly canWrite: boolean;
}

const heldIn = ({ shiftKey, ctrlKey, metaKey, altKey }: PointerEvent): Held => ({
  shift: shiftKey,
  control: ctrlKey || metaKey,
  alt: altKey,
});

export function pointerEvents({ toArtboard, send, isHand, canWrite }: PointerOptions): Interaction {
  let isPressed = false;
  const abort = () => {
    if (isPressed) send({ is: 'abort' });
    isPressed = false;
  };
  /** Whether other interactions get the event, too. */
  const handleEvent = (event: MapBrowserEvent<PointerEvent>): boolean => {
    const { type, originalEvent } = event;
    const at = () => toArtboard(event.coordinate);
    const held = heldIn(originalEvent);
    switch (type) {
      case 'pointerdown':
        if ((event.activePointers?.length ?? 1) > 1) {
          abort();
          return true;
        }
        if (originalEvent.button !== 0 || isHand()) return true;
        isPressed = true;
        send({ is: 'down', at: at(), held, isTouch: originalEvent.pointerType === 'touch' });
        return !canWrite;
      case 'pointerdrag':
        if (!isPressed) return true;
        send({ is: 'move', at: at(), held });
        // No scrolling of the page.
        originalEvent.preventDefault();
        return !canWrite;
      case 'pointerup':
        if (!isPressed) return true;
        if (originalEvent.type === 'pointercancel') abort();
        else {
          isPressed = false;
          send({ is: 'up', at: at(), held });
        }
        return true;
      case 'pointermove':
        if (!isPressed && !event.dragging && originalEvent.pointerType !== 'touch') send({ is: 'move', at: at(), held });
        return true;
      default:
        return true;
    }
  };
  return new Interaction({ handleEvent: handleEvent as (event: MapBrowserEvent) => boolean });
}

/**
 * Refuses what X11 pastes when the middle button is released, which moves the map here. The next key or press may paste again.
 */
export function refuseMiddlePaste(): void {
  const ended = new AbortController();
  const options = { capture: true, signal: ended.signal };
  const refuse = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('paste', refuse, options);
  addEventListener('auxclick', (event) => event.preventDefault(), options);
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, () => ended.abort(), options);
}
