/** Accessibility of a page, by the rules of axe-core. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from './browser.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The violations that axe-core finds on a page as it is, outside of frames. @param leftOut names of rules that do not count */
export async function violations(page: Page, ...leftOut: readonly string[]): Promise<string[]> {
  await page.value(fs.readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8'));
  const rules = Object.fromEntries(leftOut.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ iframes: false, runOnly: tags, rules });
  const { violations: found, passes } = (await page.value(`axe.run(${options})`)) as { violations: Found[]; passes: unknown[] };
  if (passes.length <= 10) throw new Error(`axe-core applied ${passes.length} rules alone`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('; ')}`);
}
