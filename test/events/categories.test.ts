import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';

const FOLDER = join(__dirname, '../../contracts/events');

/** Categories whose events are neither exported nor in the ledger tree. */
const NOT_LEDGER = [
  'addressWarning',
  'allowedDomain',
  'appConfig',
  'appReport',
  'appReview',
  'appVerification',
  'audit',
  'banner',
  'connectCommand',
  'connectSession',
  'erasure',
  'exchangeOrder',
  'exchangePartnerOrder',
  'idempotency',
  'ledgerCheckpoint',
  'pushDevice',
  'pushNotification',
  'serviceAddress',
  'storageEntry',
  'token',
  'unmatchedPayment',
  'walletRequest',
  'watch',
];

/** Every `…_CATEGORY` that a file in contracts/events exports. */
async function categories(): Promise<string[]> {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules = await Promise.all(
    files.map(name => import(join(FOLDER, name)) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap(each =>
    Object.entries(each).flatMap(([name, value]) => (name.endsWith('_CATEGORY') ? [value as string] : [])),
  );
}

it('every category is either part of the ledger or listed as not part of it', async () => {
  const known = [...LEDGER_CATEGORIES, ...NOT_LEDGER];
  expect(new Set(known).size).toBe(known.length);
  expect((await categories()).sort()).toEqual([...known].sort());
});
