/** Rows of a list are moved by touch: a long press, then a drag. Few browsers drag by touch themselves. */

export interface TouchDrag {
  /** The row that is held; `undefined` for none. Nothing starts without one. */
  rowOf(target: EventTarget | null): number | undefined;
  onStart(at: number): void;
  onMove(clientY: number): void;
  onDrop(): void;
  /** Called after each press that was long enough, also one that was cancelled. */
  onEnd(): void;
}

/** Milliseconds after which a press is long, and pixels that a finger may move until then. */
const [holdMs, slopPx] = [450, 10];

/** @returns what removes it */
export function touchDrag(box: HTMLElement, drag: TouchDrag): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from: Touch | undefined;
  let isHeld = false;
  const end = (): void => {
    clearTimeout(timer);
    from = undefined;
    if (isHeld) drag.onEnd();
    isHeld = false;
  };
  const listeners = {
    touchstart(event: TouchEvent) {
      end();
      const row = drag.rowOf(event.target);
      if (event.touches.length !== 1 || row === undefined) return;
      from = event.touches[0];
      timer = setTimeout(() => {
        isHeld = true;
        drag.onStart(row);
      }, holdMs);
    },
    touchmove(event: TouchEvent) {
      const [touch] = event.touches;
      if (touch === undefined || from === undefined) return;
      if (isHeld) {
        event.preventDefault();
        drag.onMove(touch.clientY);
      } else if (Math.hypot(touch.clientX - from.clientX, touch.clientY - from.clientY) > slopPx) end();
    },
    touchend(event: TouchEvent) {
      if (isHeld) {
        // No click follows: it would choose another row.
        event.preventDefault();
        drag.onDrop();
      }
      end();
    },
    touchcancel: end,
    // The menu and the drag of the browser for a long press.
    contextmenu(event: Event) {
      if (from !== undefined) event.preventDefault();
    },
    dragstart(event: Event) {
      if (from === undefined) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  const entries = Object.entries(listeners) as [string, EventListener][];
  for (const [type, listener] of entries) box.addEventListener(type, listener, { passive: false, capture: true });
  return () => {
    end();
    for (const [type, listener] of entries) box.removeEventListener(type, listener, { capture: true });
  };
}
