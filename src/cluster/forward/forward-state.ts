/**
 * The states of a forwarded request.
 *
 *     reading --> placing --> sending --> sent --> whole | relayed --> over
 *                    ^           |          '----> refused --.
 *                    '- holding <'-----------------<---------'  nothing was done: wait for another owner, or for a moment
 */
import type { Transitions } from '../../lib/invariant.ts';

export type ForwardState =
  /** The body of the client is read. */
  | 'reading'
  /** Its shard and owner are looked up; the owner introduces itself. */
  | 'placing'
  /** It waits for a connection: no byte was sent. */
  | 'sending'
  /** Bytes may be on their way. */
  | 'sent'
  /** A process answers that it has not read the request. */
  | 'refused'
  /** A short response arrives, and is passed on when it is complete. */
  | 'whole'
  /** A long response or a stream is passed on. */
  | 'relayed'
  | 'holding'
  /** The client has its response, or has left. */
  | 'over';

export type ForwardEvent = 'attempt' | 'send' | 'connect' | 'refuse' | 'buffer' | 'relay' | 'hold' | 'end';

// biome-ignore format: a table
export const forwardTransitions: Transitions<ForwardState, ForwardEvent> = {
  reading: { attempt: 'placing', end: 'over' },
  placing: { attempt: 'placing', send: 'sending', hold: 'holding', end: 'over' },
  sending: { connect: 'sent', hold: 'holding', end: 'over' },
  sent:    { refuse: 'refused', buffer: 'whole', relay: 'relayed', hold: 'holding', end: 'over' },
  refused: { attempt: 'placing', hold: 'holding', end: 'over' },
  whole:   { hold: 'holding', end: 'over' },
  relayed: { end: 'over' },
  holding: { attempt: 'placing', end: 'over' },
  over:    {},
};
