import { userInfo } from 'node:os';
import { commandLine } from '../../../../test/command-line';
import { appsCommand } from './apps-command';

const { run } = commandLine(appsCommand);
const apps = async (...words: string[]) => JSON.parse(await run('--json', 'apps', ...words)) as unknown;

const url = 'https://app.example.com';

test('verifies and unverifies applications, whatever the spelling of their address', async () => {
  expect(await apps('verify', 'https://App.example.com/?ref=7', '--reason', 'a partner')).toEqual({
    url,
    changed: true,
  });
  expect(await apps('verify', url)).toEqual({ url, changed: false });
  expect(await apps('verified')).toEqual({
    apps: [{ url, at: expect.any(String) as string, by: `cli:${userInfo().username}`, reason: 'a partner' }],
  });
  expect(await run('apps', 'verified')).toMatch(/^APPLICATION +SINCE +BY +REASON\nhttps:\/\/app\.example/);
  expect(await apps('unverify', url)).toEqual({ url, changed: true });
  expect(await apps('unverify', url)).toEqual({ url, changed: false });
  expect(await apps('verified')).toEqual({ apps: [] });
});

test.each([
  [['verify', 'app.example.com'], 'url: must be an https address'],
  [['unverify', 'https://10.0.0.1'], 'url: must be an https address'],
  [['verify', url, '--reason', 'x'.repeat(201)], 'reason: '],
  [['verify', url, '--reason', '\u202ea'], 'reason: must be one line of visible text'],
])('refuses %j', async (words, why) => {
  await expect(apps(...words)).rejects.toThrow(why);
});
