/** The tools of agents, in the order in which they see them. */
import type { Right } from '../model/people/roles.ts';
import type { Tool } from './agent-tool.ts';
import { change } from './tools/change-tool.ts';
import { evaluate } from './tools/evaluate-tool.ts';
import { find } from './tools/find-tool.ts';
import { importText } from './tools/import-tool.ts';
import { picture } from './tools/picture-tool.ts';
import { problems } from './tools/problems-tool.ts';
import { publish } from './tools/publish-tool.ts';
import { read } from './tools/read-tool.ts';
import { versions } from './tools/versions-tool.ts';

const all: readonly Tool[] = [find, read, change, importText, evaluate, problems, picture, publish, versions];

export const toolsFor = (rights: ReadonlySet<Right>): readonly Tool[] => all.filter(({ needs }) => rights.has(needs));
