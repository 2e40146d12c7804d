import fc from 'fast-check';
import type { TonTrace } from '../../../contracts/chain/ton-trace';
import { gaslessBudgetStream } from '../../../contracts/events/gasless-budget';
import { GASLESS_SEND_CATEGORY, gaslessSendStream } from '../../../contracts/events/gasless-send';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { Job, Jobs } from '../../../contracts/ports/jobs';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { REQUEST } from '../../../test/gasless/relayed-request';
import { runs } from '../../../test/random';
import { gaslessBudgetKind } from '../budget/decider';
import { gaslessCommissions, gaslessEarnings } from '../earnings/jobs';
import { workGaslessCommissions } from '../earnings/worker';
import { createHandle } from '../../commands/handle';
import { load } from '../../commands/load';
import { gaslessSendKind } from '../send/decider';
import { recordOutcomes } from './record-outcomes';

const request = { ...REQUEST, network: 'mainnet' as const };
const { wallet, source, relay, seqno, bodyHash, network } = request;
const stream = gaslessSendStream(request);
const metadata = { now: '2026-11-28T12:00:00.000Z', actor: 'test' };

/** What a branch says of the request; the number tells transactions of different branches apart. */
const branch = fc.record({
  says: fc.constantFrom('confirmed', 'skipped', 'bounced', null),
  number: fc.integer({ min: 0, max: 2 }),
});
type Branch = ReturnType<typeof branch.generate>['value'];
const known = branch.filter(({ says }) => says !== null);

function traceOf({ says, number }: Branch): TonTrace | null {
  if (says === null) return null;
  const transaction = {
    lt: '5',
    hash: `transaction ${number}`,
    time: 1,
    success: true,
    exitCode: 0,
    fees: '1',
    deployed: false,
  };
  const message = {
    hash: 'm',
    createdLt: '1',
    value: '1',
    fwdFee: '1',
    bounced: false,
    op: 1,
    transaction,
  };
  const [transfer, arrival] = (['transfer', 'internal_transfer'] as const).map(
    type => ({ type, amount: '1', queryId: '0' }) as TonTrace['messages'][number]['jetton'],
  );
  const asked = { ...message, parent: null, src: relay, dest: wallet, jetton: null };
  const sent = { ...message, parent: 0, src: wallet, dest: 'jettons', jetton: transfer! };
  const caused = [
    ...[sent, sent],
    ...[1, 2].map(parent => ({ ...message, parent, src: 'jettons', dest: 'to', jetton: arrival! })),
  ];
  const back = { ...message, parent: 0, src: wallet, dest: relay, bounced: true, jetton: null };
  const messages = { confirmed: [asked, ...caused], skipped: [asked], bounced: [asked, back] }[says];
  return { state: 'complete', messages };
}

async function sendEvents(store: InMemoryEventStore): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for await (const events of store.readAll({ categories: [GASLESS_SEND_CATEGORY] })) found.push(...events);
  return found;
}

/** The jobs of the events, each once. */
async function earnCommissions(store: InMemoryEventStore): Promise<void> {
  const jobs: Pick<Jobs, 'work'> = {
    async work(_, handle) {
      for (const recorded of await sendEvents(store))
        for (const job of await gaslessCommissions.jobs(recorded))
          await handle({ ...job, attempt: 1 } as unknown as Job);
    },
  };
  const handle = createHandle({ store });
  const deps = { store, handle, jobs, tonPrice: async () => '3', clock: () => new Date(metadata.now) };
  await workGaslessCommissions(deps, new AbortController().signal);
}

/** What has been waited for goes on to its next step. */
const untilScheduled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/**
 * A chain that goes through branches. After each change somebody looks, and some look once more, all at the same time and as slowly
 * as the scheduler has them.
 * @param again the changes after which one more looks @param waits steps that are taken between two changes
 */
async function endOf(
  branches: readonly Branch[],
  again: readonly number[],
  waits: readonly number[],
  scheduler: fc.Scheduler,
) {
  const store = new InMemoryEventStore();
  const handle = createHandle({ store });
  const command = { bodyHash, metadata };
  await handle(gaslessSendKind, stream, { ...command, type: 'accept', request });
  await handle(gaslessSendKind, stream, {
    ...command,
    type: 'recordRelayed',
    relaySeqno: 1,
    messageHash: 'm',
  });

  let now: Branch = { says: null, number: 0 };
  const slowly = <Result>(value: () => Promise<Result>): Promise<Result> =>
    scheduler.schedule(Promise.resolve()).then(value);
  const look = async (occasion: string): Promise<void> => {
    const deps: Parameters<typeof recordOutcomes>[0] = {
      store,
      handle: (kind, of, asked) => slowly(() => handle(kind, of, asked)),
      clock: () => new Date(metadata.now),
      transactionByHash: () => slowly(async () => ({ account: relay, lt: '3', hash: 'h', time: 1 })),
      transactions: {
        page: async () => ({ transactions: [], isFull: false, hasMore: false }),
        withLts: async () => [{ outMessages: [{ info: { type: 'internal', dest: wallet } }] } as never],
      },
      traces: { places: () => slowly(async () => [{ trace: traceOf(now), memberOf: null }]) },
    };
    const asked = { network, relay, messageHash: 'm', requests: [{ wallet, seqno, bodyHash }], occasion };
    // As the worker does, which looks again for what is not known.
    while ((await recordOutcomes(deps, asked)) > 0) if (now.says === null) return;
  };

  const looks: Promise<void>[] = [];
  for (const [number, next] of branches.entries()) {
    now = next;
    for (let n = 0; n <= again.filter(of => of === number).length; n++)
      looks.push(look(number === 0 ? '' : String(number)));
    for (let step = 0; step < (waits[number] ?? 0); step++) {
      await untilScheduled();
      if (scheduler.count() > 0) await scheduler.waitOne();
    }
    await earnCommissions(store);
  }
  await scheduler.waitFor(Promise.all(looks));
  await earnCommissions(store);

  const { step, transaction, earned } = (await load(store, gaslessSendKind, stream))!;
  const subjects = [`wallet:${wallet}`, `source:${source}`];
  const budgets = await Promise.all(
    subjects.map(subject => load(store, gaslessBudgetKind, gaslessBudgetStream(network, subject))),
  );
  const fees = (await sendEvents(store)).flatMap(recorded => gaslessEarnings.earned(recorded) ?? []);
  const sum = fees.reduce((total, { status }) => total + (status === 'collected' ? 1 : -1), 0);
  const bounces = budgets.map(budget => budget?.bounces ?? 0);
  return { step, hash: transaction?.hash, earnedBy: earned?.transaction.hash, sum, bounces };
}

it('ends as the last branch says, whatever was seen of others, in which order, and by how many at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(branch, { maxLength: 5 }),
      known,
      fc.array(fc.nat({ max: 5 }), { maxLength: 4 }),
      fc.array(fc.nat({ max: 12 }), { minLength: 5, maxLength: 5 }),
      async (scheduler, before, last, again, waits) => {
        const isConfirmed = last.says === 'confirmed';
        const hash = `transaction ${last.number}`;
        expect(await endOf([...before, last], again, waits, scheduler)).toEqual({
          step: last.says,
          hash: last.says === 'bounced' ? undefined : hash,
          earnedBy: isConfirmed ? hash : undefined,
          sum: isConfirmed ? 1 : 0,
          bounces: isConfirmed ? [0, 0] : [1, 1],
        });
      },
    ),
    runs(200),
  );
});
