import type { Cell } from '@ton/core';
import { sha256 } from '../../../contracts/encoding/sha256';
import { transferBody, type JettonMessage } from '../request/jetton-message';

/** What a relayer offered a wallet to send, for a commission in the jetton. Addresses are raw. */
export interface Quote {
  readonly wallet: string;
  /** Of the wallet, by the master: messages go there. */
  readonly jettonWallet: string;
  readonly relay: string;
  /** The transfer that the user asked for. */
  readonly target: JettonMessage;
  /** Smallest units of the jetton. */
  readonly commission: bigint;
  /** Unix seconds: a send has to arrive before this. */
  readonly validUntil: number;
}

/** Seconds. */
export const QUOTE_VALID_FOR = 240;

/** As it has to be in front of the relayer: the transfer of the commission costs no more with any jetton that is listed. */
export const COMMISSION_VALUE = 50_000_000n;

/**
 * The transfer of the commission, in the strictest form that published clients accept: all of the rest goes back to the relayer,
 * which is not notified.
 */
export function commissionBody({ relay, commission }: Pick<Quote, 'relay' | 'commission'>): Cell {
  const fields = { queryId: 0n, destination: relay, response: relay, customPayload: null, forwardAmount: 0n };
  return transferBody({ ...fields, amount: commission }, null);
}

/** The transfer that is to be paid for, but for its amount. */
export type Terms = Pick<Quote, 'wallet' | 'jettonWallet' | 'relay' | 'commission'> & {
  readonly target: JettonMessage;
};

/**
 * What a wallet may sign, in one value (hex): everything but the amount, which applications change. Two quotes of one key differ
 * in nothing that costs the relayer anything.
 */
export function quoteKeyOf({ wallet, jettonWallet, relay, commission, target }: Terms): string {
  const { value, init, transfer } = target;
  const { queryId, destination, response, customPayload, forwardAmount, forwardPayload } = transfer;
  const hashOf = (cell: Cell | null): string => cell?.hash().toString('hex') ?? '-';
  const signed = [
    ...[wallet, jettonWallet, relay, commission, value, hashOf(init)],
    ...[queryId, destination, response ?? '-', hashOf(customPayload), forwardAmount, hashOf(forwardPayload)],
  ];
  return sha256(signed.join('|')).toString('hex');
}
