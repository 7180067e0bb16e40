// tier: normal
/** Every member of every resource, from its schema: defaults, valid values, and refusals of wrong types. */
import t from 'tap';
import { type Answer, type Shown, startForRequests } from '../support/mapwright.ts';
import { type Resource, resourcesOfDocument } from '../support/resources.ts';
import type { ResourceName } from './contract.ts';
import { leastOf, type Sample, samplesOf } from './samples.ts';
import { makeWorld } from './world.ts';

const mapwright = await startForRequests(t);
const world = await makeWorld(mapwright);

/** What a collection holds, without the identifiers, which nobody can foretell. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'id' ? undefined : inner)));
}

/** What a value that was sent for a member is answered as. */
function shownAs({ held, fallback }: Sample, sent: unknown): unknown {
  if (held === undefined) {
    // An object whose members have defaults of their own is filled; here every declared one is sent.
    const fills = typeof fallback === 'object' && fallback !== null && 'nodes' in fallback;
    return fills ? { ...(fallback as object), ...(sent as object) } : sent;
  }
  return (sent as object[]).map((element) => ({ ...defaultsOf(held), ...element }));
}

function defaultsOf(resource: Resource): Record<string, unknown> {
  const always = samplesOf(resource).filter(({ isOptional }) => !isOptional);
  return { ...Object.fromEntries(always.map(({ name, fallback }) => [name, fallback])), ...leastOf(resource) };
}

/** Whether a response has a value that was sent for a member: an optional one is absent exactly while it has its default. */
function isShown(sample: Sample, shown: Shown, sent: unknown): boolean {
  const { name, isOptional, fallback } = sample;
  if (isOptional && same(sent, fallback)) return !(name in shown);
  return name in shown && same(withoutIds(shown[name]), shownAs(sample, sent));
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The members of two answers that differ. */
function differences(before: Shown, after: Shown): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !same(before[name], after[name]));
}

/** Why an answer is not the refusal of one member. */
function notRefused(answer: Answer, pointer: string): string[] {
  if (answer.status !== 400) return [`${answer.status} ${answer.text.slice(0, 200)}`];
  const { code, detail, errors = [] } = answer.problem;
  const isNamed = errors.length === 1 && errors[0]?.pointer === pointer && errors[0].detail !== '' && detail.includes(pointer);
  return code === 'validation_failed' && isNamed ? [] : [`${pointer} expected: ${answer.text.slice(0, 300)}`];
}

for (const resource of resourcesOfDocument) {
  t.test(`${resource.title}: every member has its default, takes its valid values and refuses all others`, async (t) => {
    const collection = resource.title === 'Project' ? '/projects' : world.at(resource.title as ResourceName);
    const least = leastOf(resource);
    const subject = (await mapwright.post(collection, least)).shown;
    const address = `${collection}/${subject.id}`;
    const get = async () => (await mapwright.get(address)).shown;
    const samples = samplesOf(resource);

    t.strictSame(withoutIds(subject), withoutIds({ ...subject, ...defaultsOf(resource) }), 'what is left out takes its default');
    t.equal((await mapwright.get(address)).text, JSON.stringify(subject), 'and is stored');

    for (const required of samples.filter(({ fallback }) => fallback === undefined)) {
      const answer = await mapwright.post(collection, {});
      t.strictSame(notRefused(answer, `/${required.name}`), [], `${required.name} must be sent`);
      t.equal((await mapwright.patch(address, {})).status, 200, 'but not again');
    }

    for (const sample of samples) {
      const { name } = sample;
      const faults: string[] = [];
      for (const value of sample.right) {
        const created = (await mapwright.post(collection, { ...least, [name]: value })).shown;
        if (!isShown(sample, created, value)) faults.push(`created: ${JSON.stringify(created[name])}`);
        const others = differences(subject, created).filter((other) => ![name, ...resource.readOnly].includes(other));
        if (others.length > 0) faults.push(`created: other members too: ${others}`);
        if ((await mapwright.delete(`${collection}/${created.id}`)).status !== 204) faults.push('not deleted');

        const before = await get();
        const patched = await mapwright.patch(address, { [name]: value });
        if (!isShown(sample, patched.shown, value)) faults.push(`patched: ${patched.text.slice(0, 300)}`);
        if (differences(before, patched.shown).some((changed) => changed !== name)) faults.push('another member changed');
        if ((await mapwright.get(address)).text !== patched.text) faults.push('another answer to GET');
      }
      t.strictSame(faults, [], `${name}: ${sample.right.length} values that are right`);
    }

    const before = await world.bytes();
    const subjectBefore = JSON.stringify(await get());
    for (const { name, wrong } of samples) {
      const faults: string[] = [];
      for (const [value, below] of wrong) {
        const body = { [name]: value };
        faults.push(...notRefused(await mapwright.post(collection, { ...least, ...body }), `/${name}${below}`));
        faults.push(...notRefused(await mapwright.patch(address, body), `/${name}${below}`));
      }
      t.strictSame(faults, [], `${name}: ${wrong.length} values that are wrong`);
    }
    t.equal(JSON.stringify(await get()), subjectBefore, 'what was refused changed nothing');
    t.equal(await world.bytes(), before);
  });

  t.test(`${resource.title}: members set by the server are refused unless they are unchanged`, async (t) => {
    const collection = resource.title === 'Project' ? '/projects' : world.at(resource.title as ResourceName);
    const least = leastOf(resource);
    const subject = (await mapwright.post(collection, least)).shown;
    for (const name of resource.readOnly) {
      const pointer = `/${name}`;
      const known = subject[name];
      for (const value of [known, 'x', '', null, 1, {}]) {
        t.strictSame(notRefused(await mapwright.post(collection, { ...least, [name]: value }), pointer), [], `${name} on create`);
        if (value === known) continue;
        t.strictSame(notRefused(await mapwright.patch(`${collection}/${subject.id}`, { [name]: value }), pointer), [], name);
      }
      t.strictSame((await mapwright.patch(`${collection}/${subject.id}`, { [name]: known })).shown, subject, 'as it is');
    }
  });
}
