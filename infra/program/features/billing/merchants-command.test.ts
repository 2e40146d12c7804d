import { userInfo } from 'node:os';
import { commandLine } from '../../../../test/command-line';
import { merchantsCommand } from './merchants-command';

const { run } = commandLine(merchantsCommand);
const set = (...words: string[]) => run('--json', 'merchants', 'set', ...words);

test('names merchants and lists them', async () => {
  expect(await run('merchants', 'list')).toBe(
    'no merchants named with `tidemark merchants set`; those with fees are shown by `tidemark revenue`\n',
  );
  const first = JSON.parse(await set('m-2', '--name', 'Noon & Söhne', '--slug', 'noon'));
  expect(first).toMatchObject({ merchant_id: 'm-2', name: 'Noon & Söhne', slug: 'noon' });
  await set('m-1', '--name', 'Ann', '--slug', 'ann');
  await set('m-2', '--name', 'Afternoon');
  expect(JSON.parse(await run('--json', 'merchants', 'list'))).toMatchObject({
    merchants: [
      { merchant_id: 'm-1', name: 'Ann', slug: 'ann', by: `cli:${userInfo().username}` },
      { merchant_id: 'm-2', name: 'Afternoon', slug: 'noon' },
    ],
  });
  expect(await run('merchants', 'list')).toMatch(
    /^MERCHANT +SLUG +NAME +SINCE +BY\nm-1 +ann +Ann +\d{4}-.*\nm-2 /,
  );
});

test.each([
  [['m-9'], 'give --name, --slug or both'],
  [['m-9', '--name', 'Nine'], 'merchant_not_found'],
  [['m-9', '--name', 'Nine', '--slug', 'ann'], 'belongs to merchant m-1'],
  [['../m', '--name', 'Nine', '--slug', 'nine'], 'id: must be at most 128 letters'],
  [['m-9', '--name', 'two\nlines', '--slug', 'nine'], 'name: must be one line'],
  [['m-9', '--name', 'Nine', '--slug', 'a/b'], 'slug: must be at most 64 letters'],
])('refuses %j', async (words, why) => {
  await expect(set(...words)).rejects.toThrow(why);
});
