/**
 * Counts the visits of published maps in memory, and stores them once a minute: one record for each account. Until then a crash loses them. No
 * visitor is part of it: the same counts result from any visitors.
 *
 * What waits is bounded, whatever visitors send: beyond {@link mapsMax}, visits of further maps are dropped and reported; beyond
 * {@link placesMax}, places are counted as others.
 */
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { runToEnd } from '../../lib/async/run-to-end.ts';
import { StoppedError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { addVisits, type DayVisits, dayOf, daysIn, noVisits, placesPerDayMax } from '../../store/visits.ts';
import type { Engine } from '../engine.ts';

/** Time between two records of an account, in milliseconds. */
const pauseMs = 60_000;
/** Maps whose visits wait, and places in all of them. */
const mapsMax = 20_000;
const placesMax = 100_000;
/** Maps in one record: more would take too long in one turn. */
const mapsPerRecord = 200;

export interface Visit {
  /** Openings of the map. */
  readonly opened: number;
  /** Searches without a result. */
  readonly searches: number;
  /** Identifiers of places that were opened. */
  readonly places: readonly string[];
}

interface WaitingDay {
  readonly day: number;
  opened: number;
  searches: number;
  other: number;
  readonly places: Map<string, number>;
}

interface WaitingMap {
  /** The time of the publication: a later one of the same project begins without visits. */
  readonly slug: string;
  readonly days: Map<number, WaitingDay>;
}

type PutVisits = Extract<Change, { op: 'put-visits' }>;

export interface VisitCountsOptions {
  readonly log: Log;
  /** See {@link pauseMs}. */
  readonly pauseMs?: number;
}

export class VisitCounts {
  readonly #engine: Pick<Engine, 'state' | 'writer'>;
  readonly #log: Log;
  readonly #pauseMs: number;
  /** By account and project. */
  readonly #waiting = new Map<string, Map<string, WaitingMap>>();
  #maps = 0;
  #places = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(engine: Pick<Engine, 'state' | 'writer'>, options: VisitCountsOptions) {
    this.#engine = engine;
    this.#log = options.log;
    this.#pauseMs = options.pauseMs ?? pauseMs;
  }

  /** Maps and places that wait to be stored. */
  get waiting(): { readonly maps: number; readonly places: number } {
    return { maps: this.#maps, places: this.#places };
  }

  /** Counts a visit of a project that is public. One without anything leaves no trace. */
  add(project: StoredProject, { opened, searches, places }: Visit): void {
    if (this.#isClosed || project.publication === undefined || opened + searches + places.length === 0) return;
    const map = this.#mapOf(project, project.publication.slug);
    if (map === undefined) {
      this.#dropped++;
      return;
    }
    const day = dayIn(map, dayOf(this.#engine.writer.context().now));
    day.opened += opened;
    day.searches += searches;
    for (const id of places) this.#addPlace(day, id);
    this.#timer ??= this.#startTimer();
  }

  /** The visits of a project from one day to another, both included, stored or not, in ascending order; days without visits are left out. */
  daysOf({ id, accountId, visits, publication }: StoredProject, from: number, to: number): DayVisits[] {
    const days = new Map(daysIn(visits, from, to).map((each) => [each.day, each]));
    const map = this.#waiting.get(accountId)?.get(id);
    for (const [day, added] of map?.slug === publication?.slug ? (map?.days ?? []) : [])
      if (day >= from && day <= to) days.set(day, addVisits(days.get(day) ?? noVisits(day), added));
    return [...days.values()].sort((a, b) => a.day - b.day);
  }

  /** Stores what waits, in slices. What cannot be stored now waits for the next time. */
  async flush(): Promise<void> {
    await runCooperatively(this.#storeAll());
  }

  /** Stores what waits, in this turn: it becomes durable when the journal closes. */
  close(): void {
    clearTimeout(this.#timer);
    runToEnd(this.#storeAll());
    this.#isClosed = true;
  }

  #startTimer(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      void this.flush().finally(() => {
        this.#timer = this.#maps > 0 && !this.#isClosed ? this.#startTimer() : undefined;
      });
    }, this.#pauseMs);
    return timer.unref();
  }

  #mapOf({ id, accountId }: StoredProject, slug: string): WaitingMap | undefined {
    const maps = this.#waiting.get(accountId) ?? new Map<string, WaitingMap>();
    const present = maps.get(id);
    if (present?.slug === slug) return present;
    if (present !== undefined) this.#remove(maps, id);
    else if (this.#maps >= mapsMax) return undefined;
    const made: WaitingMap = { slug, days: new Map() };
    this.#waiting.set(accountId, maps.set(id, made));
    this.#maps++;
    return made;
  }

  #addPlace(day: WaitingDay, id: string): void {
    const before = day.places.get(id);
    if (before === undefined && (day.places.size >= placesPerDayMax || this.#places >= placesMax)) {
      day.other++;
      return;
    }
    if (before === undefined) this.#places++;
    day.places.set(id, (before ?? 0) + 1);
  }

  #remove(maps: Map<string, WaitingMap>, id: string): void {
    for (const { places } of maps.get(id)?.days.values() ?? []) this.#places -= places.size;
    if (maps.delete(id)) this.#maps--;
  }

  /** Yields between two records. */
  *#storeAll(): Generator<void, void> {
    if (this.#dropped > 0)
      this.#log.warn({ count: this.#dropped }, `visits of more than ${mapsMax} maps in a minute: some were not counted`);
    this.#dropped = 0;
    for (const accountId of [...this.#waiting.keys()]) {
      while (this.#storeSome(accountId)) yield;
      if (this.#waiting.get(accountId)?.size === 0) this.#waiting.delete(accountId);
      yield;
    }
  }

  /** Stores the visits of some maps of an account; `false` if that fails, or nothing waits. */
  #storeSome(accountId: string): boolean {
    const maps = this.#waiting.get(accountId);
    const ids = [...(maps?.keys() ?? [])].slice(0, mapsPerRecord);
    if (maps === undefined || ids.length === 0) return false;
    try {
      const changes = ids
        .map((id) => this.#changeOf(accountId, id, maps.get(id) as WaitingMap))
        .filter((change) => change !== undefined);
      if (changes.length > 0) this.#engine.writer.commit(changes);
    } catch (error) {
      if (!(error instanceof StoppedError))
        this.#log.warn({ err: error, account: accountId }, 'visits cannot be stored now; they stay in memory until they can');
      return false;
    }
    for (const id of ids) this.#remove(maps, id);
    return true;
  }

  /** `undefined` if the map is not public any more. */
  #changeOf(accountId: string, projectId: string, { slug, days }: WaitingMap): PutVisits | undefined {
    const project = this.#engine.state.accounts.get(accountId)?.projects.get(projectId);
    if (project?.publication?.slug !== slug) return undefined;
    const stored = (day: number): DayVisits => daysIn(project.visits, day, day)[0] ?? noVisits(day);
    const after = [...days.values()].map((added) => addVisits(stored(added.day), added));
    return { op: 'put-visits', accountId, projectId, days: after };
  }
}

function dayIn({ days }: WaitingMap, day: number): WaitingDay {
  const present = days.get(day);
  if (present !== undefined) return present;
  const made: WaitingDay = { day, opened: 0, searches: 0, other: 0, places: new Map() };
  days.set(day, made);
  return made;
}
