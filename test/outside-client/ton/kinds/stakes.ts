import { toNano } from '@ton/core';
import { OP, plain, relayBody, stakeDeposit, stakeWithdraw } from '../bodies';
import { relay, thrower, vault } from '../contracts';
import type { Kind } from './kind';
import { call, pay, transferred, VALUE } from './messages';

export const STAKES: readonly Kind[] = [
  {
    name: 'a stake that the pool takes',
    async run(scenario) {
      await scenario.request(
        scenario.wallets.alice,
        [call(vault().address, VALUE, stakeDeposit())],
        [{ kind: 'stake_deposit', receiver: vault().address, amount: VALUE }],
      );
    },
  },
  {
    name: 'a stake that the pool refuses',
    async run(scenario) {
      await scenario.request(
        scenario.wallets.bob,
        [call(thrower.address, VALUE, stakeDeposit())],
        [{ kind: 'stake_deposit', status: 'failed', receiver: thrower.address, amount: VALUE }],
      );
    },
  },
  {
    name: 'requests to withdraw a stake',
    async run(scenario) {
      const stake = toNano('12.5');
      await scenario.request(
        scenario.wallets.alice,
        [call(vault().address, VALUE, stakeWithdraw(stake)), call(vault().address, VALUE, stakeWithdraw(0n))],
        [stake, null].map(amount => ({
          kind: 'stake_withdrawal_request',
          receiver: vault().address,
          amount,
        })),
      );
    },
  },
  {
    name: 'a withdrawal of a stake that the pool pays at once',
    async run(scenario) {
      const { alice } = scenario.wallets;
      const [stake, paid] = [toNano('0.5'), toNano('0.7')];
      const answer = pay(alice.address, paid, plain(OP.stakeWithdrawResponse));
      await scenario.request(
        alice,
        [call(relay.address, VALUE, stakeWithdraw(stake, answer))],
        [{ kind: 'stake_withdrawal', receiver: relay.address, amount: stake }],
      );
    },
  },
  {
    name: 'answers of a pool, and what is left of coins',
    async run(scenario) {
      const { alice, mallory } = scenario.wallets;
      const ops = [OP.stakeDepositResponse, OP.stakeWithdrawDelayed, OP.stakeWithdrawResponse, OP.excesses];
      await scenario.request(
        mallory,
        [call(relay.address, VALUE, relayBody(ops.map(op => pay(alice.address, 10n, plain(op)))))],
        [transferred(relay.address, VALUE)],
      );
    },
  },
];
