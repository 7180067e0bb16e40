/** The script of `viewer.js`: defines the element `<mapwright-map>`. */
import { MapwrightMapElement } from './element/map-element.ts';

const name = 'mapwright-map';

// A page may contain the script twice, from two servers.
if (customElements.get(name) === undefined) customElements.define(name, MapwrightMapElement);
