/** The tables of docs/configuration.md, made from the declarations of the flags. */
import { serveFlags } from '../../src/cli/commands/serve/serve-options.ts';
import { optionGroups } from '../../src/lib/option-declaration.ts';

const [begin, end] = ['<!-- Made by `npm run generate`. -->\n', '<!-- End of what `npm run generate` makes. -->\n'];

function defaultOf({ byDefault, defaultWords }: (typeof serveFlags)[number][1]): string {
  if (defaultWords !== undefined) return defaultWords;
  if (typeof byDefault === 'boolean') return byDefault ? 'on' : 'off';
  return byDefault === undefined ? 'none' : String(byDefault);
}

/** The document with its tables made again. */
export function withTables(document: string): string {
  const tables = Object.entries(optionGroups).map(([group, introduction]) => {
    const rows = serveFlags
      .filter(([, option]) => option.group === group)
      .map(([, option]) => `| \`--${option.flag}\` | ${defaultOf(option)} | ${`${option.help}.`} |\n`);
    const paragraph = introduction === '' ? '' : `${introduction}\n\n`;
    return `\n### ${group}\n\n${paragraph}| flag | default | meaning |\n|---|---|---|\n${rows.join('')}`;
  });
  const [head = '', rest = ''] = document.split(begin);
  return `${head}${begin}${tables.join('')}\n${end}${rest.split(end)[1]}`;
}
