import { randomUUID } from 'node:crypto';
import { encodeTonMessage, type TonRetractedMessage } from '../../../contracts/chain/ton';
import { gaslessRelayEvents, gaslessRelayStream } from '../../../contracts/events/gasless-relay';
import type { LogMessage } from '../../../contracts/ports/log';
import type { Job, Jobs, NewJob } from '../../../contracts/ports/jobs';
import type { HandoversOf } from '../../../projections/gasless/sends';
import { messages } from '../../../test/contracts/builders';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { handoverForks, workHandoverForks } from './handover-forks';
import { relayForks, workRelayForks } from './relay-forks';
import type { TakenBackDeps } from './taken-back';

const [RELAY, WALLET] = [`0:${'2'.repeat(64)}`, `0:${'1'.repeat(64)}`];
const PART = { lt: '8', hash: 'part' };
const ROOT = { lt: '5', hash: 'root' };
const MESSAGE = 'd'.repeat(64);
const BASE64 = Buffer.from(MESSAGE, 'hex').toString('base64');

function takenBack(changed: Partial<TonRetractedMessage>): LogMessage {
  const value = encodeTonMessage({
    type: 'retracted',
    version: 1,
    network: 'testnet',
    account: RELAY,
    external: [],
    ...PART,
    ...changed,
  });
  return messages('ton.transactions', [{ key: 'any', value }])[0]!;
}

const TRACE = { messages: [{ transaction: null }, { transaction: PART }] };

/** What a queue adds, and hands out. */
function queue(given: readonly NewJob[]) {
  const added: NewJob[] = [];
  const jobs: Pick<Jobs, 'add' | 'work'> = {
    add: async job => added.push(job as NewJob) > 0,
    async work(_, run) {
      for (const job of given) await run({ ...job, attempt: 1 } as unknown as Job);
    },
  };
  return { jobs, added };
}

/** @param isInTrace whether traces still have what was taken back */
const chain = (isFolded: boolean, isInTrace = false): Omit<TakenBackDeps, 'jobs'> => ({
  transactions: {
    withLts: async (_network, account, lts) =>
      account === RELAY && lts.includes(ROOT.lt) ? [{ ...ROOT, external: { hash: BASE64 } } as never] : [],
  },
  traces: {
    has: async () => !isFolded,
    places: async () => (isInTrace ? [{ trace: TRACE as never, memberOf: null }] : []),
  },
  transactionByHash: async () => null,
});
const { signal } = new AbortController();

async function relayStore(): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  const about = { network: 'testnet', relay: RELAY, validUntil: 9, at: '2026-11-28T12:00:00.000Z' } as const;
  const written = [MESSAGE, 'e'.repeat(64)].map((messageHash, n) => {
    const requests = [{ wallet: WALLET, seqno: n, bodyHash: 'b' }];
    const data = { ...about, count: n + 1, seqno: n, messageHash, requests };
    return gaslessRelayEvents.write({ type: 'GaslessRelayMessageIncluded', data }, randomUUID(), {});
  });
  await store.append(gaslessRelayStream('testnet', RELAY), 'no_stream', written);
  return store;
}

/** The jobs that follow from a message of the log about the relay wallet. */
async function ofRelay(message: LogMessage, isFolded = true, isInTrace = false): Promise<readonly NewJob[]> {
  const store = await relayStore();
  const { jobs, added } = queue(await relayForks(store).jobs(message));
  await workRelayForks({ store, jobs, ...chain(isFolded, isInTrace) }, signal);
  return added;
}

const again = (messageHash: string) => ({
  queue: 'gasless-outcomes',
  data: { messageHash, occasion: 'ton.transactions/0/0', run: 1 },
});

it('what a message of the relay wallet has caused is read again when its transaction, or a part of its trace, was taken back', async () => {
  expect(await ofRelay(takenBack({ traces: [ROOT] }))).toMatchObject([again(MESSAGE)]);
  expect(await ofRelay(takenBack({ external: [BASE64] }))).toMatchObject([again(MESSAGE)]);
  expect(await ofRelay(takenBack({}))).toEqual([]);
  expect(await ofRelay(takenBack({ account: WALLET, external: [BASE64] }))).toEqual([]);
});

it.each([
  ['the relay wallet', false, false],
  ['another account', true, true],
])('nothing is read while the documents may lack that it was taken back of %s', async (_, ...documents) =>
  expect(await ofRelay(takenBack({ traces: [ROOT] }), ...documents)).toMatchObject([
    { queue: 'gasless-relay-forks', data: { run: 2, traces: [ROOT] }, delayMs: 1_000 },
  ]),
);

/** One that has ended by the root. */
const handoversOf: HandoversOf = async (_network, wallet, hashes) =>
  wallet === WALLET && hashes.includes(ROOT.hash) ? [{ seqno: 3, bodyHash: 'b' }] : [];

async function ofWallet(message: LogMessage, isFolded = true): Promise<readonly NewJob[]> {
  const { jobs, added } = queue(await handoverForks({ handoversOf }).jobs(message));
  await workHandoverForks({ handoversOf, jobs, ...chain(isFolded) }, signal);
  return added;
}

it('what a request that was handed over has caused is read again likewise', async () => {
  const expected = [
    {
      queue: 'gasless-handovers',
      data: { wallet: WALLET, seqno: 3, bodyHash: 'b', occasion: 'ton.transactions/0/0', run: 1 },
    },
  ];
  const account = WALLET;
  expect(await ofWallet(takenBack({ account, ...ROOT }))).toMatchObject(expected);
  expect(await ofWallet(takenBack({ account, traces: [ROOT] }))).toMatchObject(expected);
  expect(await ofWallet(takenBack({ account }))).toEqual([]);
  expect(await ofWallet(takenBack({ ...ROOT }))).toEqual([]);
  expect(await ofWallet(takenBack({ account, ...ROOT }), false)).toMatchObject([
    { queue: 'gasless-handover-forks', data: { run: 2 } },
  ]);
});
