import {
  OBSERVATIONS_TOPIC,
  observationKey,
  type ObservationRecord,
} from '../../../contracts/observation/observation';
import { SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import type { SolanaToken } from '../../../contracts/chain/solana-observations';
import type { Json } from '../../../contracts/json/json';
import { accountKey } from '../../../contracts/network/network';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import { newMessage, seenTransaction, transactionRecords } from '../../../indexers/solana/records';
import type { RawBlock, RawTransaction } from '../../../indexers/solana/raw';
import { base58 } from '../../../infra/devnet/solana/svm/base58';
import { createPseudoRandom } from './pseudo-random';
import { solanaBlock } from './solana-block';

const NETWORK = 'mainnet';
const TOKENS = 12;

export interface SolanaHistory {
  readonly address: string;
  readonly signature: string;
}

const token = (n: number): SolanaToken => ({
  address: `Mint${n}`.padEnd(44, '1'),
  symbol: `TOK${n}`,
  name: `Token No. ${n}`,
  decimals: 6,
  chainId: 101,
  amount: String(1_000_000 * n),
  uiAmount: n,
  uiAmountString: String(n),
  logoURI: `https://tokens.example/${n}.png`,
});

/** An observation that does not become stale while a bench runs, so that reads are served and not refreshed. */
const observed = (kind: string, address: string, height: number, data: Json): NewMessage => {
  const subject = accountKey({ chain: 'solana', network: NETWORK, address });
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const observation: ObservationRecord = { kind, subject, height, at, data };
  return { key: observationKey(kind, subject), value: Buffer.from(JSON.stringify(observation)) };
};

/**
 * Publishes the records of one owner as indexer and observation workers would: one token transfer in each block, its
 * balance and its tokens.
 */
export async function fillSolanaHistory(log: Log, address: string, length: number): Promise<SolanaHistory> {
  const { transactions } = JSON.parse(solanaBlock(1)) as RawBlock;
  const transfers = transactions.filter(
    ({ meta, transaction }) => !meta?.err && transaction.message.accountKeys.length === 9,
  );
  const slotOf = (n: number): number => 200_000_000 + n;
  const signatures = createPseudoRandom(length);
  let signature = '';
  for (let n = 0; n < length; n++) {
    const model = transfers[n % transfers.length]!;
    // The payer becomes the owner; each is a distinct transaction.
    const text = JSON.stringify(model).replaceAll(model.transaction.message.accountKeys[0]!, address);
    const raw = JSON.parse(text) as RawTransaction;
    signature = base58(signatures.bytes(64));
    const signed = { ...raw, transaction: { ...raw.transaction, signatures: [signature] } };
    const origin = {
      network: NETWORK,
      slot: slotOf(n),
      blockhash: address,
      blockTime: 1_700_000_000 + n,
      index: 0,
    } as const;
    const seen = seenTransaction(origin, signed, [address], 'finalized', 'backfill');
    await log.publish(SOLANA_TRANSACTIONS.name, [...transactionRecords([seen])]);
  }
  const newest = slotOf(length);
  await log.publish(SOLANA_TRANSACTIONS.name, [
    newMessage({
      type: 'backfilled',
      watch: 1,
      network: NETWORK,
      account: address,
      slot: newest,
      since: 0,
      parts: 1,
      complete: true,
    }),
  ]);
  const account = { owner: '1'.repeat(32), executable: false, rentEpoch: 0, space: 0 };
  const tokens = Array.from({ length: TOKENS }, (_, n) => token(n + 1));
  await log.publish(OBSERVATIONS_TOPIC.name, [
    observed('solana.account', address, newest, { balance: '123456789', ...account }),
    observed('solana.tokens', address, newest, { tokens } as unknown as Json),
  ]);
  return { address, signature };
}
