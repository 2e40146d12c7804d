import { join } from 'node:path';
import { againstRebuild } from '../against-rebuild';
import { run } from '../child';
import type { Row } from '../row';

/**
 * How soon the revenue report has all fees of an import: the live projections, all of them in one process, whose documents are
 * as before the import.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const fees = sized({ full: 200_000, quick: 50_000, smallest: 1_500 });
  const source = join(folder, 'imported');
  say(`importing ${fees} fees`);
  const prepared = run('programs/prepare-import', [String(fees)], {
    env: { ...process.env, DATA_DIR: source },
  });
  const total = await prepared.next<number>();
  await prepared.ended();
  say('catching up and rebuilding');
  return againstRebuild(
    { folder, sized },
    {
      what: `report of ${fees.toLocaleString('en')} imported fees`,
      unit: 'events',
      inputs: total,
      source,
      catchUp: { name: 'catch-up', args: [String(total)] },
      rebuild: { name: 'rebuild', args: [] },
    },
  );
};
