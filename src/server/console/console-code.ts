/** Codes of sign-in links, as they are in addresses: a digit for the shard of a cluster, and the key of the link. */

const shardDigits = 36;

/** The path of the console below a server, with a code that works once, and the project to open. */
export function pathWithCode(shard: number, text: string, project: string | undefined): string {
  return `/console#code=${shard.toString(shardDigits)}${text}${project === undefined ? '' : `/p/${encodeURIComponent(project)}`}`;
}

/** The key of the link in a code; `undefined` if the code is of another shard. */
export function textOfCode(shard: number, code: string): string | undefined {
  return code.startsWith(shard.toString(shardDigits)) ? code.slice(1) : undefined;
}
