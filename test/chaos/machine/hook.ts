/** A hook that takes orders while the server runs. */
import fs from 'node:fs';
import path from 'node:path';
import { hooked } from '../../support/hook.ts';
import type { RunOptions } from '../../support/process.ts';
import type { Scene } from '../fault.ts';

export class Hook {
  readonly options: RunOptions;
  readonly #orders: string;

  /**
   * @param code of a module; `orders()` in it is what {@link Hook.order} said last, empty at first
   * @param nodeOptions further options of Node
   */
  constructor(scene: Scene, name: string, code: string, ...nodeOptions: readonly string[]) {
    this.#orders = path.join(scene.folder, `${name}.orders`);
    fs.writeFileSync(this.#orders, '');
    const reading = `import fs from 'node:fs';
const { readFileSync } = fs;
const orders = () => readFileSync(${JSON.stringify(this.#orders)}, 'utf8');
`;
    this.options = hooked(scene.folder, name, reading + code, ...nodeOptions);
  }

  order(what: string): void {
    // Renamed, since a thread may be reading it.
    fs.writeFileSync(`${this.#orders}.new`, what);
    fs.renameSync(`${this.#orders}.new`, this.#orders);
  }
}
