/** Lists that are filtered and sorted, by the newer original: the tests of filters.test.ts over its table. */
process.env['MAPWRIGHT_COMPAT'] = 'latest';
await import('./filters.test.ts');
