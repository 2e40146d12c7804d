import { Buffer } from 'node:buffer';
import { formatTonAddress, parseTonAddress } from '../../../contracts/account/address';
import type { TonContractObserved } from '../../../contracts/chain/ton-contract';
import {
  observationKey,
  OBSERVATIONS_TOPIC,
  type ObservationRecord,
} from '../../../contracts/observation/observation';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import { tonContractObservation } from '../../../indexers/ton/observations/contract';

const { kind, subject } = tonContractObservation;
const PAGE = 1_000;

const WALLET: TonContractObserved = {
  state: 'active',
  codeHash: '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=',
  contract: { kind: 'wallet', version: 'v4r2', publicKey: '07'.repeat(32) },
};

/** Friendly addresses of accounts that nobody watches. */
export function unwatchedAddresses(count: number): string[] {
  return Array.from({ length: count }, (_, n) =>
    formatTonAddress(`0:${n.toString(16).padStart(64, '5')}`, 'mainnet'),
  );
}

/** Publishes what was read of contracts just now, as the observation worker would. @param addresses friendly */
export async function fillTonContracts(
  log: Pick<Log, 'publish'>,
  addresses: readonly string[],
): Promise<void> {
  const at = new Date().toISOString();
  const record = (text: string): NewMessage => {
    const of = subject.format({ network: 'mainnet', address: parseTonAddress(text)!.raw });
    const observed: ObservationRecord = { kind, subject: of, height: 7, at, data: WALLET };
    return { key: observationKey(kind, of), value: Buffer.from(JSON.stringify(observed)) };
  };
  for (let from = 0; from < addresses.length; from += PAGE)
    await log.publish(OBSERVATIONS_TOPIC.name, addresses.slice(from, from + PAGE).map(record));
}
