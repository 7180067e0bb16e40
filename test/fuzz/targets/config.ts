/** The file of --config: read, or refused in words for the person who wrote it. */
import fs from 'node:fs';
import path from 'node:path';
import { readConfig } from '../../../src/cli/config-file.ts';
import { known, parseContext, UsageError, withOptions } from '../../../src/cli/option-parsing.ts';
import { temporaryFolder } from '../../support/process.ts';
import { must, refusal, type Target } from '../target.ts';

export function config(t: Parameters<typeof temporaryFolder>[0]): Target {
  const file = path.join(temporaryFolder(t), 'config.json');
  withOptions({ port: { type: 'number' }, data: { type: 'string' }, 'log-requests': { type: 'boolean' } });
  parseContext.options = new Set(['port', 'data', 'log-requests']);
  const seeds = [
    '{"port":8071,"data":"maps","log-requests":true}',
    '{"logRequests":"yes"}',
    '{"prot":1}',
    '[]',
    '{"log-requests":{"toString":1}}',
    '{"port":{"a":1},"data":null}',
    '{"__proto__":1}',
  ];
  return {
    name: 'config',
    inputs: 2500,
    seeds: seeds.map((text) => Buffer.from(text)),
    words: [
      '"port"',
      '"data"',
      '"logRequests"',
      '"config"',
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      'null',
      'true',
      '1e999',
      '{"toString":1}',
      '"__proto__"',
    ],
    outcomes: ['read', 'refused: Error The file', 'refused: Error ""'],
    run(input) {
      fs.writeFileSync(file, input);
      try {
        const values = readConfig(file);
        for (const [name, value] of Object.entries(values)) {
          must(known.has(name) && parseContext.options.has(name), `an option that does not exist: ${name}`);
          must(['string', 'number', 'boolean'].includes(typeof value), `"${name}" is ${typeof value}`);
        }
        return `read ${Object.keys(values).length}`;
      } catch (error) {
        return refusal(error, UsageError);
      }
    },
  };
}
