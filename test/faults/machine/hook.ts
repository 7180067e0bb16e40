/** Code that runs in every thread of a server before the server's own: how a fault gets in where no system call leads. */
import fs from 'node:fs';
import path from 'node:path';
import type { RunOptions } from '../../support/process.ts';
import type { Scene } from '../fault.ts';

/** A hook, and the file beside it through which it is told what to do. */
export class Hook {
  readonly options: RunOptions;
  readonly #orders: string;

  /**
   * @param code of a module; `orders()` in it is what {@link Hook.order} said last, empty at first
   * @param nodeOptions further options of Node
   */
  constructor(scene: Scene, name: string, code: string, ...nodeOptions: readonly string[]) {
    const file = path.join(scene.folder, `${name}.mjs`);
    this.#orders = path.join(scene.folder, `${name}.orders`);
    fs.writeFileSync(this.#orders, '');
    const reading = `import fs from 'node:fs';
const { readFileSync } = fs;
const orders = () => readFileSync(${JSON.stringify(this.#orders)}, 'utf8');
`;
    fs.writeFileSync(file, reading + code);
    this.options = { env: { NODE_OPTIONS: [`--import=${file}`, ...nodeOptions].join(' ') } };
  }

  order(what: string): void {
    // Whole or not at all: somebody may be reading it.
    fs.writeFileSync(`${this.#orders}.new`, what);
    fs.renameSync(`${this.#orders}.new`, this.#orders);
  }
}
