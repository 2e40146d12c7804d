import { setTimeout as sleep } from 'node:timers/promises';
import { bridgeAndRelay, type BridgeSide } from '../bridge';
import { figure, once } from '../figure';
import type { Row } from '../row';

const MIB = 2 ** 20;

/** MiB of the server, when messages to so many client ids have expired. */
async function memoryAfter(side: BridgeSide, ids: number, ttl: number, restMs: number): Promise<number> {
  await side.ask('leave', { ids, ttl, reconnect: false });
  await sleep(restMs);
  return (await side.memory()) / MIB;
}

/** What is left of client ids that were used once. The relay keeps their messages. */
export const row: Row = async ({ sized, folder, say }) => {
  const [few, many] = sized({ full: [50_000, 1_000_000], quick: [5_000, 20_000], smallest: [100, 200] });
  // The rest is until what has expired is deleted, and the heap has been collected.
  const [ttl, restMs] = sized({ full: [5, 25_000], quick: [5, 25_000], smallest: [1, 2_000] });
  const { ours, relay } = await bridgeAndRelay(folder);
  say(`messages to ${few} client ids`);
  const before = await memoryAfter(ours, few, ttl, restMs);
  say(`messages to ${many} client ids`);
  const after = await memoryAfter(ours, many, ttl, restMs);
  await Promise.all([ours.stop(), relay.stop()]);
  return [
    figure(
      {
        what: `bridge: memory after ${many.toLocaleString('en')} client ids, to that after ${few.toLocaleString('en')}`,
        unit: 'MiB',
      },
      once(after, before),
      { of: 'ratio', atMost: 1.1 },
    ),
  ];
};
