/** What people read when a provider did not sign them in: what failed, and what to do. */
import type { Note } from '../../../api/publish/published-page.ts';
import type { AttemptFound } from './attempt-cookie.ts';
import type { Refusal } from './decide-person.ts';
import type { ProviderFailure } from './provider.ts';

/** `other`: the answer belongs to another attempt; `used`: it was here before. */
export type Failure = Refusal | ProviderFailure | Extract<AttemptFound, { missing: string }>['missing'] | 'other' | 'used';

const again = 'Go back to the console and sign in once more.';
const log = 'If it happens again, the operator of this server finds the reason in its log.';

type Text = readonly [title: string, text: (provider: string) => string];

const texts: Readonly<Record<Failure, Text>> = {
  none: [
    'This browser did not begin to sign in here.',
    () => `Or it began more than ten minutes ago, or keeps no cookies of this address. ${again}`,
  ],
  sealed: ['The server has started anew since you began to sign in.', () => again],
  over: ['Signing in took more than ten minutes.', () => again],
  other: [
    'This answer belongs to another attempt to sign in.',
    () => `Perhaps you began in two tabs: the last one counts. ${again}`,
  ],
  used: ['This answer was used before.', () => again],
  away: [
    'The provider does not answer.',
    (provider) =>
      `This server could not ask ${provider} who you are. Wait a moment, then go back to the console and sign in once more. ${log}`,
  ],
  denied: ['You are not signed in.', (provider) => `${provider} did not let you in, or you did not agree. ${again}`],
  refused: ['The provider refused to sign you in.', (provider) => `${provider} reported an error. ${again} ${log}`],
  issuer: [
    'The answer came from another provider.',
    (provider) => `It was not sent by ${provider}, so it was not used. ${again} ${log}`,
  ],
  invalid: [
    'The answer of the provider is not valid.',
    (provider) => `This server cannot rely on what ${provider} sent. ${again} ${log}`,
  ],
  removed: [
    'You have no access any more.',
    () => 'You were removed from the account. If that is a mistake, ask one of its owners for a new invitation.',
  ],
  unverified: [
    'Your e-mail address is not confirmed.',
    (provider) =>
      `${provider} does not say that your address belongs to you. Confirm it there, or ask an owner of the account for an invitation link; once signed in with it, you can connect ${provider}.`,
  ],
  owner: [
    'Owners connect a provider while they are signed in.',
    (provider) =>
      `Sign in with a link once, and connect ${provider} in the console: an e-mail address alone makes nobody an owner.`,
  ],
  several: [
    'Several accounts invited your address.',
    () => 'Open the invitation link of the account that you want to use, or ask one of its owners for a new one.',
  ],
  connected: [
    'Your address belongs to somebody else here.',
    (provider) =>
      `The person with your address signs in as another user of ${provider}. Sign in there as that user, or ask an owner of the account for an invitation.`,
  ],
  taken: [
    'This user is connected already.',
    (provider) => `Another person here signs in as this user of ${provider}. Sign in there as another user, and connect again.`,
  ],
  nobody: [
    'Nobody invited you.',
    (provider) => `No account here expects the address that ${provider} has for you. Ask an owner of the account to invite it.`,
  ],
  full: ['The account has no room for another person.', () => 'Ask an owner of the account to erase people who were removed.'],
  'no-account': [
    'The account for your address does not exist.',
    () => 'The operator of this server has to correct the option --oidc-domain.',
  ],
  ended: ['Your session has ended.', (provider) => `Sign in with a link, and connect ${provider} again.`],
};

/** Who somebody is decides about these; everything else is the matter of the request. */
const forbidden: ReadonlySet<Failure> = new Set<Failure>([
  ...(['denied', 'removed', 'unverified', 'owner', 'several', 'connected', 'taken', 'nobody', 'full', 'no-account'] as const),
]);

export const statusOf = (failure: Failure): number => (forbidden.has(failure) ? 403 : 400);

export function textOf(failure: Failure, provider: string): Note {
  const [title, text] = texts[failure];
  return { title, text: text(provider) };
}
