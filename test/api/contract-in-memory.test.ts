// process: own
/** The tests of contract.test.ts over servers that keep everything in memory. */
process.env['MAPWRIGHT_IN_MEMORY'] = 'true';
await import('./contract.test.ts');
