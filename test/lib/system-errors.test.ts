/** The names of errors of the operating system, in the form in which Node reports them. */
import { constants } from 'node:os';
import t from 'tap';
import { isOfCache } from '../../src/cluster/shards/cache-errors.ts';
import { isNoSpace, systemCode, systemMessage } from '../../src/lib/files/system-errors.ts';
import { resultOf, toResult } from '../../src/lib/threads/thread-result.ts';
import { describeDiskError } from '../../src/storage/backup/backup-path.ts';
import { systemError } from '../support/system-error.ts';

const numbers: Readonly<Record<string, number>> = constants.errno;
const namesOf = (number: number | undefined): string[] => Object.keys(numbers).filter((name) => numbers[name] === number);

t.test('every error of the system has its own name, and only two are a lack of space', (t) => {
  for (const [name, number] of Object.entries(numbers)) {
    for (const error of [systemError(name), systemError(name, 'write', undefined, 'numbered')]) {
      t.ok(namesOf(number).includes(systemCode(error) ?? ''), name);
      t.equal(isNoSpace(error), ['ENOSPC', 'EDQUOT'].includes(name), name);
    }
  }
  t.equal(systemCode(new Error('no code')), undefined);
  t.end();
});

t.test('an exhausted quota, which Node calls unknown, says what it is', (t) => {
  const error = systemError('EDQUOT');
  t.match(error, { code: 'UNKNOWN', message: 'UNKNOWN: unknown error, write' }, 'the form of Node');
  t.equal(systemMessage(error), 'EDQUOT: disk quota exceeded, write');
  const numbered = systemError('EDQUOT', 'open', '/x', 'numbered');
  t.match(numbered, {
    code: 'Unknown system error -122',
    message: /^Unknown system error -122: Unknown system error -122, open/,
  });
  t.equal(systemMessage(numbered), "EDQUOT: disk quota exceeded, open '/x'");
  t.equal(systemMessage(systemError('EIO', 'read')), 'EIO: i/o error, read');
  t.end();
});

t.test('errors keep their name on their way between threads', (t) => {
  for (const name of ['EDQUOT', 'ENOSPC']) {
    const failed = toResult(() => {
      throw systemError(name);
    });
    t.throws(() => resultOf(structuredClone(failed)), {
      code: name,
      errno: -(numbers[name] as number),
      message: new RegExp(`^${name}: `),
    });
  }
  t.end();
});

t.test('an exhausted quota is an error of the disk for backups and for the cache of a node', (t) => {
  t.match(describeDiskError(systemError('EDQUOT')), {
    code: 'EDQUOT',
    message: 'the disk quota is exhausted (EDQUOT: disk quota exceeded, write)',
  });
  for (const name of ['EDQUOT', 'ESTALE', 'EBADMSG']) t.ok(isOfCache(systemError(name)), name);
  for (const name of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']) t.notOk(isOfCache(systemError(name, 'read')), name);
  t.end();
});
