import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fee } from '../../../../test/billing/instance';
import { commandLine } from '../../../../test/command-line';
import { claimDataDir } from '../../../engines/data-dir-claim';
import { feesCommand } from '../billing/fees-command';
import { proofCommand } from './proof-command';

const { DATA_DIR, run } = commandLine(feesCommand, proofCommand);

beforeAll(async () => {
  const file = join(DATA_DIR, 'fees.ndjson');
  writeFileSync(file, `${JSON.stringify(fee({ id: 'a' }))}\n`);
  await run('fees', 'import', file);
});

test('a merchant whose fees a running program has not folded yet is not said to have none', async () => {
  const release = claimDataDir(DATA_DIR);
  for (const merchant of ['m-1', 'espresso'])
    await expect(run('proof', 'merchant', merchant)).rejects.toThrow(/fees is behind.*tidemark status/);
  release();
});

test('a merchant without fees is refused before the ledger tree is waited for', async () => {
  await expect(run('proof', 'merchant', 'nobody')).rejects.toThrow(
    /^the ledger has no fee of merchant nobody$/,
  );
});

test('a tree that lacks what is recorded is said to need a running program', async () => {
  await expect(run('proof', 'merchant', 'espresso')).rejects.toThrow(
    /^the ledger tree does not include position \d+ yet: a program that runs builds it, and `tidemark status` shows how far it is$/,
  );
});
