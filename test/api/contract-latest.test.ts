/** The schemas and the running server against the table, by the newer original: the tests of contract.test.ts over its table. */
process.env['MAPWRIGHT_COMPAT'] = 'latest';
await import('./contract.test.ts');
