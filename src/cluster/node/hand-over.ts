/** The hand-over of a node that stops: it finishes requests in flight, releases its shard, and waits for the next owner. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../lib/observability/logger.ts';
import type { ShardMember } from '../shards/shard-member.ts';

/** Milliseconds that the release and the wait for the next owner may take each; and between two looks for that owner. */
const handOverMs = 2_000;
const observeMs = 20;

/** Gives the shard to another node, so that requests which arrive meanwhile are forwarded to it. Never rejects. */
export async function handOver(member: ShardMember | undefined, nodeId: string, log: Log): Promise<void> {
  if (member?.hasToken !== true) return;
  log.info({ node: nodeId }, 'handing over');
  await member.stopServing();
  await Promise.race([member.release(), delay(handOverMs, undefined, { ref: false })]);
  try {
    await member.watchForOwner(performance.now() + handOverMs, observeMs);
  } catch (error) {
    log.warn({ err: error }, 'cannot find the next owner');
  }
}
