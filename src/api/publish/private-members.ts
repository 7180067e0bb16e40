/** Leaves the private members of objects out of the view of a project that becomes public. */
import { privateObjectMembers } from '../../model/resources/object.ts';
import { resourceOf } from '../../model/resources.ts';
import type { MemberViews, View, Views } from '../../store/list/views.ts';
import { type Member, uncacheable } from '../../store/member.ts';

export function withoutPrivate(view: View): View {
  const held = new Map([...view.held].map(([name, views]) => [name, publicViews(views)] as const));
  return { ...view, held };
}

function publicViews(views: Views): Views {
  if ('leaves' in views) return views.resource === resourceOf.objects ? new PublicObjects(views) : views;
  return {
    *[Symbol.iterator]() {
      for (const view of views) yield withoutPrivate(view);
    },
  };
}

class PublicObjects implements MemberViews {
  readonly resource = resourceOf.objects;
  /** None: the cached JSON of a capture has the private members. */
  readonly capture = undefined;
  readonly leaves: MemberViews['leaves'];

  constructor({ leaves }: MemberViews) {
    this.leaves = {
      *[Symbol.iterator]() {
        for (const { members } of leaves) yield { members: members.some(hasPrivate) ? members.map(publicMember) : members };
      },
    };
  }

  *[Symbol.iterator](): Generator<View, void> {
    const { resource } = this;
    for (const { members } of this.leaves) {
      for (const member of members) yield { resource, value: member.value, member, held: new Map() };
    }
  }
}

const hasPrivate = ({ value }: Member): boolean => privateObjectMembers.some((name) => value[name] !== undefined);

function publicMember(member: Member): Member {
  if (!hasPrivate(member)) return member;
  const value = { ...member.value };
  for (const name of privateObjectMembers) delete value[name];
  return { ...member, value, json: uncacheable };
}
