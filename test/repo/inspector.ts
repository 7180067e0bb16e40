/** A client of Node's inspector: the main thread of another process, and its workers. */
import { once } from 'node:events';
import { type MessageEvent, WebSocket } from 'undici';

/** A message of the inspector's protocol, which has no types here. */
// biome-ignore lint/suspicious/noExplicitAny: its members differ from method to method
export type Message = any;

/** A thread that is inspected. Methods and events are those of the protocol: https://chromedevtools.github.io/devtools-protocol/v8/ */
export class InspectedThread {
  readonly #send: (text: string) => void;
  readonly #waiting = new Map<number, { resolve: (result: Message) => void; reject: (error: Error) => void }>();
  readonly #listeners = new Map<string, (params: Message) => void>();
  #lastId = 0;
  #ended = false;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Resolves to `undefined` if the thread has ended; rejects if the inspector refuses the call. */
  async post(method: string, params: object = {}): Promise<Message> {
    if (this.#ended) return undefined;
    const id = ++this.#lastId;
    const result = new Promise<Message>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#send(JSON.stringify({ id, method, params }));
    return await result;
  }

  /** One listener for each event. */
  on(event: string, listener: (params: Message) => void): void {
    this.#listeners.set(event, listener);
  }

  end(): void {
    this.#ended = true;
    for (const { resolve } of this.#waiting.values()) resolve(undefined);
  }

  receive(text: string): void {
    const { id, result, error, method, params } = JSON.parse(text);
    if (method !== undefined) this.#listeners.get(method)?.(params);
    else if (error === undefined) this.#waiting.get(id)?.resolve(result);
    else this.#waiting.get(id)?.reject(new Error(`the inspector refused: ${error.message}`));
    this.#waiting.delete(id);
  }
}

/** Connects to the process whose inspector has this address; its main thread comes first. */
export async function inspect(url: string): Promise<{ threads: readonly InspectedThread[]; close: () => void }> {
  const socket = new WebSocket(url);
  await once(socket as unknown as EventTarget, 'open');
  const main = new InspectedThread((text) => socket.send(text));
  socket.addEventListener('message', ({ data }: MessageEvent) => main.receive(data));
  const workers = new Map<string, InspectedThread>();
  main.on('NodeWorker.attachedToWorker', ({ sessionId }) => {
    const send = (message: string) => void main.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    workers.set(sessionId, new InspectedThread(send));
  });
  main.on('NodeWorker.receivedMessageFromWorker', ({ sessionId, message }) => workers.get(sessionId)?.receive(message));
  main.on('NodeWorker.detachedFromWorker', ({ sessionId }) => workers.get(sessionId)?.end());
  await main.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return { threads: [main, ...workers.values()], close: () => socket.close() };
}
