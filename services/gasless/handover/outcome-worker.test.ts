import { beginCell } from '@ton/core';
import type { TonTrace } from '../../../contracts/chain/ton-trace';
import { gaslessHandoverEvents, gaslessHandoverStream } from '../../../contracts/events/gasless-handover';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import type { Handle } from '../../commands/handle';
import { handoverReaction, workGaslessHandovers, type HandoverWorkerDeps } from './outcome-worker';

const body = beginCell().storeUint(1, 8).endCell();
const at = '2026-11-23T12:00:00.000Z';
const VALID_UNTIL = 1_000;
const request = {
  network: 'testnet' as const,
  wallet: `0:${'1'.repeat(64)}`,
  seqno: 0,
  at,
  bodyHash: body.hash().toString('hex'),
};
const handedOver: RecordedEvent = {
  ...gaslessHandoverEvents.write(
    { type: 'GaslessHandedOver', data: { ...request, hashes: [], validUntil: VALID_UNTIL } },
    'id',
    {},
  ),
  stream: gaslessHandoverStream(request),
  revision: 0,
  position: 0,
  created: at,
};

interface Chain {
  /** Unix seconds of the newest block. */
  readonly now: number;
  /** Message to the wallet, and what the wallet sent. */
  readonly received?: { readonly body: string; readonly returned: boolean };
  readonly trace?: TonTrace;
}

const transfer = (arrives: boolean): TonTrace['messages'] => {
  const done = { lt: '5', hash: 'h', time: 1, success: true, exitCode: 0, fees: '1', deployed: false };
  const message = { hash: 'm', src: 'a', dest: 'b', createdLt: '1', value: '1', fwdFee: '1', bounced: false };
  const sent = { ...message, parent: null, op: 1, jetton: { type: 'transfer' }, transaction: done };
  const arrival = { ...message, op: 1, jetton: { type: 'internal_transfer' } };
  const transaction = { ...done, success: arrives };
  return [
    ...[sent, sent],
    ...[0, 1].map(parent => ({ ...arrival, parent, transaction })),
  ] as unknown as TonTrace['messages'];
};

/** What one look at a chain records, and the jobs that it adds. */
async function look({ now, received, trace }: Chain) {
  const recorded: unknown[] = [];
  const added: NewJob[] = [];
  const [job] = await handoverReaction.jobs(handedOver);
  const info = { type: 'internal', bounced: false };
  const outMessages = received?.returned ? [{ info: { type: 'internal', bounced: true } }] : [];
  const transaction = { inMessage: { info, body: received?.body }, outMessages };
  const deps: HandoverWorkerDeps = {
    store: {
      async *readStream() {
        yield handedOver;
      },
    },
    handle: ((_kind: unknown, _stream: string, { outcome }: { outcome: string }) =>
      Promise.resolve({
        refusal: null,
        events: [recorded.push(outcome)],
        state: null,
      })) as unknown as Handle,
    clock: () => new Date(at),
    jobs: {
      add: (...jobs: NewJob[]) => Promise.resolve(void added.push(...jobs)),
      work: (_options: unknown, run: (job: object) => Promise<void>) => run({ data: job!.data }),
    } as unknown as Pick<Jobs, 'add' | 'work'>,
    client: () => ({
      getLastBlock: () => Promise.resolve({ seqno: 9, now } as never),
      getBlockAt: () => Promise.resolve(8),
      getAccount: () => Promise.resolve({ code: null, data: null, balance: 0n } as never),
    }),
    transactions: {
      page: () =>
        Promise.resolve({
          transactions: received ? [{ lt: '5', hash: 'h', decoded: () => transaction }] : [],
        } as never),
    },
    traces: { places: () => Promise.resolve([{ trace: trace ?? null, memberOf: null }]) },
  };
  await workGaslessHandovers(deps, new AbortController().signal);
  return { recorded, runs: added.map(({ data }) => (data as { run: number }).run) };
}

const received = { body: body.toBoc().toString('base64'), returned: false };
const complete = (arrives: boolean): TonTrace => ({ state: 'complete', messages: transfer(arrives) });

it.each<[string, Chain, string]>([
  ['both transfers have arrived', { now: 1, received, trace: complete(true) }, 'confirmed'],
  ['a transfer has not arrived', { now: 1, received, trace: complete(false) }, 'skipped'],
  ['a block after the expiry has no trace of it', { now: VALID_UNTIL + 61 }, 'expired'],
])('ends when %s', async (_, chain, outcome) =>
  expect(await look(chain)).toEqual({ recorded: [outcome], runs: [] }),
);

it.each<[string, Chain]>([
  ['before anything has happened', { now: VALID_UNTIL }],
  ['while a later block may still have it', { now: VALID_UNTIL + 60 }],
  ['before it is known what it caused', { now: 1, received }],
  [
    'when its wallet has sent it back, since it may be sent once more',
    { now: 1, received: { ...received, returned: true } },
  ],
  [
    'after another request of the wallet',
    {
      now: 1,
      received: { ...received, body: beginCell().endCell().toBoc().toString('base64') },
      trace: complete(true),
    },
  ],
])('is looked for again %s', async (_, chain) =>
  expect(await look(chain)).toEqual({ recorded: [], runs: [2] }),
);
