/** A history as people read it. */
import type { BatchInput, BatchOutput } from './batch-model.ts';
import type { Recorded } from './clients.ts';
import type { Fields, Input, Output, Shown } from './models.ts';

type AnyInput = Input | BatchInput;
type AnyOutput = Output | BatchOutput;

/** One line for each operation in the order of calls, with the crashes between them. */
export function describe(history: readonly Recorded[], crashes: readonly number[]): string {
  const lines = history.map((entry): [number, string] => [entry.call, line(entry)]);
  const last = Math.max(...history.map(({ end, call }) => (Number.isFinite(end) ? end : call)));
  for (const crash of crashes)
    if (crash <= last) lines.push([crash, `${String(crash).padStart(4)}        ======== crash ========`]);
  return lines
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('\n');
}

function line({ client, call, end, ...said }: Recorded): string {
  const [input, output] = [said.input as AnyInput, said.output as AnyOutput | undefined];
  const until = output === undefined ? '?' : String(end);
  return `${String(call).padStart(4)}..${until.padEnd(4)} c${client} ${asked(input)} -> ${output === undefined ? 'no answer' : heard(output)}`;
}

function asked(input: AnyInput): string {
  switch (input.op) {
    case 'patch':
    case 'post':
      return `${input.op} ${input.name} ${fields(input.set)}`;
    case 'get':
    case 'delete':
    case 'bad-patch':
      return `${input.op} ${input.name}`;
    case 'batch':
      return `batch ${JSON.stringify(input.steps)}`;
    case 'objects':
      return `objects of ${input.board}`;
    case 'page':
      return `page #${input.number} limit=${input.limit}${input.after === undefined ? '' : ` after #${input.after}`}`;
    case 'replace':
      return `replace [${input.elements.map(({ name, fresh, ...set }) => `${fresh ? '+' : ''}${name}${fields(set)}`).join(' ')}]`;
    default:
      return input.op;
  }
}

function heard(output: AnyOutput): string {
  const { status, shown } = output;
  if (typeof shown === 'string') return `${status} ${shown}`;
  const more = 'more' in output && output.more;
  return `${status}${shown === undefined ? '' : ` [${shown.map(member).join(' ')}]`}${more === true ? ' and more' : ''}`;
}

const member = ([name, a, b]: Shown): string => `${name}(${a},${b})`;
const fields = ({ a, b }: Fields): string => `(${a ?? ''},${b ?? ''})`;
