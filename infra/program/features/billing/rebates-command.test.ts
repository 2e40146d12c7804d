import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { openInstance } from '../../../../test/billing/instance';
import { commandLine } from '../../../../test/command-line';
import { claimDataDir } from '../../../engines/data-dir-claim';
import { rebatesCommand } from './rebates-command';
import { settlementsCommand } from './settlements-command';

const { DATA_DIR, run } = commandLine(rebatesCommand, settlementsCommand);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const file = (content: string): string => {
  const path = join(DATA_DIR, 'rule.json');
  writeFileSync(path, content);
  return path;
};

test('a rule is set from tiers or a file, each change a version, and shown', async () => {
  expect(await run('rebates', 'rule', 'show')).toBe('no rebate rule\n');
  expect(await run('rebates', 'rule', 'set', '--tier', '0:0.01', '1000:0.05')).toBe(
    'version 1 is in force\n',
  );
  const same = file('{"tiers": [{"from": "0", "rate": "0.010"}, {"from": "1000", "rate": "0.05"}]}');
  expect(await run('rebates', 'rule', 'set', same)).toBe('version 1 is the same\n');
  await run('rebates', 'rule', 'set', file('{"tiers": [{"from": "500", "rate": "0.1"}]}'));
  expect(JSON.parse(await run('--json', 'rebates', 'rule', 'show'))).toMatchObject({
    version: 2,
    tiers: [{ from: '500.00', rate: '0.10' }],
    setBy: `cli:${userInfo().username}`,
  });
  expect(await run('rebates', 'rule', 'show')).toMatch(/^version 2, set .*\nFROM +RATE\n500\.00 +0\.10\n$/);
});

test.each([
  [['--tier', '10:0.1', '5:0.2'], '--tier 5:0.2: from: must be more than in the previous tier'],
  [['--tier', '10:1.5'], '--tier 10:1.5: rate: must be a decimal from 0 to 1'],
  [['--tier', '10'], '--tier 10: must be <from>:<rate>, such as 1000:0.05'],
  [['--tier', '10:0.1:7'], '--tier 10:0.1:7: must be <from>:<rate>'],
  [[join(DATA_DIR, 'none.json')], 'none.json: there is no such file'],
  [[DATA_DIR], `${DATA_DIR}: it is a folder`],
])('a rule of %j is refused', async (words, message) => {
  await expect(run('rebates', 'rule', 'set', ...words)).rejects.toThrow(message);
});

test.each([
  ['{', 'rule.json: '],
  ['{"tiers": []}', 'tiers'],
  ['{"tiers": [{"from": 5, "rate": "0.1"}]}', 'tiers: 0: from'],
  ['[]', 'rule.json: '],
])('a rule file with %s is refused', async (content, message) => {
  await expect(run('rebates', 'rule', 'set', file(content))).rejects.toThrow(message);
});

async function settled(): Promise<string> {
  const instance = await openInstance({ folder: DATA_DIR });
  await instance.record([{ id: 'f-1' }]);
  const { body } = await instance.act({
    action: 'generate_settlement',
    billingPeriod: '2026-11',
    merchantId: 'm-1',
  });
  await instance.projected();
  await instance.close();
  return body.settlements[0].settlementId as string;
}

test('a settlement is shown with what its net amount is computed from, and voided, for a reason and once', async () => {
  const id = await settled();
  expect(JSON.parse(await run('--json', 'settlements', 'show', id))).toMatchObject({
    settlement: { settlementId: id, merchantId: 'm-1', netAmount: '98.50' },
  });
  const shown = [
    /^SETTLEMENT +PERIOD +MERCHANT .*\n\S+ +2026-11 +m-1 +pending +98\.50 USD\n/,
    /\nGROSS +FEE +REBATE +CARRIED IN +NET\n100\.00 +1\.50 +0\.00 +0\.00 +98\.50\n/,
    /\nFEES OF +FEES +GROSS +FEE\n2026-11 +1 +100\.00 +1\.50\n/,
    /\nAT +EVENT +BY +NOTE\n\S+ +generated +admin@test\n$/,
  ];
  const text = await run('settlements', 'show', id);
  for (const part of shown) expect(text).toMatch(part);
  await expect(run('settlements', 'show', UNKNOWN)).rejects.toThrow('settlement_not_found');
  await expect(run('settlements', 'show', 'x')).rejects.toThrow(/^id: /);
  await expect(run('settlements', 'void', 'x', '--reason', 'why')).rejects.toThrow('id: ');
  // As beside a program that runs, which folds for the command: nothing has folded afterwards that it is void.
  const release = claimDataDir(DATA_DIR);
  expect(JSON.parse(await run('--json', 'settlements', 'void', id, '--reason', 'wrong account'))).toEqual({
    settlementId: id,
    billingPeriod: '2026-11',
    merchantId: 'm-1',
    status: 'void',
  });
  await expect(run('settlements', 'void', id, '--reason', 'again')).rejects.toThrow(
    /^the projection settlements is behind .* `tidemark status`/,
  );
  release();
  await expect(run('settlements', 'void', id, '--reason', 'again')).rejects.toThrow('is already void');
  expect(await run('settlements', 'show', id)).toMatch(/\n\S+ +voided +cli:\S+ +wrong account\n$/);
});
