/** Rates in human-readable form: `100/s`, `600/m`, `10000/h`. */

export interface Rate {
  readonly requests: number;
  /** Length of the period, in seconds. */
  readonly seconds: number;
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Parses a rate of up to a million requests per unit; `undefined` for any other text. */
export function rateFrom(text: string): Rate | undefined {
  const [, requests, unit] = /^([1-9][0-9]{0,5}|1000000)\/([smh])$/.exec(text) ?? [];
  return unit === undefined ? undefined : { requests: Number(requests), seconds: unitSeconds[unit] as number };
}
