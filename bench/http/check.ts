/** Answers are right before anything is measured, and nothing that was acknowledged is missing afterwards. */
import assert from 'node:assert/strict';
import { ask, call, type Request, type Target } from '../lib/ask.ts';
import { artboardOf, type Made, type ObjectBody, objectsPath, type Shown } from './world.ts';

/** Each of these GETs is answered with what was stored. Gives the bytes of an answer, on average. */
export async function checkReads(target: Target, requests: readonly Request[], stored: readonly unknown[]): Promise<number> {
  let bytes = 0;
  for (const [i, request] of requests.entries()) {
    const { status, body } = await ask(target, request);
    assert.equal(status, 200, `${request.method} ${request.path}: ${status}`);
    assert.deepEqual(
      JSON.parse(body.toString()),
      stored[i],
      `${request.method} ${request.path} answers something else than was stored`,
    );
    bytes += body.length;
  }
  return bytes / requests.length;
}

/** A project was made of the objects that were sent. */
export function checkMade(made: Made, sent: readonly ObjectBody[]): void {
  const { objects } = artboardOf(made);
  assert.equal(objects.length, sent.length, 'the project was made with another number of objects');
  for (const [i, body] of sent.entries()) assertHolds(objects[i], body);
}

/** Creates an object, which then is there with all that was sent. Gives it. */
export async function checkCreate(target: Target, made: Made, body: ObjectBody): Promise<Shown> {
  const path = objectsPath(made);
  const created = await call<Shown>(target, 'POST', path, body);
  assertHolds(created, body);
  assert.deepEqual(await call(target, 'GET', `${path}/${created.id}`), created, 'a created object reads otherwise');
  return created;
}

/** Two servers make the same of the same body, but for the identifier. */
export function checkAlike(ours: Shown, other: Shown | undefined): void {
  assert.deepEqual(other && { ...other, id: ours.id }, ours, 'the servers answer different objects');
}

/** How many objects are stored in the first artboards of these projects. */
export async function countObjects(target: Target, projects: readonly Made[]): Promise<number> {
  let count = 0;
  for (const made of projects) count += (await call<unknown[]>(target, 'GET', `${objectsPath(made)}?fields=id`)).length;
  return count;
}

function assertHolds(shown: Shown | undefined, sent: ObjectBody): void {
  const held = Object.fromEntries(Object.keys(sent).map((name) => [name, shown?.[name]]));
  assert.deepEqual(held, sent, 'an object does not hold what was sent');
}
