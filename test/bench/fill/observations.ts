import { Buffer } from 'node:buffer';
import { observationKey, type ObservationRecord } from '../../../contracts/observation/observation';
import { solanaAccountObservation } from '../../../indexers/solana/observations/account';
import { accountKey } from '../../../contracts/network/network';
import type { NewMessage } from '../../../contracts/ports/log';

/** Accounts that are observed repeatedly. */
const ACCOUNTS = 500;
const { kind } = solanaAccountObservation;
const START = Date.UTC(2026, 0, 1);

/** The balances of accounts as the observation worker publishes them: one account after the other, then all of them again. */
export function observations(count: number): NewMessage[] {
  return Array.from({ length: count }, (_, n) => {
    const address = `Account${n % ACCOUNTS}`.padEnd(44, '1');
    const subject = accountKey({ chain: 'solana', network: 'mainnet', address });
    const observation: ObservationRecord = {
      kind,
      subject,
      height: 200_000_000 + n,
      at: new Date(START + n * 400).toISOString(),
      data: { balance: String(1_000_000_000 + n) },
    };
    return { key: observationKey(kind, subject), value: Buffer.from(JSON.stringify(observation)) };
  });
}
