import { Buffer } from 'node:buffer';
import { observationKey, type Observation } from '../../../contracts/chain/observation';
import { SOLANA_ACCOUNT } from '../../../contracts/chain/solana-observations';
import { accountKey } from '../../../contracts/network';
import type { NewMessage } from '../../../contracts/ports/log';

/** Accounts that are looked at time and again. */
const ACCOUNTS = 500;
const BEGAN = Date.UTC(2026, 0, 1);

/** The balances of accounts as an observer publishes them: one account after the other, then all of them again. */
export function observations(count: number): NewMessage[] {
  return Array.from({ length: count }, (_, n) => {
    const address = `Account${n % ACCOUNTS}`.padEnd(44, '1');
    const subject = accountKey({ chain: 'solana', network: 'mainnet', address });
    const observation: Observation = {
      kind: SOLANA_ACCOUNT,
      subject,
      height: 200_000_000 + n,
      at: new Date(BEGAN + n * 400).toISOString(),
      data: { balance: String(1_000_000_000 + n) },
    };
    return { key: observationKey(SOLANA_ACCOUNT, subject), value: Buffer.from(JSON.stringify(observation)) };
  });
}
