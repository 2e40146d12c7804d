import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundsOf, boundsPage } from './bounds-page';
import { FEATURES } from './features';

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
