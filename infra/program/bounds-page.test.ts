import { MEBIBYTE } from '../config/bytes';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundsOf, boundsPage } from './bounds-page';
import { FEATURES } from './features';
import { MEMORY_LIMIT_BYTES, memoryOf, memoryShares } from './memory';

const ROOT = join(__dirname, '..', '..');
const PAGE = join(ROOT, 'docs', 'bounds.md');

it('docs/bounds.md has every quota and bound of the program: `npm run record-bounds` writes it', () => {
  const page = boundsPage(FEATURES);
  if (process.env.RECORD_BOUNDS === 'true') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

it('docs/bounds.md shows the default of each bound that is a setting, and parts of memory that add up to their sum', () => {
  const page = boundsPage(FEATURES);
  const [, resources] = page.split('## Everything else');
  expect(resources).toContain('`MAX_CONNECTIONS` (30,000)');
  expect(resources!.match(/`MAX_\w+`(?! \([\d,]+\))/g)).toBeNull();

  const [, memory] = page.split('## Memory');
  const parts = [...memory!.matchAll(/ \| ([\d,]+) \|$/gm)].map(([, shown]) =>
    Number(shown!.replaceAll(',', '')),
  );
  const sum = parts.pop();
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.reduce((all, part) => all + part)).toBe(sum);
});

const ofMinute = {
  file: 'test/e2e/quotas.test.ts',
  test: 'a stranger who has used up its %s keeps nobody else from being served',
};

it.each([
  ...FEATURES.quotas.map(({ of, attack = ofMinute }) => [of, attack] as const),
  ...boundsOf(FEATURES).map(({ of, attack }) => [of, attack] as const),
])('a test uses up %s as a stranger would', (_of, { file, test }) => {
  const title = test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const declared = new RegExp(`^\\s*(?:(?:it|test)|.*as const\\)\\)?|\\]\\))\\(\\s*'${title}',`, 'm');
  expect(readFileSync(join(ROOT, file), 'utf8')).toMatch(declared);
});

it('a process whose bounds are all reached has the memory that the README and the manifests give it', () => {
  const taken = memoryOf(memoryShares(FEATURES));
  expect(taken * MEBIBYTE).toBeLessThanOrEqual(MEMORY_LIMIT_BYTES);
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8').replaceAll('\n', ' ');
  expect(readme).toContain(`Plan ${MEMORY_LIMIT_BYTES / MEBIBYTE / 1_024} GiB for a process that is open`);
  expect(readme).toContain(`allow take ${Math.ceil((10 * taken) / 1_024) / 10} GiB.`);
  const roles = readFileSync(join(ROOT, 'infra', 'deploy', 'kubernetes', 'roles.yaml'), 'utf8');
  const limit = `limits: { memory: ${MEMORY_LIMIT_BYTES / MEBIBYTE / 1_024}Gi }`;
  for (const role of ['api', 'bridge']) {
    const manifest = roles.split(/^---$/m).find(each => each.includes(`name: tidemark-${role}, labels`));
    expect(manifest).toContain(limit);
  }
  const single = readFileSync(join(ROOT, 'infra', 'deploy', 'kubernetes', 'single.yaml'), 'utf8');
  expect(single).toContain(limit);
});
