import { Address, beginCell, comment } from '@ton/core';
import type { Kind } from './kind';
import { LONG_COMMENT, pay, some, transferred } from './messages';

export const TRANSFERS: readonly Kind[] = [
  {
    name: 'a transfer with a comment',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      await scenario.request(
        alice,
        [pay(bob.address, value, 'rent')],
        [transferred(bob.address, value, 'rent')],
      );
    },
  },
  {
    name: 'a transfer without a comment',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      await scenario.request(bob, [pay(alice.address, value)], [transferred(alice.address, value)]);
    },
  },
  {
    name: 'a transfer with an empty comment',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      await scenario.request(
        alice,
        [pay(bob.address, value, comment(''))],
        [transferred(bob.address, value)],
      );
    },
  },
  {
    name: 'a transfer with a comment of several cells',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      const part = transferred(alice.address, value, LONG_COMMENT);
      await scenario.request(bob, [pay(alice.address, value, LONG_COMMENT)], [part]);
    },
  },
  {
    name: 'a transfer with a comment that is not UTF-8',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      const body = beginCell().storeUint(0, 32).storeBuffer(Buffer.from('ffe282', 'hex')).endCell();
      await scenario.request(
        alice,
        [pay(bob.address, value, body)],
        [transferred(bob.address, value, '\uFFFD\uFFFD')],
      );
    },
  },
  {
    name: 'a transfer of nothing',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      await scenario.request(
        bob,
        [pay(alice.address, 0n, 'hello')],
        [transferred(alice.address, 0n, 'hello')],
      );
    },
  },
  {
    name: 'a transfer to the masterchain',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      const to = new Address(-1, bob.address.hash);
      await scenario.request(alice, [pay(to, value, 'up')], [transferred(to, value, 'up')]);
    },
  },
  {
    name: 'a transfer to oneself',
    async run(scenario, random) {
      const { alice } = scenario.wallets;
      const value = some(random);
      await scenario.request(
        alice,
        [pay(alice.address, value, 'to me')],
        [transferred(alice.address, value, 'to me')],
      );
    },
  },
];
