/** What the answers of all routes of the console have in common: nobody keeps them. */

export const noStore = { 'Cache-Control': 'no-store' };

export const json = (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  ({ kind: 'json', status, json: JSON.stringify(value), headers: { ...noStore, ...headers } }) as const;
