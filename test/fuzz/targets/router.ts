/** Request targets: each leads to the endpoint that its path spells, or nowhere. */
import { endpoints } from '../../../src/api/endpoints.ts';
import type { Endpoint } from '../../../src/http/route.ts';
import { pathOf, Router } from '../../../src/http/router.ts';
import { must, type Target } from '../target.ts';

const prefixes = ['/api/v1', '/v1'];

export function router(): Target {
  const declared = endpoints.map(
    ({ method, path }): Endpoint<undefined> => ({ method, path, prefixes, handle: () => ({ kind: 'empty', status: 204 }) }),
  );
  const table = new Router<undefined>([
    ...declared,
    { public: true, method: 'GET', path: '/healthz', prefixes: [''], handle: () => ({ kind: 'empty', status: 204 }) },
  ]);
  const shapes = [...new Set(endpoints.map(({ path }) => path))].map((path) => path.split('/'));
  const seeds = [
    '/v1/projects/a/artboards/b/objects/c?x=1',
    '/api/v1/projects',
    '/healthz',
    '/v1/projects/%41%2f%zz',
    'http://h/v1/projects/a',
    '*',
  ];
  return {
    name: 'router',
    inputs: 40_000,
    seeds: seeds.map((text) => Buffer.from(text, 'latin1')),
    words: [
      '/',
      '//',
      '%2f',
      '%',
      '%ff',
      '%25',
      '..',
      '#',
      '?',
      ':',
      '*',
      'projects',
      'artboards',
      'objects',
      '/v1',
      '/api',
      'http://',
      ';',
      '\\',
      '__proto__',
    ],
    outcomes: ['found', 'nothing'],
    run(input) {
      // As Node hands it over: one character for each byte, no spaces and no control characters.
      const url = input.toString('latin1').replaceAll(/[\0-\x20\x7f]/g, '');
      const match = table.find(url);
      const path = pathOf(url);
      must(path.startsWith('/') && !path.includes('?'), `a path that is none: ${path}`);
      if (match === undefined) return 'nothing';
      must(!url.includes('#'), 'a fragment is no part of a target');
      must(
        match.query === (url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''),
        `another query than was sent: ${match.query}`,
      );
      const { params } = match;
      const values = Object.values(params);
      must(
        values.every((value) => typeof value === 'string' && value !== ''),
        'an empty parameter',
      );
      const steps = path.replace(/^\/(api\/)?v1/, '').split('/');
      const fits = shapes.some(
        (shape) =>
          shape.length === steps.length && shape.every((step, i) => step.startsWith(':') || step === decoded(steps[i] as string)),
      );
      must(fits || path === '/healthz', `a path that no endpoint has: ${path}`);
      return `found ${values.length}`;
    },
  };
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
