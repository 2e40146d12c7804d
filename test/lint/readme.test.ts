import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_ACCESS } from '../../contracts/http/billing-access';
import { COMMAND_GROUPS } from '../../infra/cli/commands';
import { ENDPOINTS } from '../endpoints';

/** What the README says works: the column of its table. And what it calls absent: the list below the table. */
function sections(): { works: string; absent: string } {
  const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
  const [, section] = readme.split('## What works today');
  const [table, absent] = section!.split('\n## ')[0]!.split('### Not built yet') as [string, string];
  const rows = table.split('\n').filter(line => line.startsWith('|'));
  return { works: rows.slice(2).join('\n'), absent };
}

const { works, absent } = sections();
/** Paths in code marks, without the network at the end: rows say that once. */
const paths = (text: string): string[] =>
  [...text.matchAll(/`(?:[A-Z]+ )?(\/[^`]*)`/g)].map(([, path]) => withoutNetwork(path!));
const withoutNetwork = (path: string): string => path.replace(/\/\{network\}$/, '');

/** What the program serves beside the endpoints of the contracts, and the suffix that a row shares. */
const OTHER_PATHS = ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs', '/devnet', ''];

it('the README lists every endpoint as working, and none that does not exist', () => {
  const served = new Set(ENDPOINTS.map(({ path }) => withoutNetwork(path)));
  // The keys are described in the section on proofs.
  served.delete('/.well-known/tidemark-ledger-keys.json');
  served.delete('/api/instance-admin');
  expect(new Set(paths(works).filter(path => !OTHER_PATHS.includes(path)))).toEqual(served);
});

it('what the README calls absent is not served', () => {
  expect(paths(absent)).not.toEqual([]);
  for (const path of paths(absent))
    expect([path, ENDPOINTS.filter(endpoint => endpoint.path.startsWith(path)).length]).toEqual([path, 0]);
});

it('the README lists every action of billing and every command', () => {
  for (const action of Object.keys(ADMIN_ACCESS)) expect(works).toContain(`\`${action}\``);
  const commands = COMMAND_GROUPS.flatMap(({ commands }) => commands);
  expect(commands.length).toBeGreaterThan(10);
  for (const { name } of commands) expect(works).toMatch(new RegExp(`\`(tidemark )?${name}\\b`));
});
