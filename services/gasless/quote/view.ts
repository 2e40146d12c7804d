import type { Cell } from '@ton/core';
import { COMMISSION_VALUE, commissionBody, type Quote } from './quote';

/** A quote as clients read it: addresses raw, cells in hexadecimal. */
export interface QuoteView {
  readonly relay_address: string;
  readonly commission: string;
  readonly from: string;
  readonly valid_until: number;
  readonly messages: QuotedMessage[];
}

export interface QuotedMessage {
  readonly address: string;
  /** Nanotons. */
  readonly amount: string;
  readonly payload?: string;
  readonly stateInit?: string;
}

/** The transfer as it was asked for, and that of the commission after it. */
export function quoteView({ wallet, jettonWallet, relay, target, commission, validUntil }: Quote): QuoteView {
  const message = (value: bigint, payload: Cell, init: Cell | null): QuotedMessage => ({
    address: jettonWallet,
    amount: value.toString(),
    payload: hexOf(payload),
    ...(init && { stateInit: hexOf(init) }),
  });
  return {
    relay_address: relay,
    commission: commission.toString(),
    from: wallet,
    valid_until: validUntil,
    messages: [
      message(target.value, target.body, target.init),
      message(COMMISSION_VALUE, commissionBody({ relay, commission }), null),
    ],
  };
}

const hexOf = (cell: Cell): string => cell.toBoc().toString('hex');
