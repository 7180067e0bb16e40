/** Sends simulated responses for the data sources of the office example, which have no address, until it is stopped. */
import { signal } from '@preact/signals';
import type { ProjectStore } from '../document/project-store.ts';
import type { LiveState } from './live-state.ts';
import type { LiveView } from './live-view.ts';

/** Pause between two responses of a source, in milliseconds. */
const pushMs = 3000;

type Simulate = (seconds: number) => Readonly<Record<string, unknown>>;

/** Whether nothing but pushes gives data to a project. */
export function isWithoutAddresses(store: ProjectStore): boolean {
  store.revision({ kind: 'data_source' }).value;
  const sources = store.members({ kind: 'data_source' });
  return sources.length > 0 && sources.every(({ url }) => url === '');
}

/** The simulation, if it knows one of the data sources by name. */
export async function simulationFor(store: ProjectStore): Promise<Simulate | undefined> {
  const { simulateOffice } = await import('../../../lib/simulate-office.ts');
  const names = new Set(Object.keys(simulateOffice(0)));
  return store.members({ kind: 'data_source' }).some(({ name }) => names.has(String(name))) ? simulateOffice : undefined;
}

export class Simulation {
  readonly isRunning = signal(false);
  readonly #store: ProjectStore;
  readonly #live: LiveState;
  readonly #view: LiveView;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = 0;

  constructor(store: ProjectStore, live: LiveState, view: LiveView) {
    this.#store = store;
    this.#live = live;
    this.#view = view;
  }

  start(simulate: Simulate): void {
    this.isRunning.value = true;
    this.#startedAt = performance.now();
    this.#view.isOn.value = true;
    void this.#step(simulate);
  }

  async #step(simulate: Simulate): Promise<void> {
    const responses = simulate((performance.now() - this.#startedAt) / 1000);
    const sources = document.visibilityState === 'visible' ? this.#store.members({ kind: 'data_source' }) : [];
    await Promise.all(
      sources.map(async ({ id, name }) => {
        const body = Object.hasOwn(responses, String(name)) ? responses[String(name)] : undefined;
        if (body !== undefined) await this.#live.push(id, body);
      }),
    );
    if (this.isRunning.peek()) this.#timer = setTimeout(() => void this.#step(simulate), pushMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.isRunning.value = false;
  }
}
