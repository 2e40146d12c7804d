import { setTimeout as sleep } from 'node:timers/promises';
import { bridgeAndRelay, type BridgeSide } from '../bridge';
import { figure, once } from '../figure';
import type { Row } from '../row';

const MIB = 2 ** 20;
const TTL = 5;
/** Until what has expired is deleted, and the heap has been collected. */
const REST_MS = 25_000;

/** MiB of the server, when messages to so many client ids have expired. */
async function memoryAfter(side: BridgeSide, ids: number): Promise<number> {
  await side.ask('leave', { ids, ttl: TTL, reconnect: false });
  await sleep(REST_MS);
  return (await side.memory()) / MIB;
}

/** What is left of client ids that were used once. The relay keeps their messages. */
export const row: Row = async ({ quick, folder, say }) => {
  const [few, many] = quick ? [5_000, 20_000] : [50_000, 1_000_000];
  const { ours, relay } = await bridgeAndRelay(folder);
  say(`messages to ${few} client ids`);
  const before = await memoryAfter(ours, few);
  say(`messages to ${many} client ids`);
  const after = await memoryAfter(ours, many);
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
