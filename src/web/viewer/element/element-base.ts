/** The class that the element extends: `Object` where there is no DOM, as in a program that renders pages on a server, so that it can import the module. */
export const ElementBase: typeof HTMLElement = globalThis.HTMLElement ?? Object;
