/** Memory equals a replay, by the newer original: the tests of model.test.ts over its table. */
process.env['MAPWRIGHT_COMPAT'] = 'latest';
await import('./model.test.ts');
