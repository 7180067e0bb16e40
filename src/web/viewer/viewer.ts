/** The script of `viewer.js`: defines the element `<mapwright-map>`. */
import { MapwrightMapElement } from './element/map-element.ts';

// `mapwright/viewer` imports the same script.
export { parts } from './element/parts/viewer-part.ts';
export { MapwrightMapElement };

try {
  customElements.define('mapwright-map', MapwrightMapElement);
} catch {
  // A page may contain the script twice, from two servers; and programs that render pages on a server have no elements.
}
