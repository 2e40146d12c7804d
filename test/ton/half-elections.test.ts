import { beginCell, type Cell, type TupleItem, TupleReader } from '@ton/core';
import fc from 'fast-check';
import { pino } from 'pino';
import { OBSERVATIONS_TOPIC, observationKey, type Clients } from '../../contracts/observation/observation';
import type { Document } from '../../contracts/ports/documents';
import type { LogMessage } from '../../contracts/ports/log';
import type { TonClient } from '../../contracts/ports/ton-client';
import { workObservations } from '../../indexers/observations/worker';
import { tonElectionObservation } from '../../indexers/ton/observations/elections';
import { observationProjection, type ObservedDocument } from '../../projections/observations/projection';
import { InMemoryLog } from '../doubles/log';
import { runs } from '../random';

/**
 * A network whose blocks are a thousand seconds apart. An election earns in each block of its round, and the elector holds it for half
 * a round after that.
 */
const [ID, ROUND, HELD] = [1_000_000, 64_000, 32_000];
const SECONDS_PER_BLOCK = 1_000;
const [END, FORGOTTEN, TIP] = [64, 96, 200];
const SUBJECT = { network: 'mainnet', id: ID } as const;

const timeOf = (seqno: number): number => ID + seqno * SECONDS_PER_BLOCK;
const instantOf = (seqno: number): string => new Date(timeOf(seqno) * 1_000).toISOString();
/** What the elector says in a block. */
const electionAt = (seqno: number) => ({
  id: ID,
  unfreezeAt: ID + ROUND + HELD,
  stakeHeld: HELD,
  totalStake: '1000',
  bonuses: String(Math.min(seqno, END)),
});
const WHOLE = electionAt(END);

const int = (value: number | string): TupleItem => ({ type: 'int', value: BigInt(value) });
function pastElections(seqno: number): TupleItem {
  if (seqno >= FORGOTTEN) return { type: 'null' };
  const { id, unfreezeAt, stakeHeld, totalStake, bonuses } = electionAt(seqno);
  const fields = [int(id), int(unfreezeAt), int(stakeHeld), int(7), { type: 'null' } as const];
  const election: TupleItem = { type: 'tuple', items: [...fields, int(totalStake), int(bonuses)] };
  return { type: 'tuple', items: [election, { type: 'null' }] };
}
const config = (seqno: number): Map<number, Cell> =>
  new Map([
    [1, beginCell().storeUint(7, 256).endCell()],
    [15, [ROUND, HELD, 8_192, HELD].reduce((cell, n) => cell.storeUint(n, 32), beginCell()).endCell()],
    [
      34,
      beginCell()
        .storeUint(0x12, 8)
        .storeUint(seqno < END ? ID : ID + ROUND, 32)
        .endCell(),
    ],
  ]);

/** A double of a node that has all blocks up to a tip. */
const nodeAt = (tip: number): Partial<TonClient> => ({
  getLastBlock: async () => ({ seqno: tip, now: timeOf(tip) }),
  getConfig: async seqno => config(seqno),
  runMethod: async seqno => new TupleReader([pastElections(seqno)]),
  getBlockAt: async utime => Math.floor((utime - ID) / SECONDS_PER_BLOCK),
});

const projection = observationProjection(tonElectionObservation);
const kind = tonElectionObservation.kind;
const subject = tonElectionObservation.subject.format(SUBJECT);
function fold(messages: readonly LogMessage[]): Document | null {
  let document: Document | null = null;
  for (const message of messages)
    document = projection.fold(document, message, projection.touches(message)[0]!);
  return document;
}

/** A log, and the documents that are filled from it. */
async function openLog() {
  const log = new InMemoryLog();
  await log.declare([OBSERVATIONS_TOPIC]);
  const messages = (): readonly LogMessage[] => log.stored.all;
  const known = () => fold(messages()) as ObservedDocument | null;
  return {
    messages,
    /** As earlier versions did, whether or not the round was over. */
    async readAsBefore(seqno: number): Promise<void> {
      const record = { kind, subject, height: seqno, at: instantOf(seqno), data: electionAt(seqno) };
      const message = { key: observationKey(kind, subject), value: Buffer.from(JSON.stringify(record)) };
      await log.publish(OBSERVATIONS_TOPIC.name, [message]);
    },
    /** By a node that is at a block, later than everything else. */
    read: (tip: number): Promise<void> =>
      workObservations(
        {
          observations: [tonElectionObservation],
          clients: { ton: () => nodeAt(tip) } as unknown as Clients,
          jobs: {
            work: async (_options, handle) =>
              handle({ data: { kind, subject }, attempt: 1, signal: new AbortController().signal } as never),
          },
          log,
          last: async () => known(),
          logger: pino({ level: 'silent' }),
          now: () => timeOf(TIP) * 1_000,
        },
        new AbortController().signal,
      ),
  };
}

const blocks = (before: number) => fc.array(fc.nat(before - 1), { maxLength: 4 });

test('an election is the same whatever was read of it during its round, and documents that are filled again are the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      blocks(FORGOTTEN),
      blocks(TIP),
      fc.integer({ min: END, max: TIP }),
      blocks(TIP),
      async (before, tips, tip, later) => {
        const { messages, readAsBefore, read } = await openLog();
        for (const seqno of before.sort((a, b) => a - b)) await readAsBefore(seqno);
        for (const each of [...tips, tip, ...later]) await read(each);
        const document = fold(messages());
        expect(document).toMatchObject({ data: WHOLE });
        // Of a subject the log keeps the last record alone.
        expect(fold(messages().slice(-1))).toEqual(document);
        expect(fold([...messages()].reverse())).toEqual(document);
      },
    ),
    runs(200),
  );
});
