/** Every member of every resource, by the newer original: the tests of fields.test.ts over its table. */
process.env['MAPWRIGHT_COMPAT'] = 'latest';
await import('./fields.test.ts');
