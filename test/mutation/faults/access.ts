/** Faults of what decides who may do what: keys, sessions, sign-on and agents. */
import { type Fault, seam } from '../seam.ts';

const keys = seam<typeof import('../../../src/http/guard/authentication.ts')>('keys', 'src/http/guard/authentication');
const sessions = seam<typeof import('../../../src/engine/session-keys.ts')>('sessions', 'src/engine/session-keys');
const codes = seam<typeof import('../../../src/server/console/wrong-codes.ts')>('sessions', 'src/server/console/wrong-codes');
const browsers = seam<typeof import('../../../src/server/console/sessions.ts')>('sessions', 'src/server/console/sessions');
const people = seam<typeof import('../../../src/server/console/oidc/decide-person.ts')>(
  'single sign-on',
  'src/server/console/oidc/decide-person',
);
const tools = seam<typeof import('../../../src/mcp/tools.ts')>('tools for agents', 'src/mcp/tools');
const versions = seam<typeof import('../../../src/mcp/agent-versions.ts')>('versions for agents', 'src/mcp/agent-versions');

/** Codes are counted at other times. */
const onCodes = (timeOf: (now: number) => number): Fault =>
  codes.withMethods('WrongCodes', ({ note }) => ({
    note(address, now) {
      note.call(this, address, timeOf(now));
    },
  }));

export const accessFaults = {
  'changes of keys are not noticed': keys.withParts('Authenticator', (lookup) => [{ ...lookup, accessVersion: () => 0 }]),
  'a code is looked up at the beginning of 1970': sessions.withArguments('linkOf', (state, text) => [state, text, 0]),
  'a use extends no session': sessions({ renewSession: () => () => undefined }),
  'wrong codes are minutes apart': onCodes(
    (
      (minutes) => (now) =>
        now + 600_000 * minutes++
    )(0),
  ),
  'the clock of wrong codes is never set back': onCodes(
    (
      (newest) => (now) =>
        (newest = Math.max(newest, now))
    )(0),
  ),
  'each link may replace a session': browsers.withMethods('ConsoleSessions', ({ exchange }) => ({
    exchange(code, client) {
      return exchange.call(this, code, { ...client, replaces: true });
    },
  })),
  'the provider confirms every address': people.withArguments('decidePerson', (state, identity, profile, rules) => [
    state,
    identity,
    { ...profile, isVerified: true },
    rules,
  ]),
  'a request without a session is of the last person': people.withArguments('decideConnection', (state, identity, person) => [
    state,
    identity,
    person ?? [...(state.persons.values() as Iterable<NonNullable<typeof person>>)].at(-1),
  ]),
  'no version is kept before a change of an agent': versions.withMethods('AgentVersions', () => ({
    before: async () => ({ id: '', name: '' }),
  })),
  'the clock of agents stands still': versions.withParts('AgentVersions', () => [() => 0]),
  'every key has every right': tools.withArguments('toolsFor', () => [{ has: () => true } as unknown as ReadonlySet<never>]),
} as const satisfies Readonly<Record<string, Fault>>;
