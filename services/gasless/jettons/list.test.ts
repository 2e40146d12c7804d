import { gaslessJettonStream } from '../../../contracts/events/gasless-jetton';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { createHandle } from '../../commands/handle';
import { gaslessJettonKind, type JettonChange } from './decider';
import { jettonReader, payableJettons } from './list';

const place = { realm: 'live', network: 'testnet' } as const;
const code = { master: 'a', wallet: 'b' };
const [ONE, OTHER] = ['0:1', '0:2'] as const;
const list: JettonChange = { type: 'list', decimals: 6, perTon: null, code };

let store: InMemoryEventStore;
beforeEach(() => {
  store = new InMemoryEventStore();
});

/** By another process than the one that reads. */
async function say(master: string, change: JettonChange): Promise<void> {
  const metadata = { now: '2026-12-01T12:00:00.000Z', actor: 'cli:ann' };
  const command = { ...change, master, place, metadata };
  await createHandle({ store })(gaslessJettonKind, gaslessJettonStream(place), command);
}

it('knows at once what another process has said, and reads nothing twice', async () => {
  const read = jest.spyOn(store, 'readStream');
  const jettons = jettonReader(store, place);
  const payable = async () => (await payableJettons({ jettons })).map(({ master }) => master);
  expect(await payable()).toEqual([]);
  await say(ONE, list);
  await say(OTHER, list);
  expect(await payable()).toEqual([ONE, OTHER]);
  await say(ONE, { type: 'pause' });
  expect(await payable()).toEqual([OTHER]);
  await say(OTHER, { type: 'delist' });
  await say(ONE, { type: 'resume' });
  read.mockClear();
  expect(await payable()).toEqual([ONE]);
  expect(read.mock.calls).toEqual([[gaslessJettonStream(place), { from: 3 }]]);
});

it('a local network has another list', async () => {
  await say(ONE, list);
  expect(await jettonReader(store, { ...place, realm: 'local' })()).toEqual([]);
});
