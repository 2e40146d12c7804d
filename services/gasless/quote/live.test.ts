import { randomUUID } from 'node:crypto';
import { gaslessQuoteEvents, gaslessQuoteStream } from '../../../contracts/events/gasless-quote';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { liveQuotes } from './live';

const NOW = Date.parse('2026-12-01T12:00:00.000Z');

it('counts the quotes of each network that are valid, each once', async () => {
  const store = new InMemoryEventStore();
  const quoted = async (network: 'mainnet' | 'testnet', quoteKey: string, secondsAgo: number) => {
    const made = NOW - secondsAgo * 1_000;
    const validUntil = made / 1_000 + 240;
    const rate = { units: '3', nanotons: '1', at: new Date(made).toISOString() };
    const amounts = { amount: '5', commission: '1', attached: '1', loss: '1' };
    const about = { network, quoteKey, wallet: '0:1', master: '0:2', relay: '0:3', seqno: 0 };
    const data = { ...about, ...amounts, rate, validUntil, at: new Date(made).toISOString() };
    const event = gaslessQuoteEvents.write({ type: 'GaslessQuoted', data }, randomUUID(), {});
    await store.append(gaslessQuoteStream(network, quoteKey), 'any', [event]);
  };
  await quoted('testnet', 'long ago', 4_000);
  await quoted('testnet', 'over', 240);
  await quoted('testnet', 'one', 200);
  await quoted('mainnet', 'one', 100);
  await quoted('testnet', 'one', 20);
  await quoted('testnet', 'other', 10);
  expect(await liveQuotes(store, NOW)).toEqual({ mainnet: 1, testnet: 2 });
});
