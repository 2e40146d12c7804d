import { beginCell, toNano, type Address, type Cell } from '@ton/core';
import type { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { OP, plain, relayBody } from '../bodies';
import { relay } from '../contracts';
import { carrying, type Part } from '../scenario';
import { createWallet, WALLET_MODE, type Signing } from '../wallet';
import type { Kind } from './kind';
import { call, pay, some, TOO_MUCH, transferred, VALUE } from './messages';

/** What the versions of wallets allow beyond a transfer. */
export const WALLET_REQUESTS: readonly Kind[] = [
  {
    name: 'several messages at once of a v5 wallet',
    async run(scenario, random) {
      const { alice, bob, mallory } = scenario.wallets;
      const values = Array.from({ length: 12 }, () => some(random));
      const to = (index: number): Address => (index % 2 === 0 ? bob : mallory).address;
      await scenario.request(
        alice,
        values.map((value, index) => pay(to(index), value, `part ${index}`)),
        values.map((value, index) => transferred(to(index), value, `part ${index}`)),
      );
    },
  },
  {
    name: 'four messages at once of a v4 wallet',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const values = Array.from({ length: 4 }, () => some(random));
      await scenario.request(
        bob,
        values.map(value => pay(alice.address, value)),
        values.map(value => transferred(alice.address, value)),
      );
    },
  },
  {
    name: 'a request that a relayer carries',
    async run(scenario, random) {
      const { alice, bob, mallory } = scenario.wallets;
      const value = some(random);
      const messages = [pay(mallory.address, value, 'gasless')];
      const create = (signing: Signing): Cell =>
        (alice.contract as unknown as WalletContractV5R1).createTransfer({
          ...signing,
          authType: 'internal',
          sendMode: WALLET_MODE,
          messages,
        });
      const part = transferred(mallory.address, value, 'gasless');
      await scenario.relay(bob, alice, { messages, create }, [part]);
    },
  },
  ...(['v2', 'v3'] as const).map((version): Kind => ({
    name: `transfers of a ${version} wallet`,
    async run(scenario, random) {
      const { bob } = scenario.wallets;
      const wallet = createWallet(version, scenario.node);
      await scenario.node.grant(wallet.address, toNano(5));
      const value = some(random);
      const messages = [pay(bob.address, value, version), pay(bob.address, TOO_MUCH)];
      await scenario.request(wallet, messages, [
        transferred(bob.address, value, version),
        { ...transferred(bob.address, TOO_MUCH), status: 'failed' },
      ]);
    },
  })),
  {
    name: 'a transfer that an extension requests',
    async run(scenario, random) {
      const { bob, mallory } = scenario.wallets;
      const wallet = createWallet('v5', scenario.node);
      const contract = wallet.contract as unknown as WalletContractV5R1;
      await scenario.node.grant(wallet.address, toNano(5));
      await scenario.request(wallet, [], [], {
        create: signing => contract.createAddExtension({ ...signing, extensionAddress: mallory.address }),
      });
      const value = some(random);
      const messages = [pay(bob.address, value, 'extension')];
      const body = await contract.createTransfer({
        authType: 'extension',
        seqno: 0, // not written
        queryId: BigInt(Math.floor(random() * 2 ** 32)),
        sendMode: WALLET_MODE,
        messages,
      });
      scenario.expectOf(wallet, body, messages, [transferred(bob.address, value, 'extension')]);
      await scenario.request(mallory, ...carrying(wallet, body));
    },
  },
  {
    name: 'coins that a plugin requests',
    async run(scenario, random) {
      const { mallory } = scenario.wallets;
      const wallet = createWallet('v4', scenario.node);
      const contract = wallet.contract as unknown as WalletContractV4;
      await scenario.node.grant(wallet.address, toNano(5));
      const forwardAmount = toNano('0.1');
      const installed = call(relay.address, forwardAmount, plain(OP.pluginInstalled));
      await scenario.request(
        wallet,
        [installed],
        [{ kind: 'call_contract', receiver: relay.address, amount: forwardAmount }],
        {
          create: signing =>
            contract.createAddPlugin({ ...signing, address: relay.address, forwardAmount, queryId: 7n }),
        },
      );
      const wanted = beginCell()
        .storeUint(OP.pluginRequest, 32)
        .storeUint(7, 64)
        .storeCoins(some(random))
        .storeBit(false)
        .endCell();
      const answer = call(relay.address, 0n, plain(OP.pluginRequest + 0x80000000));
      const part: Part = { kind: 'call_contract', receiver: relay.address, amount: 'all' };
      scenario.expectOf(wallet, wanted, [answer], [part]);
      const order = relayBody([call(wallet.address, toNano('0.05'), wanted)]);
      await scenario.request(
        mallory,
        [call(relay.address, VALUE, order)],
        [transferred(relay.address, VALUE)],
      );
    },
  },
];
