/** The resources by the original that the tests of this process speak: with its members and checks in place of the contract's. */
import { type Resource, representationOf } from '../../src/model/resource.ts';
import * as resources from '../../src/model/resources.ts';
import { compat } from './contract.ts';

function spoken(resource: Resource): Resource {
  const collections = resource.collections.map(({ name, resource: held }) => ({ name, resource: spoken(held) }));
  return { ...resource, ...representationOf(resource, compat), collections };
}

export const projects = spoken(resources.projects);

export const resourceOf = {
  artboards: spoken(resources.artboards),
  objects: spoken(resources.objects),
  popups: spoken(resources.popups),
  data_sources: spoken(resources.dataSources),
  variables: spoken(resources.variables),
  actions: spoken(resources.actions),
};
