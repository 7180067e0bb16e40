/** Text of XML that a parser takes, without dangers: no declared entities, and no tree that takes much more memory than its text. */
import { withoutNamedType } from '../../../../lib/html/document-type.ts';
import { ConvertError } from '../../conversion.ts';
import { type RepairOptions, repairXml } from './repair-xml.ts';

export type { RepairOptions };

/** Characters of a document. Its tree needs about thirty times as much memory. */
const lengthMax = 16 * 1024 * 1024;

/** Elements, comments and instructions of a document: each needs about a kilobyte. A track of 16 MB has about 500,000. */
const nodesMax = 800_000;

/** Prefixes of namespaces in a document: the parser copies those of the elements around each element that declares some. */
const prefixesMax = 200;

/**
 * @param options which elements have HTML, and where repairs are noted
 * @throws {ConvertError} "refused" for declared entities, "too-large", or "unreadable" with the line of the error
 */
export function soundXml(whole: string, options: RepairOptions): string {
  if (whole.length > lengthMax) {
    const [mega, most] = [Math.ceil(whole.length / 1024 / 1024), lengthMax / 1024 / 1024];
    throw new ConvertError(
      'too-large',
      `The file has ${mega} MB of XML; at most ${most} MB can be read. Embedded pictures are the usual reason: link them instead, or split the file.`,
    );
  }
  const typed = withoutNamedType(whole);
  refuseMany(typed);
  return repairXml(typed, options);
}

/** @throws {ConvertError} for documents whose tree takes much more time or memory than their length suggests */
function refuseMany(text: string): void {
  let nodes = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) if (text[at + 1] !== '/') nodes++;
  if (nodes > nodesMax)
    throw new ConvertError(
      'too-large',
      `The file has ${nodes} elements of XML; at most ${nodesMax} can be read. Split the file.`,
    );
  const prefixes = new Set<string>();
  for (const [, prefix = ''] of text.matchAll(/\sxmlns:([^\s=]{1,100})/g)) {
    prefixes.add(prefix);
    if (prefixes.size > prefixesMax)
      throw new ConvertError(
        'too-large',
        `The file declares more than ${prefixesMax} prefixes of namespaces ("xmlns:${prefix}"). Save it again with another program.`,
      );
  }
}
