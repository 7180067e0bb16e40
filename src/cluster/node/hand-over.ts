/** The hand-over of a node that stops: it finishes requests in flight, releases its shard, and waits for the next owner. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../lib/observability/logger.ts';
import type { ShardMember } from '../shards/shard-member.ts';

/** Milliseconds that the release and the wait for the next owner may take each; and between two looks for that owner. */
const handOverMs = 2_000;
const observeMs = 20;

/** Gives the shard to another node, so that requests which arrive meanwhile are forwarded to it. Never rejects. */
export async function handOver(member: ShardMember | undefined, nodeId: string, log: Log): Promise<void> {
  const { server, session } = member ?? {};
  if (member === undefined || session === undefined || session.ended !== undefined) return;
  log.info({ node: nodeId }, 'handing over');
  // It has none while it takes over.
  await server?.close().catch((error: unknown) => log.error({ err: error }, 'the server did not close in order'));
  await Promise.race([session.release(), delay(handOverMs, undefined, { ref: false })]);
  try {
    await member.watchForOwner(performance.now() + handOverMs, observeMs);
  } catch (error) {
    log.warn({ err: error }, 'cannot find the next owner');
  }
}
