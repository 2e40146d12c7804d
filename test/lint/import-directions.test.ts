import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import config from '../../.dependency-cruiser.js';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';

const ROOT = join(__dirname, '..', '..');

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

/** The rules that each file breaks, as `npm run lint` finds them. */
function violations(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const folder = temporaryFolder();
  for (const [file, text] of [...files, ['tsconfig.json', '{}'] as const]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const cruise = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const options = ['--config', join(ROOT, '.dependency-cruiser.js'), '--output-type', 'json', '.'];
  const { stdout, stderr } = spawnSync(process.execPath, [cruise, ...options], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (!stdout) throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  const found = new Map<string, string[]>();
  for (const { from, rule } of summary.violations) found.set(from, [...(found.get(from) ?? []), rule.name]);
  return found;
}

const FORBIDDEN: readonly (readonly [file: string, imported: string, rule: string])[] = [
  ['contracts/money/money.ts', 'services/commands/handle', 'contracts-imports-only-itself'],
  ['contracts/http/billing/billing.ts', 'infra/program/config', 'contracts-imports-only-itself'],
  ['projections/billing/fees.ts', 'services/commands/handle', 'projections-imports-only-contracts'],
  ['projections/engine/engine.ts', 'infra/engines/engines', 'projections-imports-only-contracts'],
  ['projections/ton/messages.ts', 'projections/solana/tokens', 'projections-groups-are-independent'],
  ['indexers/ton/tail.ts', 'projections/views', 'indexers-imports-only-contracts'],
  ['indexers/ton/source.ts', 'infra/engines/engines', 'indexers-imports-only-contracts'],
  ['indexers/ton/publisher.ts', 'indexers/solana/tail', 'indexers-groups-are-independent'],
  ['services/billing/commands.ts', 'indexers/lease', 'services-imports-only-contracts-projections'],
  ['services/billing/routes.ts', 'infra/engines/engines', 'services-imports-only-contracts-projections'],
  ['services/reactions/event.ts', 'test/until', 'services-imports-only-contracts-projections'],
  ['services/billing/fees.ts', 'services/solana/routes', 'services-groups-are-independent'],
  ['infra/config/data-dir.ts', 'infra/engines/engines', 'infra-config-imports-only-itself'],
  ['infra/engines/open.ts', 'infra/program/main', 'infra-engines-imports-only-config'],
  ['infra/devnet/page.ts', 'infra/program/networks', 'infra-devnet-imports-only-config-engines'],
  ['infra/verifier/main.ts', 'infra/program/read', 'infra-verifier-imports-only-config-engines'],
  ['infra/console/pages.ts', 'infra/program/read', 'infra-console-imports-only-itself'],
  ['infra/console/browser/fees.tsx', 'services/billing/fee/decider', 'console-knows-the-http-api-alone'],
  ['infra/console/browser/money.ts', 'contracts/money/total', 'console-knows-the-http-api-alone'],
  [
    'infra/program/roles.ts',
    'infra/cli/start',
    'infra-program-imports-only-config-engines-devnet-verifier-console',
  ],
  ['infra/program/sources/networks.ts', 'infra/devnet/traffic', 'devnet-behind-its-entrance'],
  ['infra/program/main.ts', 'test/until', 'infra-imports-only-contracts-projections-services-indexers'],
  ['infra/program/deps.ts', 'infra/program/features/erasure', 'program-knows-no-group'],
  ['infra/program/roles/jobs.ts', 'services/watch/expire', 'program-knows-no-group'],
  ['infra/program/loss/loss.ts', 'projections/push/devices', 'program-knows-no-group'],
  ['infra/program/sources/web.ts', 'indexers/apps/page', 'program-knows-no-group'],
  ['test/billing/fees.test.ts', 'test/e2e/tidemark', 'programs-apart'],
  ['infra/cli/start.test.ts', 'test/e2e/tidemark', 'programs-apart'],
];

const ALLOWED: readonly (readonly [file: string, imported: string])[] = [
  ['projections/billing/invoices.ts', 'contracts/ports/documents'],
  ['services/billing/report/reports.ts', 'projections/billing/revenue'],
  ['services/solana/account.ts', 'services/http/binding'],
  ['services/billing/fee/fee.test.ts', 'test/until'],
  ['indexers/ton/records.ts', 'contracts/ports/log'],
  ['infra/program/start.ts', 'indexers/lease'],
  ['infra/program/health/health.ts', 'infra/devnet/devnet'],
  ['infra/program/features.ts', 'infra/program/features/apps'],
  ['infra/program/features/apps.ts', 'services/apps/routes'],
  ['infra/program/policies.ts', 'services/audit/trail'],
  ['infra/program/sources/sources.ts', 'indexers/ton/tail-source'],
  ['infra/program/features.test.ts', 'infra/program/features/push'],
  ['infra/cli/run.ts', 'infra/program/main'],
  ['infra/program/roles/api.ts', 'infra/console/pages'],
  ['infra/console/browser/card.tsx', 'contracts/http/card/cards'],
  ['infra/console/stylesheet.ts', 'services/http/send'],
  ['test/smoke.test.ts', 'test/e2e/tidemark'],
  ['test/e2e/program.test.ts', 'test/e2e/tidemark'],
  ['test/bridge/program.ts', 'test/e2e/tidemark'],
];

describe('import directions', () => {
  let found: Map<string, string[]>;
  beforeAll(() => {
    const files = new Map([
      ['contracts/circle-a.ts', "import type { B } from './circle-b';\nexport type A = B | 1;\n"],
      [
        'contracts/circle-b.ts',
        "import type { A } from './circle-a';\nexport type B = { readonly a?: A };\n",
      ],
    ]);
    files.set('contracts/http/values.ts', 'export const VALUE = 1;\n');
    files.set(
      'infra/console/browser/values.ts',
      "import { VALUE } from '../../../contracts/http/values';\nexport const used = VALUE;\n",
    );
    for (const [file, imported] of [...FORBIDDEN, ...ALLOWED]) {
      const root = '../'.repeat(file.split('/').length - 1);
      files.set(file, `import type { X } from '${root}${imported}';\nexport type Y = X;\n`);
      files.set(`${imported}.ts`, files.get(`${imported}.ts`) ?? 'export type X = 1;\n');
    }
    found = violations(files);
  });

  it.each(FORBIDDEN)('%s may not import %s', (file, _imported, rule) => {
    expect(found.get(file)).toEqual([rule]);
  });

  it.each(ALLOWED)('%s may import %s', file => {
    expect(found.get(file)).toBeUndefined();
  });

  it('the console imports nothing of the API that is there at run time', () => {
    expect(found.get('infra/console/browser/values.ts')).toEqual(['console-imports-types-of-contracts']);
  });

  it('a circle of types counts as a circle', () => {
    expect(found.get('contracts/circle-a.ts')).toEqual(['no-circular']);
  });

  it('are those that CONTRIBUTING lists', () => {
    const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const listed = [...text.matchAll(/^- `([\w/]+)` imports (.*)\.$/gm)].map(([, from, to]) => {
      const imported = [...to!.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      return `${from!.replace('/', '-')}-imports-only-${imported.join('-') || 'itself'}`;
    });
    const { forbidden } = config as { forbidden: { name: string }[] };
    const rules = forbidden.map(({ name }) => name).filter(name => name.includes('-imports-only-'));
    expect(listed.sort()).toEqual(rules.sort());
  });
});
