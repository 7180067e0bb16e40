/**
 * The state of a node.
 *
 *     starting --> following --a claim is won--> taking over --> owner
 *                    ^  ^---another node was faster---'            | the token is gone, or is given away
 *                    '----------------- leaving <------------------'
 *
 *     each of them --> stopping --> stopped
 */
import { type Transitions, transition } from '../../lib/invariant.ts';

/** What a node does, as others see it. */
export type Role = 'starting' | 'following' | 'taking over' | 'owner' | 'stopped';

/** `leaving`: an engine is discarded; `stopping`: requests end, and the shard is handed over. */
export type NodePhase = 'starting' | 'following' | 'taking over' | 'owner' | 'leaving' | 'stopping' | 'stopped';

/** `leave`: the hand-over begins, or the token is gone; after a hand-over it is gone, too. */
export type NodeEvent = 'follow' | 'win' | 'own' | 'leave' | 'stop' | 'end';

// biome-ignore format: a table
export const nodeTransitions: Transitions<NodePhase, NodeEvent> = {
  starting:      { follow: 'following', stop: 'stopping' },
  following:     { win: 'taking over', stop: 'stopping' },
  'taking over': { own: 'owner', follow: 'following', stop: 'stopping' },
  owner:         { leave: 'leaving', stop: 'stopping' },
  leaving:       { leave: 'leaving', follow: 'following', stop: 'stopping' },
  stopping:      { end: 'stopped' },
  stopped:       {},
};

export class NodeState {
  #phase: NodePhase = 'starting';
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  on(event: NodeEvent): void {
    this.#phase = transition(nodeTransitions, this.#phase, event);
    this.#onChange();
  }

  /** As others see it: a node that leaves or stops forwards like one that follows. */
  get role(): Role {
    return this.#phase === 'leaving' || this.#phase === 'stopping' ? 'following' : this.#phase;
  }

  /** Whether this node stops, or has stopped. */
  get isStopping(): boolean {
    return this.#phase === 'stopping' || this.#phase === 'stopped';
  }
}
