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

/** Never stale while it is measured: there is no network to read again. */
const AT = new Date(Date.now() + 86_400_000).toISOString();
const FIRST_HEIGHT = 1_000_000;

/** What a worker publishes of a subject. @param height of a reading that is newer than another one */
export function freshObservation(
  { kind }: { readonly kind: string },
  subject: string,
  data: ObservationRecord['data'],
  height = 0,
): NewMessage {
  const record: ObservationRecord = { kind, subject, height: FIRST_HEIGHT + height, at: AT, data };
  return { key: observationKey(kind, subject), value: Buffer.from(JSON.stringify(record)) };
}
