/** Projects of an account: found by identifier, and iterated from any of them without visiting earlier ones. */

import t from 'tap';
import { viewProject, viewProjects } from '../../src/store/list/views.ts';
import { Projects } from '../../src/store/projects.ts';
import { accountAt } from '../../src/store/state.ts';
import { StoredProject } from '../../src/store/stored-project.ts';
import fc from '../support/fast-check.ts';
import { keptLeaves } from '../support/kept-leaves.ts';
import { seed } from '../support/tier.ts';

const made = (id: string): StoredProject => new StoredProject(id, 'ann', keptLeaves, { id });
const idsOf = (projects: Iterable<StoredProject>): string[] => Array.from(projects, ({ id }) => id);

t.test(`projects after an identifier are those of a full iteration (seed ${seed})`, async () => {
  const id = fc.integer({ min: 0, max: 40 }).map((number) => String(number).padStart(2, '0'));
  const step = fc.record({ id, deletes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.oneof(id, fc.constant('')), (steps, after) => {
      const projects = new Projects();
      const model = new Set<string>();
      for (const { id: name, deletes } of steps) {
        if (projects.has(name) !== model.has(name)) throw new Error(`${name} is in one of the two only`);
        if (deletes) {
          if (projects.delete(name) !== model.delete(name)) throw new Error(`deleting ${name} says something else`);
        } else {
          projects.set(name, made(name));
          model.add(name);
        }
      }
      const expected = [...model].sort().filter((name) => name > after);
      const found = idsOf(projects.after(after));
      if (found.join() !== expected.join()) throw new Error(`${found} after "${after}", not ${expected}`);
    }),
    { seed },
  );
});

t.test('clear removes every project', async (t) => {
  const projects = new Projects();
  projects.set('1', made('1'));
  projects.clear();
  t.same(idsOf(projects.after('')), []);
  projects.set('0', made('0'));
  t.same(idsOf(projects.after('')), ['0']);
});

t.test('a page visits only its own projects', async (t) => {
  let looks = 0;
  class Watched extends Projects {
    override get(id: string): StoredProject | undefined {
      looks++;
      return super.get(id);
    }
    override values(): MapIterator<StoredProject> {
      throw new Error('a page goes through all projects');
    }
  }
  const projects = new Watched();
  const ids = Array.from({ length: 10_000 }, (_, i) => `${100_000 + i}`);
  for (const id of ids) projects.set(id, made(id));
  const account = {
    ...accountAt({ id: 'ann', name: 'ann', created: '' }, 0),
    projects,
  };
  const idOf = ({ value }: { value: { id: string } }) => value.id;
  const viewed = (project: StoredProject) => viewProject(project, undefined);
  const page = viewProjects(account, undefined, ids[9000] as string, 10, viewed);
  t.same(page.views.map(idOf), ids.slice(9001, 9011));
  t.equal(page.more, true);
  t.equal(looks, 11);

  looks = 0;
  const reachable = new Set(['nobody', ids[7], ids[5], ids[9500]] as string[]);
  t.same(viewProjects(account, reachable, ids[5] as string, 10, viewed).views.map(idOf), [ids[7], ids[9500]]);
  t.equal(looks, 3);
});
