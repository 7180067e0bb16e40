/** When there is time for more than the first picture of a map. */
import type OlMap from 'ol/Map.js';

/** Tiles of a slow server do not keep the rest of the map waiting for longer, in milliseconds. */
const drawnMs = 1500;

/** Calls a function once the next picture is complete, or after a while. */
export function whenDrawn(map: OlMap, act: () => void): void {
  let isDone = false;
  const once = (): void => {
    if (!isDone) act();
    isDone = true;
  };
  map.once('rendercomplete', once);
  map.once('postrender', () => setTimeout(once, drawnMs));
}

/** Calls a function when the browser has nothing else to do. Safari cannot say when. */
export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: 2000 });
  else setTimeout(act, 200);
}
