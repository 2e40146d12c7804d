import { beginCell } from '@ton/core';
import fc from 'fast-check';
import type { TonTrace } from '../../../contracts/chain/ton-trace';
import { gaslessHandoverStream } from '../../../contracts/events/gasless-handover';
import type { Job, Jobs, NewJob } from '../../../contracts/ports/jobs';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { runs } from '../../../test/random';
import { createHandle } from '../../commands/handle';
import { load } from '../../commands/load';
import { gaslessHandoverKind } from './decider';
import { handoverJob, workGaslessHandovers } from './outcome-worker';

const VALID_UNTIL = 1_000;
const body = beginCell().storeUint(1, 8).endCell();
const request = {
  network: 'testnet' as const,
  wallet: `0:${'1'.repeat(64)}`,
  seqno: 0,
  bodyHash: body.hash().toString('hex'),
  hashes: [],
  validUntil: VALID_UNTIL,
};
const stream = gaslessHandoverStream(request);
const metadata = { now: '2026-11-28T12:00:00.000Z', actor: 'test' };

/** What a branch says of the request; the number tells transactions of different branches apart. */
const branch = fc.record({
  says: fc.constantFrom('confirmed', 'skipped', 'expired', null),
  number: fc.integer({ min: 0, max: 2 }),
});
type Branch = ReturnType<typeof branch.generate>['value'];

function traceOf({ says }: Branch): TonTrace | null {
  if (says === null) return null;
  const transaction = { lt: '5', hash: 'h', time: 1, success: true, exitCode: 0, fees: '1', deployed: false };
  const message = { hash: 'm', createdLt: '1', value: '1', fwdFee: '1', bounced: false, op: 1, transaction };
  const [transfer, arrival] = (['transfer', 'internal_transfer'] as const).map(
    type => ({ type, amount: '1', queryId: '0' }) as TonTrace['messages'][number]['jetton'],
  );
  const sent = { ...message, parent: null, src: 'wallet', dest: 'jettons', jetton: transfer! };
  const arrivals = [0, 1].map(parent => ({
    ...message,
    parent,
    src: 'jettons',
    dest: 'to',
    jetton: arrival!,
  }));
  return { state: 'complete', messages: says === 'confirmed' ? [sent, sent, ...arrivals] : [sent] };
}

/** What has been waited for goes on to its next step. */
const untilScheduled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/**
 * A chain that goes through branches. After each change somebody looks, all at the same time and as slowly as the scheduler has them.
 * @param waits steps that are taken between two changes
 */
async function endOf(branches: readonly Branch[], waits: readonly number[], scheduler: fc.Scheduler) {
  const store = new InMemoryEventStore();
  const handle = createHandle({ store });
  await handle(gaslessHandoverKind, stream, { type: 'handOver', request, metadata });
  await handle(gaslessHandoverKind, stream, {
    type: 'recordTaken',
    bodyHash: request.bodyHash,
    metadata,
  });

  let now: Branch = { says: null, number: 0 };
  const slowly = <Result>(value: () => Result | Promise<Result>): Promise<Result> =>
    scheduler.schedule(Promise.resolve()).then(value);

  async function look(occasion: string): Promise<void> {
    const { network, wallet, seqno, bodyHash } = request;
    const queue: NewJob[] = [
      handoverJob({ network, wallet, seqno, bodyHash, revision: 0, occasion, run: 1 }),
    ];
    const jobs: Pick<Jobs, 'add' | 'work'> = {
      add: async job => queue.push(job as NewJob) > 0,
      work: async (_, run) => run({ ...queue.shift()!, attempt: 1 } as unknown as Job),
    };
    const info = { type: 'internal', bounced: false };
    const transaction = { inMessage: { info, body: body.toBoc().toString('base64') }, outMessages: [] };
    const deps: Parameters<typeof workGaslessHandovers>[0] = {
      store,
      handle: (kind, of, asked) => slowly(() => handle(kind, of, asked)),
      clock: () => new Date(metadata.now),
      jobs,
      client: () => ({
        getLastBlock: () =>
          slowly(() => ({ seqno: 9, now: now.says === 'expired' ? VALID_UNTIL + 61 : 1 }) as never),
        getBlockAt: () => Promise.resolve(8),
        getAccount: () => Promise.resolve({ code: null, data: null, balance: 0n } as never),
      }),
      transactions: {
        page: () =>
          slowly(() => {
            const entry = { lt: '5', hash: `transaction ${now.number}`, decoded: () => transaction };
            return { transactions: now.says === 'expired' ? [] : [entry] } as never;
          }),
      },
      traces: { places: () => slowly(() => [{ trace: traceOf(now), memberOf: null }]) },
    };
    // While a branch says nothing there is no need to look again: the next change has somebody look.
    do await workGaslessHandovers(deps, new AbortController().signal);
    while (queue.length > 0 && now.says !== null);
  }

  const looks: Promise<void>[] = [];
  for (const [number, next] of branches.entries()) {
    now = next;
    looks.push(look(number === 0 ? '' : String(number)));
    for (let step = 0; step < (waits[number] ?? 0); step++) {
      await untilScheduled();
      if (scheduler.count() > 0) await scheduler.waitOne();
    }
  }
  await scheduler.waitFor(Promise.all(looks));
  const { step, transaction } = (await load(store, gaslessHandoverKind, stream))!;
  return { step, hash: transaction?.hash ?? null };
}

it('ends as the last branch says, whatever was seen of others, in which order, and by how many at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(branch, { maxLength: 5 }),
      branch.filter(({ says }) => says !== null),
      fc.array(fc.nat({ max: 12 }), { minLength: 5, maxLength: 5 }),
      async (scheduler, before, last, waits) => {
        expect(await endOf([...before, last], waits, scheduler)).toEqual({
          step: last.says,
          hash: last.says === 'expired' ? null : `transaction ${last.number}`,
        });
      },
    ),
    runs(200),
  );
});
