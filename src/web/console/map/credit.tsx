/** Whose tiles a map shows. */
import { creditParts, type TileSource } from '../../viewer/drawing/ground/tile-source.ts';

export function Credit({ source }: { readonly source: TileSource }) {
  const parts = creditParts(source);
  return (
    <>
      {parts.map((part, i) =>
        i % 3 === 1 ? (
          <a key={i} href={parts[i + 1] ?? ''} target="_blank" rel="noopener">
            {part}
          </a>
        ) : (
          i % 3 === 0 && part
        ),
      )}
    </>
  );
}
