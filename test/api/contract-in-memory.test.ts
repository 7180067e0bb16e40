// process: own
/** The tests of contract.test.ts with servers in memory. */
process.env['MAPWRIGHT_IN_MEMORY'] = 'true';
await import('./contract.test.ts');
