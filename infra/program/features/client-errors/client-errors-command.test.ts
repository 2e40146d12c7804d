import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_CATEGORY, type CommandAudited } from '../../../../contracts/events/audit';
import { createErrorCounter } from '../../../../services/client-errors/counter';
import { openClientErrors } from '../../../../services/client-errors/store';
import { commandLine } from '../../../../test/command-line';
import { clientErrorsCommand } from './client-errors-command';
import { withEngines } from '../../commands/with-engines';

const { run, config, DATA_DIR } = commandLine(clientErrorsCommand);
const clientErrors = async (...words: string[]) =>
  JSON.parse(await run('--json', 'client-errors', ...words)) as unknown;

const AT = '2026-03-01T12:00:00.000Z';
const report = (message: string) => ({
  fingerprint: message.padEnd(24, '-'),
  message,
  stack: null,
  url: null,
  data: null,
  platform: 'ios',
  appVersion: '2.5.45',
});
const counted = (message: string, count: number) => {
  const { platform, appVersion, ...sample } = report(message);
  return {
    ...sample,
    first: null,
    count,
    firstAt: AT,
    lastAt: AT,
    versions: [{ platform, appVersion, count }],
  };
};

beforeAll(() =>
  withEngines(config(), async ({ engines }) => {
    const store = await openClientErrors(engines.vault, 2);
    const { add, flush } = createErrorCounter({ store, process: 'test', clock: () => new Date(AT) });
    for (const message of ['rare', 'often', 'often', 'further']) add(report(message), message);
    await flush();
  }),
);

test('lists what was reported most', async () => {
  expect(await clientErrors('list')).toEqual({ errors: [counted('often', 2), counted('rare', 1)], other: 1 });
  expect(await clientErrors('list', '--limit', '1')).toMatchObject({ errors: [{ message: 'often' }] });
  const text = await run('client-errors', 'list');
  expect(text).toMatch(/^often-+ {2}2 +2026-03-01T12:00:00.000Z {2}ios 2\.5\.45 {2}often$/m);
  expect(text).toContain('1 report of further errors');
});

test('erases errors by name and all, and records how many were erased, not which', async () => {
  const { fingerprint } = report('rare');
  expect(await clientErrors('erase', fingerprint, '--yes')).toEqual({ erased: 1 });
  await expect(clientErrors('erase', fingerprint, '--yes')).rejects.toThrow('not among the stored errors');
  expect(await clientErrors('list')).toMatchObject({ errors: [{ message: 'often' }] });
  expect(await clientErrors('erase', '--all', '--yes')).toEqual({ erased: 1 });
  expect(await clientErrors('list')).toEqual({ errors: [], other: 0 });
  expect(readFileSync(join(DATA_DIR, 'vault.sqlite'), 'latin1')).not.toContain('"often"');

  const audited: CommandAudited[] = [];
  await withEngines(config(), async ({ engines }) => {
    for await (const page of engines.store.readAll({ categories: [AUDIT_CATEGORY] }))
      audited.push(...page.map(({ data }) => data as unknown as CommandAudited));
  });
  expect(audited.map(({ action, about }) => [action, about])).toEqual(
    ['1', '0', '1'].map(errors => ['client-errors erase', { errors }]),
  );
});

test.each([
  [['list', '--limit', '0'], 'limit: '],
  [['erase', '--yes'], 'name the errors, or use --all'],
  [['erase', '--all', 'x'.repeat(24), '--yes'], 'name the errors, or use --all'],
  [['erase', 'x'.repeat(24)], 'cannot be undone'],
  [['erase', '--all'], 'cannot be undone'],
  [['erase', 'rare', '--yes'], 'an error, as `tidemark client-errors list` names it'],
])('refuses %j', async (words, why) => {
  await expect(clientErrors(...words)).rejects.toThrow(why);
});
