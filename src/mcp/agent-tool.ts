/** The declaration of a tool: its name, its arguments, what it needs, and what it does with the admin API. */
import type { Static, TObject } from 'typebox';
import Type from 'typebox';
import type { Right } from '../model/people/roles.ts';
import type { AgentVersions } from './agent-versions.ts';
import type { ConvertForAgent, IsGone } from './import/import-thread.ts';
import type { MapsApi } from './maps-api.ts';

/** JSON that goes to the agent. Texts of maps are below `data` only. */
export type Structured = { readonly data: unknown } & Readonly<Record<string, unknown>>;

export interface ToolResult {
  readonly structured: Structured;
  /** A PNG. */
  readonly picture?: Buffer;
}

/** Everything that a call of a tool works with. */
export interface ToolContext {
  readonly api: MapsApi;
  /** Rights of the key. */
  readonly rights: ReadonlySet<Right>;
  readonly versions: AgentVersions;
  readonly convert: ConvertForAgent;
  /** Nothing is written for an agent that is gone: it would send the call again. */
  readonly isGone: IsGone;
  /** Called with an error that is no refusal: a fault of the server. */
  onFault(error: unknown): void;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Says what it does and when to use it; agents read nothing else before they choose. */
  readonly description: string;
  /** Without this right, an agent does not see the tool. */
  readonly needs: Right;
  /** The arguments, for a key with these rights. */
  input(rights: ReadonlySet<Right>): TObject;
  /** `destroys`: it may change or delete what is there. */
  effect(rights: ReadonlySet<Right>): 'reads' | 'destroys';
  run(context: ToolContext, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
}

interface Declared<Input extends TObject> extends Pick<Tool, 'name' | 'title' | 'description' | 'needs'> {
  readonly input: Input;
  readonly effect: ReturnType<Tool['effect']>;
  run(context: ToolContext, args: Static<Input>): Promise<ToolResult>;
}

/** A tool that is the same for every key that sees it. */
export function tool<Input extends TObject>({ input, effect, run, ...declared }: Declared<Input>): Tool {
  return {
    ...declared,
    input: () => input,
    effect: () => effect,
    run: (context, args) => run(context, args as Static<Input>),
  };
}

/** The argument that nearly every tool has. */
export const project = Type.String({ description: 'Identifier of the project, from find' });

export const closed = { additionalProperties: false } as const;
