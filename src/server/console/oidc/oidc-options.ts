/** Options of single sign-on with OpenID Connect, and what they must have together. */

import { isLoopbackHost } from '../../../lib/draw/loopback-host.ts';
import { type Contradiction, list, type OptionWords, text, type ValuesOf } from '../../../lib/option-declaration.ts';
import { type Role, roleNames } from '../../../model/people/roles.ts';

/** Longest name on the button. */
const nameLengthMax = 60;
const printable = new RegExp(`^[^\\p{C}\\s](?:[^\\p{C}]{0,${nameLengthMax - 2}}[^\\p{C}\\s])?$`, 'u');

const required = (what: string) => (value: string) => (value === '' ? `needs ${what}` : undefined);

export const oidcOptions = {
  /** Identifier of an OpenID Connect provider that signs people in to the console: `https://login.example.com/realms/maps`. Default: none. */
  oidcIssuer: text({
    flag: 'oidc-issuer',
    group: 'Single sign-on',
    help: 'Issuer of the OpenID Connect provider, as its discovery document names it: `https://login.example.com/realms/maps`; `http:` only on this machine',
    shared: 'if-set',
    problemOf: issuerProblem,
  }),
  /** Identifier of this server at the provider. */
  oidcClient: text({
    flag: 'oidc-client',
    group: 'Single sign-on',
    help: 'Client id of this server at the provider',
    shared: 'if-set',
    problemOf: required('the client id that the provider gave'),
  }),
  /** Secret of this client. */
  oidcSecret: text({
    flag: 'oidc-secret',
    group: 'Single sign-on',
    help: 'Client secret. Not as a flag, which other users of the machine could see: as `MAPWRIGHT_OIDC_SECRET`, in the file of `--config`, or with `--oidc-secret-file`',
    problemOf: required('the client secret that the provider gave'),
  }),
  /** A file with the secret of this client, instead of `oidcSecret`; read at the start. */
  oidcSecretFile: text({
    flag: 'oidc-secret-file',
    group: 'Single sign-on',
    help: 'File with the client secret, read at the start',
    problemOf: required('the name of a file'),
  }),
  /** Name of the provider in the console: `Example SSO`. Default: the host of the issuer. */
  oidcName: text({
    flag: 'oidc-name',
    group: 'Single sign-on',
    help: 'Name of the provider on the button of the console: `Example SSO`',
    shared: 'if-set',
    defaultWords: 'host of the issuer',
    problemOf: (name) =>
      printable.test(name) ? undefined : `must be 1 to ${nameLengthMax} printable characters without a space at either end`,
  }),
  /**
   * Who is let in without an invitation: `example.com=acme:viewer` makes everyone whose confirmed e-mail address ends with `@example.com` a
   * viewer of the account `acme`. Roles: `editor`, `viewer`. Default: nobody.
   */
  oidcDomains: list({
    flag: 'oidc-domain',
    group: 'Single sign-on',
    help: 'Who comes in without an invitation: `example.com=acme:viewer` makes people with a confirmed address at `example.com` viewers (or `editor`s) of the account `acme`; may be repeated',
    shared: 'if-set',
    defaultWords: 'nobody',
    problemOf: domainsProblem,
  }),
};

export type OidcOptions = ValuesOf<typeof oidcOptions>;

/** An address of this domain becomes a person of this account. */
export interface DomainRule {
  /** In lower case. */
  readonly domain: string;
  /** Name of the account. */
  readonly account: string;
  readonly role: Exclude<Role, 'owner'>;
}

const ruleForm = /^([^=]*)=(.+):([^:]*)$/;
const domainForm = /^(?=.{1,190}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/** @param texts that {@link oidcOptions} accepts */
export const domainRules = (texts: readonly string[]): DomainRule[] =>
  texts.map((given) => {
    const [, domain = '', account = '', role = ''] = ruleForm.exec(given) ?? [];
    return { domain: domain.toLowerCase(), account, role: role as DomainRule['role'] };
  });

function domainsProblem(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const given of texts) {
    const [, domain, account, role] = ruleForm.exec(given) ?? [];
    const name = domain?.toLowerCase();
    if (name === undefined || account === undefined || !domainForm.test(name))
      return `has the element "${given}". It must be DOMAIN=ACCOUNT:ROLE, such as example.com=acme:viewer`;
    if (role === 'owner') return `makes owners of "${given}". Owners are invited; it must be editor or viewer`;
    if (!roleNames.some((each) => each === role)) return `has the role "${role}". It must be editor or viewer`;
    if (seen.has(name)) return `names ${name} twice. A domain leads to one account`;
    seen.add(name);
  }
  return undefined;
}

function issuerProblem(given: string): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const form = 'It must be a whole URL without a query, such as https://login.example.com/realms/maps';
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    return `is "${given.replace(/\/\/[^/]*@/, '//…@')}". ${form}`;
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return `is "${given}". Only a provider on this machine may have http; use https`;
  return url.pathname.includes('/.well-known/')
    ? `is "${given}", which is the discovery document. Give what precedes /.well-known/`
    : undefined;
}

type Given = OidcOptions & { readonly publicUrl?: string; readonly console?: boolean };

/** What is missing beside the issuer, or given without it. */
export function contradictionOfOidc(given: Given, words: OptionWords): Contradiction | undefined {
  const { oidcIssuer, oidcClient, oidcSecret, oidcSecretFile, publicUrl, console } = given;
  if (oidcIssuer === undefined) {
    const option = (Object.keys(oidcOptions) as (keyof OidcOptions)[]).find((name) => given[name] !== undefined);
    const isEmpty = option === 'oidcDomains' && given.oidcDomains?.length === 0;
    if (option === undefined || isEmpty) return undefined;
    return { option, problem: `needs ${words.name('oidcIssuer')}, the provider that signs people in` };
  }
  const option = 'oidcIssuer';
  if (console === false) return { option, problem: `and ${words.off('console')} contradict each other. Leave out one of them` };
  if (oidcClient === undefined)
    return { option, problem: `needs ${words.name('oidcClient')}, the client id that the provider gave to this server` };
  if (oidcSecret === undefined && oidcSecretFile === undefined)
    return { option, problem: `needs the client secret, in a file: ${words.name('oidcSecretFile')}` };
  if (oidcSecret !== undefined && oidcSecretFile !== undefined)
    return { option: 'oidcSecretFile', problem: `and ${words.name('oidcSecret')} are both given. Leave out one of them` };
  if (publicUrl === undefined || publicUrl.startsWith('/'))
    return {
      option,
      problem: `needs ${words.name('publicUrl')} with a whole URL, such as https://maps.example.com: the provider leads browsers back there`,
    };
  return undefined;
}
