import { comment, ExternalAddress, toNano, type MessageRelaxed } from '@ton/core';
import {
  accountLimitsChange,
  accountTopUp,
  nftTransfer,
  OP,
  ownershipAssigned,
  plain,
  relayBody,
} from '../bodies';
import { relay, strictRelay, vault } from '../contracts';
import { goldTransfer, someGold } from './gold';
import type { Kind } from './kind';
import { call, pay, some, transferred, VALUE } from './messages';

/** An external message to outside of the chain. */
const emitted = (topic: bigint): MessageRelaxed => ({
  info: {
    type: 'external-out',
    dest: new ExternalAddress(topic, 64),
    createdLt: 0n,
    createdAt: 0,
  },
  body: comment('an event'),
});

export const CONTRACT_CALLS: readonly Kind[] = [
  {
    name: 'an NFT transfer by a contract that is no item',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      const forwarded = toNano('0.05');
      const notification = pay(bob.address, forwarded, ownershipAssigned(alice.address, 'a picture'));
      await scenario.request(
        alice,
        [call(relay.address, VALUE, nftTransfer(bob.address, notification))],
        [{ kind: 'call_contract', receiver: relay.address, amount: VALUE }],
      );
    },
  },
  {
    name: 'a top-up of a card account, and a change of its limits',
    async run(scenario, random) {
      const value = VALUE + some(random);
      await scenario.request(
        scenario.wallets.alice,
        [
          call(vault().address, value, accountTopUp(toNano('0.1'))),
          call(vault().address, VALUE, accountLimitsChange(toNano(1), toNano('2.5'), 0n)),
        ],
        [
          { kind: 'call_contract', receiver: vault().address, amount: value },
          { kind: 'call_contract', receiver: vault().address, amount: VALUE },
        ],
      );
    },
  },
  {
    name: 'a call of a contract that returns a part of the value',
    async run(scenario) {
      const { bob } = scenario.wallets;
      const change = toNano('0.05');
      const body = relayBody([pay(bob.address, change, plain(OP.excesses))], 0x31415926);
      await scenario.request(
        bob,
        [call(relay.address, VALUE, body)],
        [{ kind: 'call_contract', receiver: relay.address, amount: VALUE - change }],
      );
    },
  },
  {
    name: 'a call that goes through several contracts',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      let body = relayBody([pay(bob.address, toNano('0.01'), 'through')]);
      for (let depth = 0; depth < 4; depth++)
        body = relayBody([pay((depth % 2 === 0 ? relay : strictRelay).address, toNano('0.1'), body)]);
      await scenario.request(alice, [call(relay.address, VALUE, body)], [transferred(relay.address, VALUE)]);
    },
  },
  {
    name: 'a call of a contract that emits an event',
    async run(scenario) {
      const body = relayBody([emitted(0xe0e0n)]);
      await scenario.request(
        scenario.wallets.bob,
        [call(relay.address, VALUE, body)],
        [transferred(relay.address, VALUE)],
      );
    },
  },
  {
    name: 'several requests of different kinds at once',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      const { message, part } = goldTransfer(scenario, { amount: someGold(random), text: 'both' });
      await scenario.request(
        alice,
        [pay(bob.address, value), message, call(vault().address, VALUE, plain(0x27182818))],
        [
          transferred(bob.address, value),
          part,
          { kind: 'call_contract', receiver: vault().address, amount: VALUE },
        ],
      );
    },
  },
];
