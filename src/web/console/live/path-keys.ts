/** The path of a value in a response: `data_path` of a variable. What is not known here is kept. */
import type { Members } from '../kinds/resource-kinds.ts';

interface PathNode extends Members {
  readonly id?: unknown;
  readonly key?: unknown;
  readonly parent?: unknown;
}

const nodesOf = (path: Members): readonly PathNode[] =>
  (Array.isArray(path['nodes']) ? path['nodes'] : []).filter((node) => typeof node === 'object' && node !== null);

/** An absent parent is the root. */
const parentOf = ({ parent }: PathNode): unknown => parent ?? '';

/** The keys from the root to the chosen node; `undefined` if the path leads nowhere. */
export function keysOf(path: Members): string[] | undefined {
  const nodes = new Map<unknown, PathNode>(nodesOf(path).map((node) => [node.id, node]));
  const keys: string[] = [];
  let id: unknown = path['node_id'] ?? '';
  while (id !== '') {
    const node = nodes.get(id);
    if (node === undefined || keys.length > nodes.size) return undefined;
    keys.unshift(String(node.key ?? ''));
    id = parentOf(node);
  }
  return keys;
}

/** A path to other keys: nodes that are on the way already are used again, missing ones are added. */
export function withKeys(path: Members, keys: readonly string[]): Members {
  const nodes = nodesOf(path).filter(({ id }) => typeof id === 'string' && id !== '');
  const added: PathNode[] = [];
  const taken = new Set(nodes.map(({ id }) => id));
  let parent: unknown = '';
  let free = 0;
  for (const key of keys) {
    const present = nodes.find((node) => String(node.key ?? '') === key && parentOf(node) === parent);
    if (present !== undefined) {
      parent = present.id;
      continue;
    }
    while (taken.has(`n${free}`)) free++;
    const id = `n${free}`;
    taken.add(id);
    added.push({ id, key, ...(parent === '' ? {} : { parent }) });
    parent = id;
  }
  return {
    filters: [],
    collapsed_nodes: [],
    ...path,
    nodes: [...(Array.isArray(path['nodes']) ? path['nodes'] : []), ...added],
    node_id: parent,
  };
}

/** The value at a place; `undefined` if there is none. */
export function valueAt(root: unknown, keys: readonly string[]): unknown {
  let value = root;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
