import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { post, publicKey } from '../../../test/devnet/changelly';
import { compiledPath } from '../../engines/compiled-path';

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

it.each([
  ['a key that is none', '00'],
  ['a scenario that is none', key, '--scenario', 'sad'],
  ['a speed of nothing', key, '--speed', '0'],
])('refuses %s', async (_what, ...words) => {
  const program = start(...words);
  expect(await once(program, 'exit')).toEqual([1, null]);
});
