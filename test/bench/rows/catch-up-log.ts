import { join } from 'node:path';
import { againstRebuild } from '../against-rebuild';
import { run } from '../child';
import type { Row } from '../row';

/** How soon the histories have what was published while no program ran: the runner of TON transactions. */
export const row: Row = async ({ sized, folder, say }) => {
  const messages = sized({ full: 40_000, quick: 10_000, smallest: 600 });
  const source = join(folder, 'published');
  say(`publishing ${messages} transactions`);
  const prepared = run('programs/prepare-log', [String(messages)], {
    env: { ...process.env, DATA_DIR: source },
  });
  await prepared.next();
  await prepared.ended();
  say('catching up and rebuilding');
  return againstRebuild(
    { folder, sized },
    {
      what: `histories of ${messages.toLocaleString('en')} transactions`,
      unit: 'messages',
      inputs: messages,
      source,
      catchUp: { name: 'catch-up-log', args: ['live'] },
      rebuild: { name: 'catch-up-log', args: ['rebuild'] },
    },
  );
};
