import { randomUUID } from 'node:crypto';
import { beginCell, type Cell } from '@ton/core';
import {
  gaslessSendEvents,
  gaslessSendStream,
  type GaslessSendEvent,
} from '../../../contracts/events/gasless-send';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { GASLESS_SEND_SAMPLES } from '../../../test/events/samples/gasless';
import type { Relayer } from '../deps';
import { hasArrived, isSettled } from './settled';

const NOW = 1_795_000_000;
const [EARLIER, NEWEST] = [7, 9];
const about = { network: 'testnet', wallet: `0:${'1'.repeat(64)}`, seqno: 0 } as const;
const dataOf = (seqno: number): Cell => beginCell().storeUint(seqno, 32).endCell();

let store: InMemoryEventStore;
beforeEach(() => {
  store = new InMemoryEventStore();
});

/** As the sample has them, of the wallet's first request. */
async function record(...types: readonly GaslessSendEvent['type'][]): Promise<void> {
  const events = types.map(type => {
    const data = { ...(GASLESS_SEND_SAMPLES[type]![0]!.data as object), ...about };
    return gaslessSendEvents.write({ type, data } as GaslessSendEvent, randomUUID(), {});
  });
  await store.append(gaslessSendStream(about), 'any', events);
}

const NOW_DATA = dataOf(1);

function settled({
  before,
  maxDeliverySeconds = 20,
  earlier = EARLIER,
}: {
  /** The data of the wallet then. */
  readonly before: Cell | null;
  readonly maxDeliverySeconds?: number;
  readonly earlier?: number | null;
}): Promise<boolean> {
  const client = {
    getLastBlock: async () => ({ seqno: NEWEST, now: NOW }),
    getBlockAt: async (utime: number) => (utime === NOW - 20 ? earlier : NEWEST),
    getAccount: async (block: number) => ({ data: block === NEWEST ? NOW_DATA : before }),
  } as unknown as Relayer['client'];
  return isSettled({ client, maxDeliverySeconds }, about.wallet);
}

it('is what was the same before messages were sent that may be on their way', async () => {
  expect(await settled({ before: dataOf(1) })).toBe(true);
  expect(await settled({ before: dataOf(0) })).toBe(false);
});

it('is not what did not exist then, on a network that may not have either', async () => {
  expect(await settled({ before: null })).toBe(false);
  expect(await settled({ before: null, earlier: null })).toBe(false);
});

it('is every wallet where messages arrive in the block of what has sent them', async () => {
  expect(await settled({ before: dataOf(0), maxDeliverySeconds: 0 })).toBe(true);
});

const arrived = (seqno = 1) => hasArrived({ store }, { ...about, seqno });

it('nothing is on its way of a wallet that has carried out nothing', async () =>
  expect(await arrived(0)).toBe(true));

it('nothing is on its way of a request that is confirmed', async () => {
  await record('GaslessSendAccepted', 'GaslessSendRelayed');
  expect(await arrived()).toBe(false);
  await record('GaslessSendConfirmed');
  expect(await arrived()).toBe(true);
});

it('of a request that was skipped a part may be on its way', async () => {
  await record('GaslessSendAccepted', 'GaslessSendRelayed', 'GaslessSendSkipped');
  expect(await arrived()).toBe(false);
});
