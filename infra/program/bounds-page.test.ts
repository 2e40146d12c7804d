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

it.each(boundsOf(FEATURES).map(({ of, attack }) => [of, attack] as const))(
  'a test uses up %s as a stranger would',
  (_of, { file, test }) => {
    const title = test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const declared = new RegExp(`^\\s*(?:(?:it|test)|\\] as const\\)|\\]\\))\\(\\s*'${title}',`, 'm');
    expect(readFileSync(join(ROOT, file), 'utf8')).toMatch(declared);
  },
);

it('a process whose bounds are all reached has the memory that the manifests give it', () => {
  expect(memoryOf(memoryShares(FEATURES))).toBeLessThanOrEqual(MEMORY_LIMIT_BYTES);
  const roles = readFileSync(join(ROOT, 'infra', 'deploy', 'kubernetes', 'roles.yaml'), 'utf8');
  const limit = `limits: { memory: ${MEMORY_LIMIT_BYTES / MEBIBYTE / 1_024}Gi }`;
  for (const role of ['api', 'bridge']) {
    const manifest = roles.split(/^---$/m).find(each => each.includes(`name: tidemark-${role}, labels`));
    expect(manifest).toContain(limit);
  }
});
