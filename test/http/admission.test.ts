/** Admission control counts an account only while it has a request or a stream; connections leave descriptors for files. */
import t from 'tap';
import { affordableConnections } from '../../src/http/descriptors.ts';
import { AdmissionControl } from '../../src/http/guard/admission.ts';
import { defaultLimits } from '../../src/http/guard/http-limits.ts';

t.test('an account without a request or a stream takes no memory in admission control', (t) => {
  const admission = new AdmissionControl({ ...defaultLimits, requestsPerAccountMax: 2 });
  for (let i = 0; i < 1000; i++) admission.end(admission.begin(`account ${i}`));
  t.equal(admission.accounts, 0);

  const first = admission.begin('a');
  const second = admission.begin('a');
  t.equal(first, second);
  t.throws(() => admission.begin('a'), { name: 'Problem' });
  admission.hold(first, 1000, 0);
  admission.end(second);
  t.equal(admission.accounts, 1, 'one of its requests is under way');
  t.equal(admission.begin('a'), first, 'which counts with the next one');
  admission.end(first);

  admission.beginStream(first);
  admission.release(first, 1000);
  admission.end(first);
  t.equal(admission.accounts, 1, 'its stream is open');
  t.equal(admission.begin('a'), first);
  admission.end(first);
  admission.endStream(first);
  t.equal(admission.accounts, 0);
  t.match(admission.begin('a'), { requests: 1, bodiesBytes: 0, streams: 0 });
  t.end();
});

t.test('an account with a limit of zero requests takes no memory in admission control', (t) => {
  const admission = new AdmissionControl({ ...defaultLimits, requestsPerAccountMax: 0 });
  t.throws(() => admission.begin('a'), { name: 'Problem' });
  t.equal(admission.accounts, 0);
  t.end();
});

t.test('the limit on connections leaves file descriptors for files', (t) => {
  const line = (soft: string) => `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}     524288    files\n`;
  t.equal(affordableConnections(10_000, line('1024')), 824);
  t.equal(affordableConnections(10_000, line('524288')), 10_000);
  t.equal(affordableConnections(10_000, line('unlimited')), 10_000);
  t.equal(affordableConnections(10_000, line('64')), 1);
  t.equal(affordableConnections(10_000, ''), 10_000);
  t.ok(affordableConnections(10_000) > 0);
  t.end();
});
