// tier: all, process: own
/** The tests of model.test.ts, with every other request as a call without HTTP. */
process.env['MAPWRIGHT_VIA'] = 'both';
await import('./model.test.ts');
