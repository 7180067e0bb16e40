/** Data sources that are fetched or were fetched lately, each with its settings, its schedule and the fetch that runs. */
import type { SourceResponse } from './response-store.ts';
import { SourceMap, type SourceName } from './source-map.ts';
import { type StoredSource, settingsKey } from './source-request.ts';
import { isIdle, newSchedule, type Schedule } from './source-schedule.ts';

/** Settings per source whose schedules are kept, as in the store. */
const settingsMax = 4;

/** Schedules that are made between two searches for idle ones. */
const sweepEach = 1000;

/** A fetch that runs. */
export interface Flight {
  readonly done: Promise<SourceResponse>;
  readonly controller: AbortController;
  /** Whether its outcome is not kept: the source was deleted, or a push is newer. */
  isDropped: boolean;
}

/** A data source with its settings. */
export interface Tracked {
  readonly name: SourceName;
  readonly settings: string;
  readonly source: StoredSource;
  schedule: Schedule;
  flight: Flight | undefined;
  timer: NodeJS.Timeout | undefined;
  timerAt: number;
  /** Since its fetches fail, in Unix milliseconds. */
  failing: { readonly code: string; readonly since: number } | undefined;
}

export class TrackedSources {
  readonly #sources = new SourceMap<Map<string, Tracked>>();
  #created = 0;

  /** All tracked settings of one source, or of all. */
  *all(name?: SourceName): Generator<Tracked> {
    const sources = name === undefined ? this.#sources.values() : [this.#sources.get(name) ?? new Map<string, Tracked>()];
    for (const settings of sources) yield* settings.values();
  }

  /**
   * The entry of a source with its settings, which is made if there is none.
   *
   * @param now as in source-schedule.ts
   */
  of(name: SourceName, source: StoredSource, now: number): Tracked {
    const settings = settingsKey(source);
    const known = this.#sources.get(name)?.get(settings);
    if (known !== undefined) return known;
    if (++this.#created % sweepEach === 0) this.#sweep(now);
    const tracked: Tracked = {
      name,
      settings,
      source,
      schedule: newSchedule,
      flight: undefined,
      timer: undefined,
      timerAt: 0,
      failing: undefined,
    };
    const bySettings = this.#sources.get(name) ?? new Map<string, Tracked>();
    this.#sources.set(name, bySettings.set(settings, tracked));
    const [oldest] = bySettings.values();
    if (bySettings.size > settingsMax && oldest !== undefined) {
      bySettings.delete(oldest.settings);
      end(oldest);
    }
    return tracked;
  }

  /** Ends the timers and fetches of a source, and forgets them. */
  delete(name: SourceName): void {
    this.#end(this.#sources.delete(name));
  }

  deleteProject(project: Pick<SourceName, 'accountId' | 'projectId'>): void {
    this.#end(this.#sources.deleteProject(project));
  }

  deleteAccount(accountId: string): void {
    this.#end(this.#sources.deleteAccount(accountId));
  }

  #end(deleted: readonly ReadonlyMap<string, Tracked>[]): void {
    for (const settings of deleted) for (const tracked of settings.values()) end(tracked);
  }

  /** Forgets the schedules that no longer matter. */
  #sweep(now: number): void {
    for (const bySettings of [...this.#sources.values()]) {
      for (const { name, settings, schedule } of bySettings.values()) {
        if (!isIdle(schedule, now)) continue;
        bySettings.delete(settings);
        if (bySettings.size === 0) this.#sources.delete(name);
      }
    }
  }
}

function end(tracked: Tracked): void {
  clearTimeout(tracked.timer);
  tracked.timer = undefined;
  dropFlight(tracked);
}

/** Cancels the fetch of a source; its outcome is not kept. */
export function dropFlight(tracked: Tracked): void {
  const { flight } = tracked;
  if (flight === undefined) return;
  tracked.flight = undefined;
  flight.isDropped = true;
  flight.controller.abort();
}
