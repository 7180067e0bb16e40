/** Which controls the screens show: derived from the rights of the session. The server checks each request all the same. */

/** What a person or a key may do, by `src/model/people/roles.ts`. */
export type Right = 'read' | 'write' | 'publish' | 'people';

/** Of a person, in the order in which they may do less. */
export const roles = ['owner', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

export interface Controls {
  /** Projects and what is in them can be changed. */
  readonly canWrite: boolean;
  /** Projects can be created: not with some projects alone. */
  readonly canCreate: boolean;
  readonly canPublish: boolean;
  /** People can be invited and managed. */
  readonly canInvite: boolean;
  /** The first screen of a project is the map as visitors see it. */
  readonly showsMapFirst: boolean;
}

/** @param projects those that the session reaches; `null` for all of the account */
export function controlsOf({
  rights,
  projects,
}: {
  readonly rights: readonly Right[];
  readonly projects: readonly string[] | null;
}): Controls {
  const may = (right: Right): boolean => rights.includes(right);
  return {
    canWrite: may('write'),
    canCreate: may('write') && projects === null,
    canPublish: may('publish'),
    canInvite: may('people'),
    showsMapFirst: !may('write'),
  };
}
