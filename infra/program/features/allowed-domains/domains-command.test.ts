import { userInfo } from 'node:os';
import { commandLine } from '../../../../test/command-line';
import { domainsCommand } from './domains-command';

const { run } = commandLine(domainsCommand);
const domains = async (...words: string[]) => JSON.parse(await run('--json', 'domains', ...words)) as unknown;

test('allows and revokes domains, also those that come with the program', async () => {
  const change = { domain: '.example.com', changed: true };
  expect(await domains('allow', '*.Example.com', '--reason', 'a partner')).toEqual(change);
  expect(await domains('allow', '.example.com')).toEqual({ ...change, changed: false });
  expect(await domains('allow', '.ton.org')).toEqual({ domain: '.ton.org', changed: false });
  expect(await domains('revoke', '.getgems.io')).toEqual({ domain: '.getgems.io', changed: true });
  expect(await domains('revoke', 'a.example.com')).toEqual({ domain: 'a.example.com', changed: false });

  const listed = (await domains('list')) as { domains: { domain: string }[] };
  expect(listed.domains).toContainEqual({
    domain: '.example.com',
    at: expect.any(String) as string,
    by: `cli:${userInfo().username}`,
    reason: 'a partner',
  });
  expect(listed.domains).toContainEqual({ domain: '.ton.org', at: null, by: null, reason: null });
  expect(listed.domains.map(({ domain }) => domain)).not.toContain('.getgems.io');
  expect(await run('domains', 'list')).toMatch(/^DOMAIN +SINCE +BY +REASON\n\.changelly\.com +comes with/);

  expect(await domains('allow', '.getgems.io')).toEqual({ domain: '.getgems.io', changed: true });
  expect(await domains('revoke', '.example.com')).toEqual(change);
});

test('explains whether a host is allowed, and who has decided so', async () => {
  const mine = { by: `cli:${userInfo().username}`, at: expect.any(String) as string };
  const embedded = { at: null, by: null, reason: null };
  await domains('allow', 'exact.example.net', '--reason', 'our guide');
  await domains('revoke', '.ston.fi');

  expect(await domains('explain', 'https://App.ton.org/x?y')).toEqual({
    host: 'app.ton.org',
    allowed: true,
    entries: [{ domain: '.ton.org', ...embedded }],
  });
  const { entries } = (await domains('explain', 'exact.example.net')) as { entries: unknown };
  expect(entries).toEqual([{ domain: 'exact.example.net', ...mine, reason: 'our guide' }]);
  for (const host of ['a.exact.example.net', 'ston.fi', 'notton.org', 'ton.org.example.com'])
    expect(await domains('explain', host)).toEqual({ host, allowed: false, entries: [] });
  expect(await domains('explain', 'ton.org')).toMatchObject({ allowed: true });

  expect(await run('domains', 'explain', 'ston.fi')).toBe('ston.fi: not allowed\n');
  expect(await run('domains', 'explain', 'ton.org')).toMatch(
    /^ton\.org: allowed\nDOMAIN +SINCE +BY +REASON\n\.ton\.org +comes with the program\n$/,
  );
});

test.each([
  [['allow', '.co.uk'], 'domain: a host'],
  [['allow', '10.0.0.1'], 'domain: a host'],
  [['revoke', 'https://example.com'], 'domain: a host'],
  [['explain', 'not a host'], 'host: '],
  [['explain', 'javascript:alert(1)'], 'host: '],
  [['allow', 'example.com', '--reason', 'x'.repeat(201)], 'reason: '],
  [['allow', 'example.com', '--reason', '\u202ea'], 'reason: must be one line of visible text'],
])('refuses %j', async (words, why) => {
  await expect(domains(...words)).rejects.toThrow(why);
});
