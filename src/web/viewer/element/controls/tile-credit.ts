/** Whose tiles a map shows. */
import { creditParts, type TileSource } from '../../drawing/ground/tile-source.ts';
import { make } from '../dom.ts';

export class TileCredit {
  readonly element = make('div', { className: 'credit', hidden: true });

  /** @param source `undefined` without tiles */
  show(source: TileSource | undefined): void {
    this.element.hidden = source === undefined;
    const parts = source === undefined ? [] : creditParts(source);
    this.element.replaceChildren(
      ...parts.map((textContent, i) => {
        if (i % 3 !== 1) return i % 3 === 0 ? textContent : '';
        return make('a', { href: parts[i + 1] as string, target: '_blank', rel: 'noopener', textContent });
      }),
    );
  }
}
