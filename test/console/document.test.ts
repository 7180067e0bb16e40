// tier: normal
/**
 * The contract of the document: the project that an editor shows, with what its user and others change at the same time. Editors are without a
 * browser. In this process the server is in memory; over HTTP it is on a disk, and is killed.
 */
import t from 'tap';
import { test } from '../support/test.ts';
import { changesByOthers } from './document/changes-by-others.ts';
import { connections, onDisk } from './document/connection.ts';
import { ownChanges } from './document/own-changes.ts';
import { refusedWrites } from './document/refused-writes.ts';
import { steps } from './document/steps.ts';
import { openInProcess, openOverHttp } from './editor-world.ts';

t.setTimeout(600_000);

const suites = [ownChanges, refusedWrites, changesByOthers, steps, connections];

for (const suite of suites) suite(t, openInProcess);
onDisk(t, openOverHttp);

test.all('the document over HTTP, with a server on a disk', async (t) => {
  for (const suite of suites) suite(t, openOverHttp);
});
