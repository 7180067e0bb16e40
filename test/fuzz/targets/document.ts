/** Documents that are imported: the same comes of them in pieces of any size, and what is taken is what `JSON.parse` makes of it. */

import { ImportDraft } from '../../../src/engine/projects/import-draft.ts';
import type { Building } from '../../../src/engine/projects/project-builder.ts';
import { RecordTooLargeError } from '../../../src/lib/errors.ts';
import { parseJson } from '../../../src/lib/json/json.ts';
import { JsonPartsError } from '../../../src/lib/json/json-parts.ts';
import { idSource } from '../../../src/lib/text/ids.ts';
import { must, refusal, type Target } from '../target.ts';

const accountId = '01890000-0000-7000-8000-000000000001';
const recordBytesMax = 4096;

const documents = [
  '{}',
  '{"name":"a","artboards":[{"id":"1","objects":[{"id":"1","type":"spot","x":1},{"type":"poly","coords":[{"x":1,"y":2}]}]},{}]}',
  '{"popups":[{"id":"1","attachedTo":"2"},{"title":"é\\u00e9\\\\\\""}],"variables":[{"id":"v","iterator_id":"v"}],"settings":{"a":[[]]}}',
  '{"actions":[{"conditions":[{"a":{"b":[1,2,3]}}],"style_pin":{"name":"x"}}],"data_sources":[{"headers":[{}]}],"id":"p","user_id":"u"}',
].map((project) => `{"format":"mapwright-project","version":1,"project":${project}}`);

export function document(): Target {
  const ids = idSource();
  const context = { now: 0, responsesBytesMax: 0, noteId: () => undefined, newId: () => ids.next() } as const;
  const read = (input: Buffer, size: number): string => {
    const draft = new ImportDraft({ accountId, by: '' }, context, recordBytesMax, recordBytesMax);
    try {
      for (let i = 0; i < input.length && !draft.isHopeless; i += size) draft.write(input.subarray(i, i + size));
      if (!draft.isHopeless) draft.end();
      const built = resultOf(draft.build(context, { recordBytesMax, grows: () => undefined }));
      if (built.outcome === 'built') {
        must(draft.heldBytes < 2 * recordBytesMax, 'more is held than a record may be');
        return `built: ${countIn(built)}`;
      }
      must(draft.fieldErrors.size > 0, 'refused without a reason');
      return `field errors: ${JSON.stringify(draft.fieldErrors.toArray())}`;
    } catch (error) {
      return `${refusal(error, JsonPartsError, RecordTooLargeError)}`;
    }
  };
  return {
    name: 'document',
    inputs: 10_000,
    seeds: documents.map((text) => Buffer.from(text)),
    words: [
      '{"id":"1"},',
      '"popups":[',
      '"objects":',
      '"project":{',
      '__proto__',
      '\\ud800',
      '1e999',
      '[',
      '{',
      '"',
      '\\',
      ',',
      ':',
      '9'.repeat(400),
    ],
    outcomes: ['built', 'field errors', 'refused: JsonPartsError The document is not valid JSON'],
    run(input) {
      const outcome = read(input, 1 + (input.length % 7));
      const again = read(input, input.length + 1);
      // The reason of the refusal may differ: in one piece, more of it is read before the first check.
      must(outcome.startsWith('built') === again.startsWith('built'), `${outcome} in pieces, ${again} in one`);
      const parsed = parseJson(input);
      if (outcome.startsWith('built')) {
        must(parsed.failure === undefined && parsed.fieldErrors.length === 0, 'taken, and no sound JSON');
        must(outcome === again && outcome === `built: ${countOf(parsed.value)}`, `${outcome}, of ${countOf(parsed.value)}`);
      }
      if (outcome.includes('not valid JSON') && parsed.failure === undefined)
        throw new Error(`refused, and it is JSON: ${outcome}`);
      return outcome.slice(0, 60);
    },
  };
}

function resultOf(building: Generator<void, Building>): Building {
  for (;;) {
    const step = building.next();
    if (step.done === true) return step.value;
  }
}

/** How many members there are in all. */
function countIn({ record }: Extract<Building, { outcome: 'built' }>): number {
  return record.changes.reduce((sum, change) => sum + (change.op === 'put' ? change.values.length : 0), 0);
}

function countOf(value: unknown): number {
  const { project } = value as { project: Record<string, unknown> };
  const held = (holder: Record<string, unknown>): number =>
    ['artboards', 'objects', 'popups', 'data_sources', 'variables', 'actions'].reduce((sum, name) => {
      const members = holder[name];
      return Array.isArray(members) ? members.reduce((count, member) => count + 1 + held(member), sum) : sum;
    }, 0);
  return held(project);
}
