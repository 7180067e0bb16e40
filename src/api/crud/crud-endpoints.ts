/** The five operations that every resource has, as endpoints: list, create, get, update and delete. */
import Type, { type TSchema } from 'typebox';
import type { AnySchema } from '../../model/members.ts';
import { article, capital } from '../../model/noun.ts';
import type { Resource } from '../../model/resource.ts';
import { type Declaration, endpoint } from '../declaration.ts';
import { exampleOf } from '../openapi/resource-examples.ts';
import { type Handlers, oneQuery, shownWriteQuery, updateQuery, writeQuery } from './handlers.ts';
import { inputsQuery, listParameters } from './list-query.ts';

const change = { name: 'Another name' };

/**
 * @param path of the list: `/projects/:project_id/popups`
 * @param param the path parameter that names one of it: `popup_id`
 * @param resource that they serve
 */
export function crudEndpoints(path: string, param: string, resource: Resource, handle: Handlers): Declaration[] {
  const { noun, title, bodies } = resource;
  const one = `${path}/:${param}`;
  const shown = withInputs(resource);
  const tag = `${capital(noun)}s`;
  return [
    endpoint({
      method: 'GET',
      path,
      id: `list${title}s`,
      tag,
      summary: `List ${noun}s`,
      ...listParameters(resource),
      response: Type.Array(shown),
      example: () => ({ response: [exampleOf(resource).response] }),
      handle: handle.list,
    }),
    endpoint({
      method: 'POST',
      path,
      id: `create${title}`,
      tag,
      summary: `Create ${article(noun)}`,
      query: shownWriteQuery,
      body: bodies.create,
      response: bodies.response,
      example: () => exampleOf(resource),
      handle: handle.create,
    }),
    endpoint({
      method: 'GET',
      path: one,
      id: `get${title}`,
      tag,
      summary: `Get ${article(noun)}`,
      query: { ...oneQuery, ...inputsQuery(resource) },
      response: shown,
      example: () => ({ response: exampleOf(resource).response }),
      handle: handle.get,
    }),
    endpoint({
      method: 'PATCH',
      path: one,
      id: `update${title}`,
      tag,
      summary: `Change members of ${article(noun)}`,
      description:
        'With `Content-Type: application/merge-patch+json`, the body is a JSON Merge Patch (RFC 7396): objects in open structures are merged, and `null` sets a member to its default. Arrays and collections are replaced.',
      query: updateQuery(resource),
      body: bodies.update,
      response: bodies.response,
      example: () => ({ body: change, response: { ...exampleOf(resource).response, ...change } }),
      handle: handle.update,
    }),
    endpoint({
      method: 'DELETE',
      path: one,
      id: `delete${title}`,
      tag,
      summary: `Delete ${article(noun)}`,
      query: writeQuery,
      response: undefined,
      handle: handle.delete,
    }),
  ];
}

/** The schema of a resource in a GET, which may add members that otherwise only bodies have. */
function withInputs({ title, bodies, inputs }: Resource): TSchema {
  if (inputs.length === 0) return bodies.response;
  const { properties } = bodies.create;
  const added = Object.fromEntries(inputs.map((name) => [name, properties[name] as TSchema]));
  return Type.Object(
    { ...bodies.response.properties, ...added },
    {
      title: `${title}WithPlaces`,
      description: `${(bodies.response as AnySchema).description} With \`?places=true\`, and on an artboard of type "osm", it has places.`,
      additionalProperties: false,
    },
  );
}
