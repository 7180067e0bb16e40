/** Redaction of keys, in any spelling. */
import t from 'tap';
import { redactEncodedKeys, redactKeys } from '../../src/lib/text/redact.ts';
import { newKey } from '../../src/model/key.ts';

t.test('a key in a text is redacted', async (t) => {
  const { text } = newKey();
  t.equal(redactKeys(`a ${text}, twice: ${text.toUpperCase()}`), 'a mw_..., twice: mw_...');
  t.equal(redactKeys('mw_short and no key'), 'mw_short and no key');
});

t.test('a key in a path is redacted also if it is percent-encoded, once or repeatedly', async (t) => {
  const { text } = newKey();
  const encoded = (at: number) => `${text.slice(0, at)}%${text.charCodeAt(at).toString(16)}${text.slice(at + 1)}`;
  for (let at = 0; at < text.length; at++)
    t.equal(redactEncodedKeys(`/v1/projects/${encoded(at)}`), '/v1/projects/mw_...', `${at}`);
  t.equal(redactEncodedKeys(`/v1/${encoded(2).replaceAll('%', '%2525')}`), '/v1/mw_...');
  t.equal(
    redactEncodedKeys('/v1/projects/a%20b%2Fc%C3%A4%zz'),
    '/v1/projects/a%20b%2Fc%C3%A4%zz',
    'anything else stays as it came',
  );
});
