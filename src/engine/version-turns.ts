/**
 * Turns of the work on versions. It needs much memory, or much of the processor, so little of it runs at a time, and accounts take turns.
 * A function that does such work asks for a {@link VersionTurn}, which only {@link VersionTurns} makes: a caller cannot forget it.
 *
 * Order of waiting, so that no two pieces of work wait for each other: reading, then storing, then the lock of a project.
 */
import { Turns } from '../lib/async/turns.ts';
import { invariant } from '../lib/invariant.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';

/** `reading`: the whole content of versions. `listing`: their files only. `storing`: a state of a project. */
export type VersionWork = 'reading' | 'listing' | 'storing';

type Memory = Pick<MemoryBudget, 'hold' | 'release'>;

/** Proves that its holder has a turn. The memory that it holds is released at the end of the turn. */
export class VersionTurn<Work extends VersionWork> {
  readonly work: Work;
  readonly accountId: string;
  readonly #memory: Memory;
  #bytes = 0;
  #isOver = false;

  constructor(work: Work, accountId: string, memory: Memory) {
    this.work = work;
    this.accountId = accountId;
    this.#memory = memory;
  }

  /** Reserves memory of the budget. Throws a MemoryFullError if it does not fit. */
  hold(bytes: number): void {
    invariant(!this.#isOver, 'work on versions continued after its turn');
    this.#memory.hold(bytes);
    this.#bytes += bytes;
  }

  /** Called by {@link VersionTurns}. */
  end(): void {
    this.#isOver = true;
    this.#memory.release(this.#bytes);
  }
}

export class VersionTurns {
  readonly #memory: Memory;
  readonly #turns: Readonly<Record<VersionWork, Turns>> = {
    // A version may have hundreds of megabytes.
    reading: new Turns({ total: 1, perAccount: 1 }),
    listing: new Turns({ total: 2, perAccount: 1 }),
    // Two, so that an account with a large project delays others by less.
    storing: new Turns({ total: 2, perAccount: 1 }),
  };

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Does work when it is the turn of the account. Rejects as the work does. */
  async run<Work extends VersionWork, T>(
    work: Work,
    accountId: string,
    inTurn: (turn: VersionTurn<Work>) => Promise<T>,
  ): Promise<T> {
    return await this.#turns[work].run(accountId, async () => {
      const turn = new VersionTurn(work, accountId, this.#memory);
      try {
        return await inTurn(turn);
      } finally {
        turn.end();
      }
    });
  }
}
