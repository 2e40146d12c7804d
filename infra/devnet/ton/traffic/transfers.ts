import { type MessageRelaxed, comment, internal, toNano } from '@ton/core';
import { type JettonMaster, jettonTransferBody, jettonWalletAddress } from '../jetton/jetton';
import type { Actor } from './actors';
import { LOCAL_JETTON } from './local-tokens';

export interface NextTransfer {
  readonly from: Actor;
  readonly message: MessageRelaxed;
}

const COMMENTS = ['coffee', 'rent', 'thanks for lunch', 'concert tickets', 'shared taxi', 'happy birthday'];

const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

/**
 * The n-th transfer: alternately coins and jettons, with a comment, from each actor to the next, so that balances stay
 * even.
 */
export function nextTransfer(n: number, actors: readonly Actor[], master: JettonMaster): NextTransfer {
  const pair = Math.floor(n / 2);
  const from = at(actors, pair);
  const to = at(actors, pair + 1).contract.address;
  const text = `${at(COMMENTS, n)} #${n}`;
  if (n % 2 === 0) {
    const value = toNano(((pair % 9) + 1) / 10);
    return { from, message: internal({ to, value, bounce: false, body: comment(text) }) };
  }
  const owner = from.contract.address;
  const body = jettonTransferBody({
    to,
    amount: BigInt((pair % 20) + 1) * 10n ** BigInt(LOCAL_JETTON.decimals),
    response: owner,
    forwardValue: 1n,
    comment: text,
    queryId: BigInt(n),
  });
  return {
    from,
    message: internal({ to: jettonWalletAddress(master.address, owner), value: toNano('0.1'), body }),
  };
}
