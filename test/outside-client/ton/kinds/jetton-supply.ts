import { toNano } from '@ton/core';
import { jettonBurn, jettonMint } from '../bodies';
import { gold, someGold } from './gold';
import type { Kind } from './kind';
import { call, VALUE } from './messages';

/** Mints and burns. */
export const JETTON_SUPPLY: readonly Kind[] = [
  {
    name: 'a burn of more jettons than there are',
    async run(scenario) {
      const { alice } = scenario.wallets;
      const amount = 10n ** 15n;
      await scenario.request(
        alice,
        [call(scenario.goldOf(alice.address), VALUE, jettonBurn(amount, alice.address))],
        [{ kind: 'jetton_burn', status: 'failed', receiver: null, asset: gold(scenario), amount }],
      );
    },
  },
  ...([true, false] as const).map((notifies): Kind => ({
    name: `a mint ${notifies ? 'with' : 'without'} a notification`,
    async run(scenario, random) {
      const { alice, bob } = scenario.wallets;
      const amount = someGold(random);
      const body = jettonMint(bob.address, amount, toNano('0.1'), notifies ? toNano('0.01') : 0n);
      await scenario.request(
        alice,
        [call(scenario.gold.address, VALUE, body)],
        [{ kind: 'jetton_mint', receiver: bob.address, asset: gold(scenario), amount }],
      );
    },
  })),
  {
    name: 'a mint that the jetton wallet refuses',
    async run(scenario) {
      const { alice, bob } = scenario.wallets;
      await scenario.request(
        alice,
        [call(scenario.gold.address, VALUE, jettonMint(bob.address, 1_000n, 1n))],
        [
          {
            kind: 'call_contract',
            status: 'failed',
            receiver: scenario.gold.address,
            amount: VALUE,
            isLost: true,
          },
        ],
      );
    },
  },
  ...([true, false] as const).map((responds): Kind => ({
    name: `a burn ${responds ? 'with' : 'without'} a response address`,
    async run(scenario, random) {
      const { alice } = scenario.wallets;
      const amount = someGold(random);
      await scenario.request(
        alice,
        [call(scenario.goldOf(alice.address), VALUE, jettonBurn(amount, responds ? alice.address : null))],
        [{ kind: 'jetton_burn', receiver: null, asset: gold(scenario), amount }],
      );
    },
  })),
];
