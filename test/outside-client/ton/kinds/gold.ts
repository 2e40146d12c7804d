import { comment, toNano, type MessageRelaxed } from '@ton/core';
import { jettonTransfer } from '../bodies';
import type { Asset, Part, Scenario } from '../scenario';
import { call, VALUE } from './messages';

/** The jetton that alice has. */
export function gold(scenario: Scenario): Asset {
  return { type: 'jetton', master: scenario.gold.address.toRawString() };
}

interface GoldTransfer {
  readonly amount: bigint;
  readonly forwardValue?: bigint;
  readonly text?: string;
  /** The comment is in the body itself, not in a reference. */
  readonly isInline?: boolean;
}

/** A transfer of jettons from alice to bob, and what must become of it. */
export function goldTransfer(
  scenario: Scenario,
  { amount, forwardValue = toNano('0.01'), text, isInline = false }: GoldTransfer,
): { message: MessageRelaxed; part: Part } {
  const { alice, bob } = scenario.wallets;
  const body = jettonTransfer({
    to: bob.address,
    amount,
    response: alice.address,
    forwardValue,
    isInline,
    ...(text !== undefined && { payload: comment(text) }),
  });
  return {
    message: call(scenario.goldOf(alice.address), VALUE, body),
    part: {
      kind: 'jetton_transfer',
      receiver: bob.address,
      asset: gold(scenario),
      amount,
      forwarded: forwardValue,
      ...(text && { comment: text }),
    },
  };
}

export function someGold(random: () => number): bigint {
  return 1n + BigInt(Math.floor(random() * 1_000));
}
