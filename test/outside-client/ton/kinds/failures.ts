import { beginCell, comment, SendMode, type MessageRelaxed } from '@ton/core';
import { plain, relayBody } from '../bodies';
import { nowhere, relay, strictRelay, thrower } from '../contracts';
import type { Part } from '../scenario';
import type { Kind } from './kind';
import { call, LONG_COMMENT, pay, some, TOO_MUCH, transferred, VALUE } from './messages';

/** `extra_flags` of a message, which the client calls `ihrFee`: the older bounce, that of version 12, with the whole body. */
const BOUNCES = [0n, 1n, 3n];

const withFlags = (message: MessageRelaxed, flags: bigint): MessageRelaxed =>
  message.info.type === 'internal' ? { ...message, info: { ...message.info, ihrFee: flags } } : message;

export const FAILURES: readonly Kind[] = [
  {
    name: 'a transfer that the balance does not cover',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      const part: Part = { ...transferred(bob.address, TOO_MUCH, 'a house'), status: 'failed' };
      await scenario.request(alice, [pay(bob.address, TOO_MUCH, 'a house')], [part]);
    },
  },
  {
    name: 'a transfer that fails the action phase',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      const part: Part = { ...transferred(alice.address, TOO_MUCH), status: 'failed' };
      const mode = SendMode.PAY_GAS_SEPARATELY;
      await scenario.request(bob, [pay(alice.address, TOO_MUCH)], [part], { mode });
    },
  },
  {
    name: 'several messages of which one is not covered',
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const value = some(random);
      await scenario.request(
        bob,
        [pay(alice.address, value, 'covered'), pay(alice.address, TOO_MUCH, 'not covered')],
        [
          transferred(alice.address, value, 'covered'),
          { ...transferred(alice.address, TOO_MUCH, 'not covered'), status: 'failed' },
        ],
      );
    },
  },
  {
    name: 'transfers to an account that is not deployed, which bounce in every format',
    async run(scenario, random) {
      const values = BOUNCES.map(() => VALUE + some(random));
      await scenario.request(
        scenario.wallets.alice,
        BOUNCES.map((flags, at) => withFlags(call(nowhere.address, values[at]!, LONG_COMMENT), flags)),
        values.map(value => ({ ...transferred(nowhere.address, value, LONG_COMMENT), status: 'failed' })),
      );
    },
  },
  {
    name: 'calls of a contract that throws, which bounce in every format',
    async run(scenario, random) {
      const values = BOUNCES.map(() => VALUE + some(random));
      await scenario.request(
        scenario.wallets.bob,
        BOUNCES.map((flags, at) => withFlags(call(thrower.address, values[at]!, plain(0x12345678)), flags)),
        values.map(amount => ({
          kind: 'call_contract',
          status: 'failed',
          receiver: thrower.address,
          amount,
        })),
      );
    },
  },
  {
    name: 'calls of a contract that cannot pay, which bounce in every format',
    async run(scenario) {
      const body = relayBody([pay(thrower.address, TOO_MUCH)], 0x11112222);
      await scenario.request(
        scenario.wallets.alice,
        BOUNCES.map(flags => withFlags(call(strictRelay.address, VALUE, body), flags)),
        BOUNCES.map(() => ({
          kind: 'call_contract',
          status: 'failed',
          receiver: strictRelay.address,
          amount: VALUE,
        })),
      );
    },
  },
  {
    name: 'messages of a contract that come back to it in every format',
    async run(scenario, random) {
      const orders = [comment('for nobody'), plain(0x12345678)].map(body =>
        relayBody(
          BOUNCES.map(flags =>
            withFlags(call(thrower.address, VALUE / 10n + some(random) / 50n, body), flags),
          ),
        ),
      );
      await scenario.request(
        scenario.wallets.bob,
        orders.map(order => call(relay.address, VALUE, order)),
        orders.map(() => transferred(relay.address, VALUE)),
      );
    },
  },
  {
    name: 'a call of a contract that throws and keeps the value',
    async run(scenario) {
      await scenario.request(
        scenario.wallets.alice,
        [pay(thrower.address, VALUE, plain(0x12345678))],
        [
          {
            kind: 'call_contract',
            status: 'failed',
            receiver: thrower.address,
            amount: VALUE,
            isLost: true,
          },
        ],
      );
    },
  },
  {
    name: 'an external message whose contract throws',
    run: (scenario, random) =>
      scenario.knock(thrower.address, beginCell().storeUint(some(random), 64).endCell()),
  },
];
