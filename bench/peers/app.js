/**
 * The part of the API that is measured, on Fastify: with schemas for bodies, and for answers so that they are serialised by generated
 * code. A store keeps what is created: `sqlite.js`, `postgres.js`.
 */
import { hash, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { objectAnswer, objectBody } from './object.js';

const bodyBytesMax = 8 * 1024 * 1024;

const objectAnswers = { type: 'array', items: objectAnswer };
const projectBody = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    artboards: {
      type: 'array',
      default: [],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, objects: { type: 'array', default: [], items: objectBody } },
      },
    },
  },
};
const projectAnswer = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    artboards: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' }, objects: objectAnswers } },
    },
  },
};

/** What is kept of a key, and asked for. */
export const digestOf = (key) => hash('sha256', key, 'base64url');

/** @param store see `sqlite.js`; its methods may return promises */
export function buildApp(store) {
  const app = Fastify({ bodyLimit: bodyBytesMax });
  const accounts = new Map();

  app.decorateRequest('account', '');
  app.addHook('onRequest', async (request, reply) => {
    const header = request.headers.authorization ?? '';
    const digest = digestOf(header.startsWith('Bearer ') ? header.slice('Bearer '.length) : '');
    let account = accounts.get(digest);
    if (account === undefined) {
      account = await store.accountOf(digest);
      if (account === undefined) return reply.code(401).send({ detail: 'The key is not known.' });
      accounts.set(digest, account);
    }
    request.account = account;
  });

  const missing = (reply) => reply.code(404).send({ detail: 'There is no such thing.' });
  const objects = '/api/v1/projects/:project/artboards/:artboard/objects';

  app.post('/api/v1/projects', { schema: { body: projectBody, response: { 200: projectAnswer } } }, async (request) => {
    const { name, artboards } = request.body;
    const project = {
      id: randomUUID(),
      name,
      artboards: artboards.map((artboard) => ({
        id: randomUUID(),
        name: artboard.name,
        objects: artboard.objects.map((object) => ({ id: randomUUID(), ...object })),
      })),
    };
    await store.createProject(request.account, project);
    return project;
  });

  app.post(objects, { schema: { body: objectBody, response: { 200: objectAnswer } } }, async (request, reply) => {
    const object = { id: randomUUID(), ...request.body };
    const created = await store.createObject(request.account, request.params, object);
    return created ? object : missing(reply);
  });

  app.get(`${objects}/:object`, { schema: { response: { 200: objectAnswer } } }, async (request, reply) => {
    const object = await store.object(request.account, request.params);
    return object ?? missing(reply);
  });

  app.get(objects, { schema: { response: { 200: objectAnswers } } }, async (request, reply) => {
    const list = await store.objects(request.account, request.params);
    return list ?? missing(reply);
  });

  return app;
}
