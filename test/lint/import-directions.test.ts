import { Linter } from 'eslint';
import { join } from 'node:path';
import rules from '../../eslint.config.js';

/** The two packages spell the type of one value differently. */
const config = rules as Linter.Config[];

const root = join(__dirname, '..', '..');
const linter = new Linter({ configType: 'flat', cwd: root });

function complaints(file: string, imported: string): string[] {
  return linter
    .verify(`import { x } from '${imported}';\nexport const y = x;\n`, config, { filename: join(root, file) })
    .filter(({ ruleId }) => ruleId?.endsWith('no-restricted-imports'))
    .map(({ message }) => message);
}

describe('import directions', () => {
  it.each([
    ['contracts/money.ts', '../services/handle'],
    ['contracts/http/billing.ts', '../../infra/config'],
    ['services/billing/routes.ts', '../../infra/event-store/sqlite'],
    ['services/billing/routes.ts', '../solana/routes'],
    ['services/billing/routes.ts', '../../indexers/observe'],
    ['indexers/ton/tail.ts', '../solana/tail'],
    ['indexers/ton/tail.ts', '../../projections/views'],
    ['indexers/ton/tail.ts', '../../infra/log/sqlite'],
    ['projections/billing/fees.ts', '../../services/handle'],
    ['projections/engine/engine.ts', '../../infra/documents/sqlite'],
    ['infra/documents/sqlite.ts', 'libsql'],
    ['services/handle.ts', '../test/doubles/ledger'],
  ])('%s may not import %s', (file, imported) => {
    expect(complaints(file, imported)).toHaveLength(1);
  });

  it.each([
    ['services/billing/routes.ts', '../../infra/event-store/port'],
    ['services/billing/routes.ts', '../../projections/views'],
    ['services/billing/routes.ts', '../http/binding'],
    ['indexers/ton/tail.ts', '../../contracts/chain/ton'],
    ['projections/engine/engine.ts', '../../infra/log/port'],
    ['infra/main.ts', '../services/billing/routes'],
    ['infra/sqlite/database.ts', 'libsql'],
  ])('%s may import %s', (file, imported) => {
    expect(complaints(file, imported)).toEqual([]);
  });
});
