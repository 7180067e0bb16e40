/** References, by the newer original: the tests of references.test.ts over its table. */
process.env['MAPWRIGHT_COMPAT'] = 'latest';
await import('./references.test.ts');
