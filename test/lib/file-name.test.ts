/** Device names of Windows. */
import t from 'tap';
import { isDeviceName, refuseDevice } from '../../src/lib/files/file-name.ts';

t.test('device names are recognised in any case and with any extension', async (t) => {
  const devices = [
    'CON',
    'con',
    'Nul.json',
    'AUX.',
    'prn ',
    'con .txt',
    'CON. .',
    'COM1',
    'lpt9.mapwright.json',
    'COM\u00b9',
    'NUL:x',
    'CONIN$',
  ];
  t.strictSame(
    devices.filter((name) => !isDeviceName(name)),
    [],
  );
  const files = ['CONSOLE', 'icon', 'con-1.json', 'com10', 'COM', 'lpt', 'null', 'auxiliary.json', 'a.con', '.con', 'nul_'];
  t.strictSame(files.filter(isDeviceName), []);
});

t.test('a path that ends with a device name is refused on Windows', async (t) => {
  t.throws(() => refuseDevice('backups/nul.backup', 'win32'), /backups\/nul\.backup is a device name.*Choose another file name/);
  t.doesNotThrow(() => refuseDevice('backups/nul.backup', 'linux'));
  t.doesNotThrow(() => refuseDevice('con/kept.backup', 'win32'));
});
