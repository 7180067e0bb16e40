/** Lists that come in pages. */
import type { Answer, Mapwright, Shown } from '../support/mapwright.ts';

/** The address in a `Link: <...>; rel="next"`. */
export function nextOf({ headers }: Answer): string | undefined {
  const { link } = headers as { link?: string };
  if (link === undefined) return undefined;
  const found = /^<([^>]+)>; rel="next"$/.exec(link)?.[1];
  if (found === undefined) throw new Error(`not a Link to the next page: ${link}`);
  return found;
}

export class Pages {
  readonly #mapwright: Mapwright;

  constructor(mapwright: Mapwright) {
    this.#mapwright = mapwright;
  }

  /** The pages from an address on. */
  async *from(target: string, key = this.#mapwright.key): AsyncGenerator<Shown[]> {
    for (let next: string | undefined = target; next !== undefined; ) {
      const answer: Answer = await this.#mapwright.ask('GET', next, { key });
      yield answer.list;
      next = nextOf(answer);
    }
  }

  async collect(target: string, key?: string): Promise<Shown[]> {
    const all: Shown[] = [];
    for await (const page of this.from(target, key)) all.push(...page);
    return all;
  }
}
