/** Texts that begin with a digit for the shard of a cluster: codes that sign in once, as they are in addresses, and secrets of sessions. */

const shardDigits = 36;

export const withShard = (shard: number, text: string): string => shard.toString(shardDigits) + text;

/** The text behind the digit; `undefined` if it is of another shard. */
export function textOfShard(shard: number, text: string): string | undefined {
  return text.startsWith(shard.toString(shardDigits)) ? text.slice(1) : undefined;
}

/** The path of the console below a server, with a code that works once, and the project to open. */
export function pathWithCode(shard: number, text: string, project: string | undefined): string {
  return `/console#code=${withShard(shard, text)}${project === undefined ? '' : `/p/${encodeURIComponent(project)}`}`;
}
