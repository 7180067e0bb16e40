/** `mapwright people`: lists the people of accounts, with or without a running server. The console invites and changes them. */
import type { ListedMemberWithUsage } from '../../server/admin/admin-operations.ts';
import { accountName, orNull } from '../account-arguments.ts';
import { command, commandGroup } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { dataOption, jsonOption, whileItRuns } from '../option-parsing.ts';
import { printJson } from '../output/stdout.ts';
import { printTable } from '../output/table.ts';
import { runOperation } from '../run-operation.ts';

const options = {
  account: {
    type: 'string',
    defaultDescription: 'all',
    describe: 'Only the people of the account with this name',
    coerce: accountName('--account'),
  },
  ...dataOption,
  ...jsonOption,
} as const;

const list = command({
  command: 'list',
  describe: 'List people with their role, projects and sessions',
  options,
  examples: [
    ['people list', 'who may use which account, and when they were last seen'],
    ['people list --account acme --json', 'of one account, for programs'],
  ],
  notes: whileItRuns,
  async handler({ account, data, json }) {
    const all = await runOperation(data, 'people.list', {});
    const people = all.filter((person) => account === undefined || person.account === account);
    if (json) printJson(people.map(listedJson));
    else if (people.length === 0) {
      const where = account === undefined ? 'There are no people yet' : `There is no account "${account}", or it has no people`;
      process.stdout.write(`${where}. Sign in as the first one with: npx mapwright console --open\n`);
    } else {
      const rows = people.map(({ account: owner, name, role, projects, lastSeen, sessions, invited, removed }) => {
        const reach = projects.length === 0 ? 'all' : projects.map(({ id, name: title }) => title || id).join('\n');
        const state = removed === '' ? (invited === '' ? '' : `invited until ${hourOf(invited)}`) : `removed ${hourOf(removed)}`;
        return [owner, name, role, reach, hourOf(lastSeen) || 'never', String(sessions), state];
      });
      await printTable(['account', 'name', 'role', 'projects', 'last seen', 'sessions', 'state'], rows);
    }
  },
});

export const peopleCommand = commandGroup({ ...commandOutlines.people, commands: [list] });

const listedJson = ({ removed, invited, lastSeen, projects, ...person }: ListedMemberWithUsage): object => ({
  ...person,
  projects: projects.length === 0 ? null : projects,
  last_seen: orNull(lastSeen),
  invited: orNull(invited),
  removed: orNull(removed),
});

/** `2027-01-31 12h`, in UTC: nothing more is known of the last use. */
const hourOf = (time: string): string => (time === '' ? '' : `${time.slice(0, 13).replace('T', ' ')}h`);
