import fc from 'fast-check';
import { formatTonAddress } from '../../contracts/account/address';
import {
  decodeTonMessage,
  encodeTonMessage,
  type TonTraceMessage,
  type TonTransactionMessage,
} from '../../contracts/chain/ton';
import type { JettonOperation } from '../../contracts/chain/ton-jetton';
import { finalStatus } from '../../contracts/chain/ton-outcome';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import type { LogMessage } from '../../contracts/ports/log';
import { tonDecoder } from '../../indexers/ton/decode/decode';
import type { Document } from '../../contracts/ports/documents';
import type { LogProjection } from '../../projections/projection';
import type { TonTraceDocument } from '../../projections/ton/traces/documents';
import { tonTracesProjection } from '../../projections/ton/traces/projection';
import type { TonTransactionDocument } from '../../projections/ton/transactions/documents';
import { tonTransactionsProjection } from '../../projections/ton/transactions/projection';
import { storedTransaction } from '../../projections/ton/transactions/stored-transaction';
import { given } from '../contracts/projection';
import { foldInto } from '../projections/fold-into';
import { randomFrom, runs } from '../random';
import { Indexing } from './indexing';
import { onTheLog, retraction } from './log-messages';
import { MessageTraffic } from './message-traffic';
import { accountAt, ScriptedChain } from './scripted-chain';

const A = accountAt(1);
const KEY = `ton:mainnet:${A}`;

/** What the tail publishes of an account that requests something, and receives something back. */
async function published(): Promise<{ transactions: Buffer[]; traces: TonTraceMessage[] }> {
  const chain = new ScriptedChain();
  const traffic = new MessageTraffic(chain, [A, accountAt(2)], randomFrom(5));
  const indexing = new Indexing(chain);
  await indexing.watch(A);
  void indexing.start();
  await indexing.untilFollowed(A);
  for (const requests of [[A], [A]]) chain.mine({ accounts: traffic.transactions(requests, 2) });
  while (traffic.pending > 0) chain.mine({ accounts: traffic.transactions([], 3) });
  await indexing.untilAt(chain.tip);
  await indexing.stop();
  return { transactions: indexing.transactions.map(encodeTonMessage), traces: indexing.traces };
}

/** As a backfill that found less would publish it. */
function abandoned(trace: TonTraceMessage, known: number): TonTraceMessage {
  const messages = trace.messages
    .slice(0, known + 1)
    .map((message, at) => (at < known ? message : { ...message, transaction: null }));
  return { ...trace, state: 'abandoned', messages };
}

const folded = (projection: LogProjection, messages: readonly LogMessage[]): Map<string, Document> =>
  foldInto(new Map(), projection, messages);

it.each([
  ['the history', tonTransactionsProjection(tonDecoder)],
  ['the traces', tonTracesProjection],
])('%s of an account is the same whatever arrives first and how often', async (_name, projection) => {
  const { transactions, traces } = await published();
  expect(new Set(traces.map(({ state }) => state))).toEqual(new Set(['open', 'complete']));
  const less = traces.flatMap(trace => [abandoned(trace, 0), abandoned(trace, 1)]);
  const values = [...transactions, ...[...traces, ...less].map(encodeTonMessage)];
  const expected = folded(projection, onTheLog(A, values));
  fc.assert(
    fc.property(
      fc.shuffledSubarray(values, { minLength: values.length }),
      fc.shuffledSubarray(values),
      (list, again) => {
        expect(folded(projection, onTheLog(A, [...list, ...again]))).toEqual(expected);
      },
    ),
    runs(10),
  );
});

/** As it is published twice: the master was asked about the wallet of a notification before it was deployed, and after. */
function askedTwice(value: Buffer): Buffer[] {
  const message = decodeTonMessage(value) as TonTransactionMessage;
  const { inMessage } = message.transaction;
  if (inMessage?.info.type !== 'internal') return [];
  const jetton: JettonOperation = {
    type: 'transfer_notification',
    queryId: '0',
    amount: '5',
    sender: accountAt(2),
    comment: null,
    forwardPayload: null,
  };
  const transaction = { ...message.transaction, inMessage: { ...inMessage, jetton } };
  return [null, { master: accountAt(9), owner: A }].map(wallet =>
    encodeTonMessage({ ...message, transaction, jettonWallets: { [inMessage.info.src as string]: wallet } }),
  );
}

it('has the row that is served of a transaction, from all that is known of it, whatever arrives in which order', async () => {
  const projection = tonTransactionsProjection(tonDecoder);
  const { transactions, traces } = await published();
  const asked = transactions.map(askedTwice);
  const records = transactions.flatMap((value, at) => (asked[at]!.length > 0 ? asked[at]! : [value]));
  const refs = transactions.map(value => decodeTonMessage(value) as TonTransactionMessage);
  const retractions = refs.map(({ lt, hash }) => retraction(A, { lt, hash }));
  const known = [...records, ...traces.map(encodeTonMessage)];
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...known, ...retractions], { minLength: known.length }),
      fc.shuffledSubarray(known),
      (list, again) => {
        const documents = folded(projection, onTheLog(A, [...list, ...again]));
        for (const [id, document] of documents) {
          if (!document || !id.startsWith('ton_transactions/')) continue;
          const { transaction, jettonWallets, contracts, trace, row, summary } =
            document as TonTransactionDocument;
          if (transaction === null) {
            expect([row, summary]).toEqual([null, null]);
            continue;
          }
          const decoded = JSON.parse(transaction) as TonTransaction;
          const { hash, prev, time } = decoded;
          const status = finalStatus(decoded, trace?.hash === hash ? trace : null);
          const served = storedTransaction({ ...decoded, jettonWallets, contracts, status }, raw =>
            formatTonAddress(raw, 'mainnet'),
          );
          expect(row).toBe(JSON.stringify(served));
          expect(summary).toEqual({ hash, prev: prev.lt, time, status });
          seen.add(status).add(served.operation.op?.res ?? '');
        }
      },
    ),
    runs(20),
  );
  expect([...seen]).toEqual(expect.arrayContaining(['pending', 'success', 'known.tokenReceived']));
});

it('places what returned to an account in the trace that caused it', async () => {
  const { transactions, traces } = await published();
  const { ton_traces } = await given(
    tonTracesProjection,
    onTheLog(A, [...transactions, ...traces.map(encodeTonMessage)]),
  ).replay();
  const members = traces
    .filter(({ state }) => state === 'complete')
    .flatMap(({ lt, messages }) =>
      messages.filter(({ dest }) => dest === A).map(message => [message.transaction!.lt, lt]),
    );
  expect(members).not.toEqual([]);
  const stored = ton_traces!.flatMap(({ _id, memberOf }) =>
    memberOf === null
      ? []
      : [[_id.slice(KEY.length + 1).replace(/^0+/, ''), (memberOf as { lt: string }).lt]],
  );
  expect(stored.sort()).toEqual(members.sort());
});

it('forgets the places of what was retracted', async () => {
  const { traces } = await published();
  const refs = traces.flatMap(({ lt, hash, messages }) => [
    { lt, hash },
    ...messages.flatMap(({ dest, transaction }) => (dest === A && transaction ? [transaction] : [])),
  ]);
  const retracted = refs.map(({ lt, hash }) => retraction(A, { lt, hash }));
  const projected = folded(tonTracesProjection, onTheLog(A, [...traces.map(encodeTonMessage), ...retracted]));
  expect(folded(tonTracesProjection, onTheLog(A, traces.map(encodeTonMessage))).size).toBeGreaterThan(0);
  expect([...projected.keys()]).toEqual([]);
});

it('forgets what a transaction has caused when a part of that was retracted, and takes what is published then', async () => {
  const { transactions, traces } = await published();
  const trace = traces.find(
    ({ state, messages }) => state === 'complete' && messages.some(({ dest }) => dest === A),
  )!;
  const part = trace.messages.find(({ dest }) => dest === A)!.transaction!;
  const root = { lt: trace.lt, hash: trace.hash };
  const before = [...transactions, ...traces.map(encodeTonMessage)];
  const retracted = [...before, retraction(A, part, [], [root])];
  const id = (of: string, { lt }: { lt: string }) => `${of}/${KEY}/${lt.padStart(20, '0')}`;
  const placeIn = (messages: readonly Buffer[]) =>
    folded(tonTracesProjection, onTheLog(A, messages)).get(id('ton_traces', root)) as TonTraceDocument;
  const inHistory = (messages: readonly Buffer[]) =>
    folded(tonTransactionsProjection(tonDecoder), onTheLog(A, messages)).get(
      id('ton_transactions', root),
    ) as TonTransactionDocument;

  expect(placeIn(before).trace).not.toBeNull();
  expect(placeIn(retracted)?.trace ?? null).toBeNull();
  expect(inHistory(before).summary!.status).not.toBe('pending');
  expect(inHistory(retracted)).toMatchObject({ trace: null, summary: { status: 'pending' } });
  // Where it knows less than the one before, too.
  const other = { ...trace, messages: trace.messages.slice(0, 1) };
  const again = [...retracted, encodeTonMessage(other)];
  expect(placeIn(again).trace!.messages).toEqual(other.messages);
  expect(inHistory(again).trace).toMatchObject({ state: 'complete', resolved: 1 });
  // What was said of another transaction stays.
  const elsewhere = [...before, retraction(A, part, [], [{ ...root, hash: 'other' }])];
  expect(placeIn(elsewhere).trace).toEqual(placeIn(before).trace);
});
