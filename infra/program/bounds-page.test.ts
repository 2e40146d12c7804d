import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundsPage } from './bounds-page';
import { FEATURES } from './features';

const PAGE = join(__dirname, '..', '..', 'docs', 'bounds.md');

it('docs/bounds.md has every quota and bound of the program: `npm run record-bounds` writes it', () => {
  const page = boundsPage(FEATURES);
  if (process.env.RECORD_BOUNDS === 'true') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});
