// process: own
/** The running server against the tables, asked without HTTP: the tests of contract.test.ts as calls. */
process.env['MAPWRIGHT_VIA'] = 'calls';
await import('./contract.test.ts');
