import { encodeTonMessage, TON_TRANSACTIONS } from '../../contracts/chain/ton';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { accountKey } from '../../contracts/network/network';
import type { LogMessage } from '../../contracts/ports/log';
import { messages } from '../contracts/builders';

/** The values as the log delivers them, under the key of an account (raw) on mainnet. */
export function onTheLog(account: string, values: readonly Buffer[]): LogMessage[] {
  const key = accountKey({ chain: 'ton', network: 'mainnet', address: account });
  return messages(
    TON_TRANSACTIONS.name,
    values.map(value => ({ key, value })),
  );
}

/** Takes back a transaction of an account (raw) on mainnet, the external messages with these hashes, and what traces say. */
export function retraction(
  account: string,
  { lt, hash }: TransactionRef,
  external: readonly string[] = [],
  traces: readonly TransactionRef[] = [],
): Buffer {
  return encodeTonMessage({
    type: 'retracted',
    version: 1,
    network: 'mainnet',
    account,
    lt,
    hash,
    external,
    ...(traces.length > 0 && { traces }),
  });
}
