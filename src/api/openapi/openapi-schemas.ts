/**
 * The schemas of the OpenAPI description, of responses and request bodies. They are the schemas used for validation,
 * converted to JSON Schema, each under its title; a schema inside another one becomes a reference.
 */
import type { TSchema } from 'typebox';
import type { Bodies } from '../../model/bodies/bodies.ts';
import type { AnySchema } from '../../model/members.ts';
import { projects, resourceOf } from '../../model/resources.ts';

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

export const referenceTo = (title: string): JsonObject => ({ $ref: `#/components/schemas/${title}` });

const titleOf = (schema: AnySchema): string => schema.title ?? '';

/** The bodies of a resource, in the order of the description. */
const bodiesIn = ({ create, update, import: imported }: Bodies) => [create, update, imported];

const titledFirst = ({ title = '', description = '', ...rest }: JsonObject): JsonObject => ({ title, description, ...rest });

/** All schemas, by title. */
export class Schemas {
  readonly all: Record<string, JsonObject> = {};

  constructor() {
    const resources = [...Object.values(resourceOf), projects];
    // Reserve the titles first, so that schemas can refer to each other.
    for (const { bodies } of resources)
      for (const schema of [bodies.response, ...bodiesIn(bodies)]) this.all[titleOf(schema)] = {};
    for (const { bodies, collections } of resources) {
      this.all[titleOf(bodies.response)] = this.#written(bodies.response, true);
      for (const schema of bodiesIn(bodies)) this.all[titleOf(schema)] = titledFirst(this.#written(schema, true));
      // An element of an update, in the words of its own two bodies.
      const update = this.all[titleOf(bodies.update)]?.['properties'] as Record<string, JsonObject>;
      for (const { name, resource: element } of collections) {
        const known = { allOf: [referenceTo(titleOf(element.bodies.update))], required: ['id'] };
        update[name] = { ...update[name], items: { anyOf: [known, referenceTo(titleOf(element.bodies.create))] } };
      }
    }
  }

  /** A schema with a known title becomes a reference; any other titled schema is added; the rest is inlined. */
  of(schema: TSchema): JsonObject {
    return this.#written(schema, false);
  }

  /** A resource, or a list of resources, of which `?fields=` may leave out members. */
  withParts(schema: TSchema): JsonObject {
    const { items } = schema as AnySchema;
    return items === undefined ? this.#orPart(schema) : { ...this.of(schema), items: this.#orPart(items) };
  }

  #orPart(schema: TSchema): JsonObject {
    const whole = titleOf(schema);
    const title = `${whole}Part`;
    const written = this.of(schema);
    const { properties = {} } = this.all[whole] as JsonObject;
    const hasId = Object.hasOwn(properties as JsonObject, 'id');
    this.all[title] ??= {
      ...{ title, description: `${hasId ? '`id` and the' : 'The'} members of ${whole} that \`?fields=\` names.`, type: 'object' },
      ...(hasId ? { required: ['id'] } : {}),
      ...{ properties, additionalProperties: false },
    };
    return { anyOf: [written, referenceTo(title)] };
  }

  #written(schema: TSchema, isWhole: boolean): JsonObject {
    return this.#walk(JSON.parse(JSON.stringify(schema)) as JsonObject, isWhole);
  }

  #walk(schema: JsonObject, isWhole: boolean): JsonObject {
    const { title } = schema;
    if (!isWhole && typeof title === 'string') {
      this.all[title] ??= this.#walk(schema, true);
      return referenceTo(title);
    }
    const written: JsonObject = {};
    for (const [word, said] of Object.entries(schema)) {
      // How the console shows a member is no part of the API.
      if (word === 'x-form') continue;
      if (word === 'properties') {
        const properties = said as JsonObject;
        written[word] = Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, this.#walk(property as JsonObject, false)]),
        );
      } else if (word === 'items') written[word] = this.#walk(said as JsonObject, false);
      else if (word === 'anyOf') written[word] = (said as JsonObject[]).map((one) => this.#walk(one, false));
      else written[word] = said;
    }
    return 'enum' in written && !('type' in written) ? { type: 'string', ...written } : written;
  }
}
