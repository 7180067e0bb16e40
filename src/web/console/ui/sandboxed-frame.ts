/**
 * Messages between the page and a sandboxed frame of its server, from the side of the page. The frame has an opaque origin, so neither side can
 * name it: the page reads only what comes from the window of the frame, and gives only what the frame may know.
 */
export class SandboxedFrame<FromFrame, ToFrame> {
  readonly #element: HTMLIFrameElement;
  readonly #onMessage: (event: MessageEvent) => void;

  /**
   * @param read a message of a known kind; `undefined` for anything else
   * @param take called with each message, until {@link close}
   */
  constructor(element: HTMLIFrameElement, read: (data: unknown) => FromFrame | undefined, take: (message: FromFrame) => void) {
    this.#element = element;
    this.#onMessage = (event) => {
      // A sandboxed frame has no origin of its own.
      if (event.source !== element.contentWindow || event.origin !== 'null') return;
      const message = read(event.data);
      if (message !== undefined) take(message);
    };
    addEventListener('message', this.#onMessage);
  }

  send(message: ToFrame): void {
    // An opaque origin cannot be named. The window is that of the frame, which the policy keeps on this server.
    this.#element.contentWindow?.postMessage(message, '*');
  }

  close(): void {
    removeEventListener('message', this.#onMessage);
  }
}
