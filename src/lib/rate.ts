/** Rates as people write them: `100/s`, `600/m`, `10000/h`. */

export interface Rate {
  readonly requests: number;
  /** In so many seconds. */
  readonly seconds: number;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** What such a text says, up to a million; `undefined` for any other text. */
export function rateFrom(text: string): Rate | undefined {
  const [, requests, unit] = /^([1-9][0-9]{0,5}|1000000)\/([smh])$/.exec(text) ?? [];
  return unit === undefined ? undefined : { requests: Number(requests), seconds: unitSeconds[unit] as number };
}
