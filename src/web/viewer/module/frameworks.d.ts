/**
 * Adds `<mapwright-map>` to the types of the DOM, of React, Preact and Vue. A framework that is not installed cannot be augmented: the comments hide
 * this error, and each hides one line.
 */
import type {
  MapwrightMapAttributes,
  MapwrightMapElement,
  MapwrightMapEventMap,
  MapwrightMapListeners,
  MapwrightMapProperties,
  MapwrightMapVueListeners,
} from './viewer.js';

declare global {
  interface HTMLElementTagNameMap {
    'mapwright-map': MapwrightMapElement;
  }
  // Its events bubble.
  interface GlobalEventHandlersEventMap extends MapwrightMapEventMap {}
}

type Own = MapwrightMapAttributes & MapwrightMapProperties;

// @ts-ignore
type ReactOfAll = import('react').HTMLAttributes<MapwrightMapElement>;
// @ts-ignore
type ReactAttributes = import('react').DetailedHTMLProps<ReactOfAll, MapwrightMapElement>;
// @ts-ignore
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'mapwright-map': Omit<ReactAttributes, keyof Own> & Own & MapwrightMapListeners;
    }
  }
}

// @ts-ignore
type PreactOfAll = import('preact').HTMLAttributes<MapwrightMapElement>;
// @ts-ignore
type PreactAttributes = PreactOfAll & import('preact').ClassAttributes<MapwrightMapElement>;
// @ts-ignore
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'mapwright-map': Omit<PreactAttributes, keyof Own> & Own & MapwrightMapListeners;
    }
  }
}

// @ts-ignore
type VueAttributes = import('vue').HTMLAttributes & import('vue').ReservedProps;
// @ts-ignore
declare module 'vue' {
  interface GlobalComponents {
    'mapwright-map': new () => MapwrightMapElement & {
      $props: Omit<VueAttributes, keyof Own> & Own & MapwrightMapVueListeners;
    };
  }
}
