/** The conversation with the frame of the preview: it gets the map after each change, and tiles that only this page can load. */
import { openStreetMapTiles } from '../../viewer/drawing/backdrop.ts';
import { wholeProject } from '../document/whole-project.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { loadSets, type SetIcon } from '../icons/icon-file.ts';
import { loadedAddress, serverRoot } from '../server/server-root.ts';
import { readFromPreview, type ToPreview } from './preview-messages.ts';

/** The preview follows after this pause, in milliseconds: an import or a drag is many changes. */
const pauseMs = 200;

export class PreviewSession {
  readonly #document: ProjectDocument;
  readonly #frame: HTMLIFrameElement;
  readonly #endFollowing: () => void;
  #icons: Readonly<Record<string, SetIcon>> = {};
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: ProjectDocument, frame: HTMLIFrameElement) {
    [this.#document, this.#frame] = [document, frame];
    addEventListener('message', this.#onMessage);
    this.#endFollowing = document.store.onChange(() => this.#follow());
    loadSets().then(
      (icons) => {
        this.#icons = icons;
        this.#follow();
      },
      () => undefined, // Objects have pins, as on the map of the editor.
    );
  }

  end(): void {
    clearTimeout(this.#timer);
    removeEventListener('message', this.#onMessage);
    this.#endFollowing();
  }

  #follow(): void {
    if (!this.#isReady) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sendMap(), pauseMs);
  }

  readonly #onMessage = (event: MessageEvent): void => {
    // A sandboxed frame has no origin of its own.
    if (event.source !== this.#frame.contentWindow || event.origin !== 'null') return;
    const message = readFromPreview(event.data);
    if (message?.kind === 'tile') void this.#sendTile(message.address);
    if (message?.kind !== 'ready') return;
    this.#isReady = true;
    this.#sendMap();
  };

  #sendMap(): void {
    const { artboards, ...project } = wholeProject(this.#document.store);
    const shown = artboards.map((artboard) => ({ ...artboard, image_url: loadedAddress(artboard.image_url) }));
    this.#send({ kind: 'map', map: { ...project, artboards: shown, icons: this.#icons } });
  }

  async #sendTile(address: string): Promise<void> {
    const tiles = this.#document.connection.session.tiles ?? openStreetMapTiles;
    // The frame gets pictures of the server of tiles, and of no other.
    const isTile = URL.canParse(address) && new URL(address).origin === new URL(tiles, serverRoot()).origin;
    const picture = isTile ? await pictureOf(address).catch(() => undefined) : undefined;
    this.#send({ kind: 'tile', address, picture });
  }

  #send(message: ToPreview): void {
    // An opaque origin cannot be named. The window is that of the frame, which the policy keeps on this server.
    this.#frame.contentWindow?.postMessage(message, '*');
  }
}

/** A picture as bytes. The policy of this page allows pictures of every host, but no other requests. Rejects if its server does not allow it. */
async function pictureOf(address: string): Promise<Blob | undefined> {
  const picture = new Image();
  picture.crossOrigin = 'anonymous';
  picture.src = address;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  return canvas.convertToBlob();
}
