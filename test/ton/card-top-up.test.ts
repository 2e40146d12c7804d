import { Address } from '@ton/core';
import { internal } from '@ton/ton';
import { transfer } from '../../infra/devnet/ton/wallets';
import { card } from '../../infra/program/features/card';
import { cardAccounts } from '../../infra/program/features/card/accounts';
import { openedAccount } from '../card/top-ups';
import { rawOf, startTestnet, type Testnet } from './testnet';
import '../starts-programs';

let testnet: Testnet;

beforeAll(async () => {
  testnet = await startTestnet({
    watched: true,
    features: [card, cardAccounts],
    settings: { CARD_SANDBOX: 'true' },
  });
});
afterAll(() => testnet?.network.close());

it('an account is topped up by what its address receives, with any comment or none, each transfer once', async () => {
  const { network, client, alice } = testnet;
  const { deposit, posted, account } = await openedAccount(network.deps, 'testnet', {
    chain: 'ton',
    address: rawOf(alice),
  });
  expect(deposit).not.toBe(rawOf(alice));
  await network.watch(deposit);
  const to = Address.parse(deposit);
  await transfer(client, alice, [internal({ to, value: '1.5', bounce: false, body: 'Top Up' })]);
  await posted('1500000000');
  await transfer(client, alice, [
    internal({ to, value: '0.25', bounce: false }),
    internal({ to, value: '0.25', bounce: false, body: 'from a friend' }),
  ]);
  await posted('2000000000');
  // The address is not deployed: what asks to be sent back is.
  await transfer(client, alice, [internal({ to, value: '0.5', bounce: true })]);
  await transfer(client, alice, [internal({ to, value: '0.1', bounce: false })]);
  await posted('2100000000');
  expect(await account()).toMatchObject({ hasBeenDepositedOnce: true, balance: { held: '0' } });
});
