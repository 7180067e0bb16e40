/** Ours and who it is held against, for as long as they are used. */
import type { Context } from '../row.ts';
import { type Api, withServers } from '../servers/api.ts';
import { type Ours, type OursOptions, startOurs } from '../servers/ours.ts';

/** Starts ours, and the other unless ours is to be measured alone. */
export function withPair<Other extends Api, T>(
  { program, alone }: Context,
  startOther: (ours: Ours) => Promise<Other>,
  use: (ours: Ours, other: Other | undefined) => Promise<T>,
  options: OursOptions = {},
): Promise<T> {
  return withServers([() => startOurs(program, options)], (ours) =>
    alone ? use(ours, undefined) : withServers([() => startOther(ours)], (other) => use(ours, other)),
  );
}
