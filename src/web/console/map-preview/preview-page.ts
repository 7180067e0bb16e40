/** The script of the frame: it gives the map of the console to the viewer, and goes nowhere. It talks only to its parent window. */
import type { MapwrightMapElement } from '../../viewer/element/map-element.ts';
import { type FromPreview, readToPreview } from './preview-messages.ts';

const { origin } = new URL(location.href);
const send = (message: FromPreview): void => {
  // The origin of this frame is opaque; the console is the one page that may contain it, by the policy.
  parent.postMessage(message, origin);
};

/** Promises of tiles that the console loads, by their addresses. */
const waiting = new Map<string, { readonly resolve: (address: string) => void; readonly reject: (error: Error) => void }>();

const map = document.querySelector('mapwright-map') as MapwrightMapElement;

map.fallbackTile = (address) =>
  new Promise((resolve, reject) => {
    waiting.set(address, { resolve, reject });
    send({ kind: 'tile', address });
  });

addEventListener('message', (event) => {
  if (event.source !== parent || event.origin !== origin) return;
  const message = readToPreview(event.data);
  if (message?.kind === 'map') map.map = message.map;
  if (message?.kind !== 'tile') return;
  const { address, picture } = message;
  const asked = waiting.get(address);
  waiting.delete(address);
  if (picture === undefined) asked?.reject(new Error(`the tile ${address} could not be loaded`));
  else asked?.resolve(URL.createObjectURL(picture));
});

// A link that leads out of the map would show another page here.
addEventListener(
  'click',
  (event) => {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    if (link !== undefined && !(link.getAttribute('href') ?? '').startsWith('#')) event.preventDefault();
  },
  { capture: true },
);
map.addEventListener('mapwright-click', (event) => {
  const { object } = (event as CustomEvent<{ object: { click_action: string } }>).detail;
  if (object.click_action === 'follow-link') event.preventDefault();
});

send({ kind: 'ready' });
