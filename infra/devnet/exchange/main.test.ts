import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { post, publicKey } from '../../../test/devnet/changelly';
import { compiledPath } from '../../engines/compiled-path';
import '../../../test/starts-programs';

const start = (...words: string[]) =>
  spawn(process.execPath, [compiledPath('infra/devnet/exchange/main.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const key = publicKey.export({ type: 'pkcs1', format: 'der' }).toString('hex');

it('runs as a program of its own until it is stopped', async () => {
  const program = start(key, '--speed', '60', '--requests-per-second', '2');
  const [line] = (await once(createInterface(program.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const request = JSON.stringify({
    jsonrpc: '2.0',
    id: 'one',
    method: 'getPairs',
    params: { from: 'btc', to: 'ton' },
  });
  expect((await post(url, request)).json.result).toEqual([{ from: 'btc', to: 'ton' }]);
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
});

it('refuses a key that is none', async () => {
  expect(await once(start('00'), 'exit')).toEqual([1, null]);
});
