import { toNano } from '@ton/core';
import { forgeries, jettonTransfer, relayBody, relayed } from '../bodies';
import { relay } from '../contracts';
import type { Part } from '../scenario';
import { gold, goldTransfer, someGold } from './gold';
import type { Kind } from './kind';
import { call, pay, TOO_MUCH, transferred, VALUE } from './messages';

export const JETTON_TRANSFERS: readonly Kind[] = [
  ...(
    [
      ['with a comment', { text: 'gold for you' }],
      ['without a comment', {}],
      ['with an empty comment', { text: '' }],
      ['with a comment in its body', { text: 'short', isInline: true }],
      ['without a notification', { forwardValue: 0n }],
    ] as const
  ).map(([how, options]): Kind => ({
    name: `a jetton transfer ${how}`,
    async run(scenario, random) {
      const { message, part } = goldTransfer(scenario, { amount: someGold(random), ...options });
      await scenario.request(scenario.wallets.alice, [message], [part]);
    },
  })),
  {
    name: 'a jetton transfer that the own jetton wallet refuses',
    async run(scenario) {
      const { message, part } = goldTransfer(scenario, { amount: 10n ** 15n, text: 'too much' });
      const failed: Part = { ...part, status: 'failed', forwarded: 0n };
      await scenario.request(scenario.wallets.alice, [message], [failed]);
    },
  },
  {
    name: 'a jetton transfer whose coins the balance does not cover',
    async run(scenario, random) {
      const { message, part } = goldTransfer(scenario, { amount: someGold(random), text: 'no coins' });
      if (message.info.type === 'internal') message.info.value.coins = TOO_MUCH;
      const failed: Part = { ...part, status: 'failed', forwarded: 0n };
      await scenario.request(scenario.wallets.alice, [message], [failed]);
    },
  },
  {
    name: 'a jetton transfer to oneself',
    async run(scenario, random) {
      const { alice } = scenario.wallets;
      const amount = someGold(random);
      const body = jettonTransfer({
        to: alice.address,
        amount,
        response: alice.address,
        forwardValue: toNano('0.01'),
      });
      await scenario.request(
        alice,
        [call(scenario.goldOf(alice.address), VALUE, body)],
        [{ kind: 'jetton_transfer', receiver: alice.address, asset: gold(scenario), amount }],
      );
    },
  },
  {
    name: 'a jetton transfer from a wallet of somebody else',
    async run(scenario) {
      const { alice, mallory } = scenario.wallets;
      const to = scenario.goldOf(alice.address);
      const transfer = { to: mallory.address, amount: 5n, response: mallory.address, forwardValue: 1n };
      await scenario.request(
        mallory,
        [call(to, VALUE, jettonTransfer(transfer))],
        [{ kind: 'call_contract', status: 'failed', receiver: to, amount: VALUE }],
      );
    },
  },
  {
    name: 'forged jetton messages of every operation',
    async run(scenario) {
      const { alice, bob, mallory } = scenario.wallets;
      const bodies = forgeries(5_000_000n, bob.address, 'you are rich');
      await scenario.request(
        mallory,
        bodies.map(body => pay(alice.address, 1n, body)),
        bodies.map(() => ({ kind: 'call_contract', receiver: alice.address, amount: 1n })),
      );
    },
  },
  {
    name: 'a forged notification of a contract',
    async run(scenario) {
      const { alice, bob, mallory } = scenario.wallets;
      const [notification] = forgeries(7_000_000n, bob.address, 'you are rich');
      const value = toNano('0.02');
      await scenario.request(
        mallory,
        [call(relay.address, VALUE, relayBody([pay(alice.address, value, notification)]))],
        [transferred(relay.address, VALUE)],
      );
    },
  },
  {
    name: 'an exchange of jettons',
    async run(scenario, random) {
      const { alice } = scenario.wallets;
      const [given, taken] = [someGold(random), someGold(random)];
      const answer = call(
        scenario.silverOf(relay.address),
        VALUE,
        jettonTransfer({
          to: alice.address,
          amount: taken,
          response: alice.address,
          forwardValue: toNano('0.01'),
        }),
      );
      const body = jettonTransfer({
        to: relay.address,
        amount: given,
        response: alice.address,
        forwardValue: toNano('0.3'),
        payload: relayed(answer),
      });
      await scenario.request(
        alice,
        [call(scenario.goldOf(alice.address), toNano('0.5'), body)],
        [
          {
            kind: 'jetton_swap',
            receiver: relay.address,
            asset: gold(scenario),
            amount: given,
            received: {
              asset: { type: 'jetton', master: scenario.silver.address.toRawString() },
              amount: taken,
            },
          },
        ],
      );
    },
  },
];
