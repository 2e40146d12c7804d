import { type MessageRelaxed, comment, internal, toNano } from '@ton/core';
import { type JettonMaster, jettonTransferBody, jettonWalletAddress } from '../jetton/jetton';
import type { Actor } from './cast';
import { LOCAL_JETTON } from './setup';

export interface Step {
  readonly from: Actor;
  readonly message: MessageRelaxed;
}

const NOTES = ['coffee', 'rent', 'thanks for lunch', 'concert tickets', 'shared taxi', 'happy birthday'];

const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

/**
 * What happens at the n-th step: in turn a transfer of coins and of jettons, each with a comment, around the circle of
 * actors, so that nobody ends up with everything.
 */
export function step(n: number, actors: readonly Actor[], master: JettonMaster): Step {
  const pair = Math.floor(n / 2);
  const from = at(actors, pair);
  const to = at(actors, pair + 1).contract.address;
  const note = `${at(NOTES, n)} #${n}`;
  if (n % 2 === 0) {
    const value = toNano(((pair % 9) + 1) / 10);
    return { from, message: internal({ to, value, bounce: false, body: comment(note) }) };
  }
  const owner = from.contract.address;
  const body = jettonTransferBody({
    to,
    amount: BigInt((pair % 20) + 1) * 10n ** BigInt(LOCAL_JETTON.decimals),
    response: owner,
    forwardValue: 1n,
    comment: note,
    queryId: BigInt(n),
  });
  return {
    from,
    message: internal({ to: jettonWalletAddress(master.address, owner), value: toNano('0.1'), body }),
  };
}
