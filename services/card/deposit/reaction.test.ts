import { encodeSolanaMessage, SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import { cardDepositStream } from '../../../contracts/events/card-deposit';
import { accountKey } from '../../../contracts/network/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import { messages } from '../../../test/contracts/builders';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { createHandle } from '../../commands/handle';
import { cardDepositKind } from './decider';
import { cardTopUps } from './reaction';

const NOW = '2026-11-23T12:00:00.000Z';
const addressOf = (address: string) => ({ chain: 'solana', network: 'mainnet', address }) as const;

/** A final transaction of an account, as the log delivers it. */
function final(address: string, signature: string) {
  const value = encodeSolanaMessage({
    type: 'finalized',
    network: 'mainnet',
    account: address,
    signature,
    slot: 1,
    blockhash: 'b',
    mints: [],
  });
  return messages(SOLANA_TRANSACTIONS.name, [{ key: accountKey(addressOf(address)), value }])[0]!;
}

it('reads once whether an address is one of a card, however many transfers there are', async () => {
  const store = new InMemoryEventStore();
  await createHandle({ store })(cardDepositKind, cardDepositStream(addressOf('deposit')), {
    metadata: { now: NOW, actor: 'test' },
    deposit: { address: addressOf('deposit'), accountId: 'account-1', network: 'mainnet', userId: 'user-1' },
  });
  let reads = 0;
  const counting: Pick<EventStore, 'readStream'> = {
    readStream: (...args) => ((reads += 1), store.readStream(...args)),
  };
  const reaction = cardTopUps(counting);
  const jobsOf = async (address: string) =>
    (await Promise.all(['a', 'b', 'c'].map(async each => reaction.jobs(final(address, each))))).flat();
  await reaction.jobs(final('deposit', 'first'));
  await reaction.jobs(final('other', 'first'));
  expect(await jobsOf('deposit')).toHaveLength(3);
  expect(await jobsOf('other')).toEqual([]);
  expect(reads).toBe(2);
});
