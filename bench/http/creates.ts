/** Creating objects, counted: at the end as many are stored as were acknowledged. */
import type { Request } from '../lib/ask.ts';
import type { Side } from '../lib/turns.ts';
import { sendLoad } from '../load/throughput.ts';
import type { Api } from '../servers/api.ts';
import { checkCreate, countObjects } from './check.ts';
import { exampleObjects, type Made, makeProject, type ObjectBody, objectsPath, type Shown } from './world.ts';

/** Objects that are created over and over. */
const bodies = 100;
/** Requests on each of several projects, before the first one comes again. */
const perProject = 5;

/** Bytes of the body of a create, on average. */
export const createBytes = (): number =>
  Math.round(exampleObjects('cities', bodies).reduce((sum, body) => sum + JSON.stringify(body).length, 0) / bodies);

export class Creates implements Side {
  readonly name: string;
  /** The first object that was created. */
  readonly first: Shown;
  readonly #target: Api;
  readonly #projects: readonly Made[];
  readonly #connections: number;
  readonly #requests: readonly Request[];
  #usPerAnswer: number | undefined;
  #answers = 1; // the first one's
  /** Requests that may have been carried out when their load ended without having read the answer. */
  #unanswered = 0;

  private constructor(target: Api, projects: readonly Made[], connections: number, objects: readonly ObjectBody[], first: Shown) {
    this.name = target.name;
    this.first = first;
    this.#target = target;
    this.#projects = projects;
    this.#connections = connections;
    this.#requests = Array.from({ length: Math.max(bodies, projects.length * perProject) }, (_, i) => ({
      method: 'POST',
      path: objectsPath(projects[i % projects.length] as Made),
      body: JSON.stringify(objects[i % objects.length]),
    }));
  }

  /** Makes projects of its own and sees that one create is answered right. */
  static async begin(target: Api, connections: number, projects = 1): Promise<Creates> {
    const objects = exampleObjects('cities', bodies);
    const made: Made[] = [];
    for (let i = 0; i < projects; i++) made.push(await makeProject(target));
    const first = await checkCreate(target, made[0] as Made, objects[0] as ObjectBody);
    return new Creates(target, made, connections, objects, first);
  }

  usPerAnswer(): number | undefined {
    return this.#usPerAnswer;
  }

  async measure(seconds: number): Promise<number> {
    const load = { target: this.#target, requests: this.#requests, connections: this.#connections, seconds };
    const { answers, perSecond, usPerAnswer } = await sendLoad(load);
    this.#usPerAnswer = usPerAnswer;
    this.#answers += answers;
    this.#unanswered += this.#connections;
    return perSecond;
  }

  /** Rejects when objects are missing that were acknowledged, or there are others. */
  async check(): Promise<void> {
    const stored = await countObjects(this.#target, this.#projects);
    if (stored < this.#answers || stored > this.#answers + this.#unanswered)
      throw new Error(`${this.name}: ${this.#answers} creates were acknowledged, ${stored} objects are stored`);
  }
}
