/**
 * The schemas of the OpenAPI description, of responses and request bodies. They are the schemas used for validation,
 * converted to JSON Schema, each under its title; a schema inside another one becomes a reference.
 */
import type { TSchema } from 'typebox';
import { article } from '../../model/check-body.ts';
import { bodyTitles, type CheckMode, type Resource } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

export const referenceTo = (title: string): JsonObject => ({ $ref: `#/components/schemas/${title}` });

const modes = Object.keys(bodyTitles) as CheckMode[];

function bodyDescription(mode: CheckMode, noun: string): string {
  if (mode === 'create') return `A new ${noun}. Omitted members take their defaults.`;
  if (mode === 'update') return `Changes of ${article(noun)}. Omitted members are unchanged.`;
  return `${capital(article(noun))} from an export. Omitted members take their defaults.`;
}

/** With its first letter in upper case. */
export const capital = (words: string): string => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;

/** All schemas, by title. */
export class Schemas {
  readonly all: Record<string, JsonObject> = {};

  constructor() {
    const resources = [...Object.values(resourceOf), projects];
    // Reserve the titles first, so that schemas can refer to each other.
    for (const resource of resources) {
      this.all[resource.title] = {};
      for (const mode of modes) this.all[`${resource.title}${bodyTitles[mode]}`] = {};
    }
    for (const resource of resources) {
      this.all[resource.title] = this.#written(resource.schema, true);
      for (const mode of modes) this.all[`${resource.title}${bodyTitles[mode]}`] = this.#body(resource, mode);
    }
  }

  /** A schema with a known title becomes a reference; any other titled schema is added; the rest is inlined. */
  of(schema: TSchema): JsonObject {
    return this.#written(schema, false);
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

  /** A request body. Its collections are validated element by element, so the schemas used for validation do not contain them. */
  #body(resource: Resource, mode: CheckMode): JsonObject {
    const body = this.#written(resource.bodies[mode], true);
    const whole = this.#written(resource.schema, true)['properties'] as JsonObject;
    const properties = body['properties'] as JsonObject;
    for (const name of Object.keys(properties)) {
      const property = { ...(whole[name] as JsonObject) };
      // What is left out of a PATCH stays as it is.
      if (mode === 'update') delete property['default'];
      if (property['readOnly'] === true && mode === 'update') {
        delete property['readOnly'];
        property['description'] = `${property['description']}. May be sent with its current value`;
      }
      properties[name] = property;
    }
    for (const { name, resource: element } of resource.collections) {
      const { description } = whole[name] as JsonObject;
      const create = referenceTo(`${element.title}${bodyTitles[mode === 'update' ? 'create' : mode]}`);
      const update = { allOf: [referenceTo(`${element.title}Update`)], required: ['id'] };
      properties[name] =
        mode === 'update'
          ? {
              type: 'array',
              description: `${description}: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted`,
              items: { anyOf: [update, create] },
            }
          : { type: 'array', description: description as string, items: create, default: [] };
    }
    const { title, ...rest } = body;
    return { title: title as string, description: bodyDescription(mode, resource.noun), ...rest };
  }
}
