import type { z } from 'zod';
import { formatTonAddress } from '../../../contracts/account/address';
import { canonicalDecimal } from '../../../contracts/money/decimal';
import type { createExchangeOrder } from '../../../contracts/http/exchange/orders';
import type { AccountRef } from '../../../contracts/network/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import { Problem } from '../../../contracts/problem/problem';
import type { AnyCall } from '../../http/call';
import type { CallerSource } from '../../http/caller-source';
import { expectExchangeable, type ExchangeCurrencies } from '../market/currencies';
import { findRequestedOrder, type NewExchangeOrder, type RequestedOrder } from './new-order';
import { receiverOf } from './wallet';

export type CreateBody = z.output<NonNullable<typeof createExchangeOrder.body>>;

export interface RequestDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly currencies: Pick<ExchangeCurrencies, 'sourcesOf'>;
  readonly sourceOf: CallerSource;
}

/**
 * What a wallet asks for, compared with what the partner exchanges. A request that was accepted before is accepted again,
 * whatever has changed since. `found` is what there was of it.
 * @throws Problem 400 that names the field, 503 while the currencies are not known
 */
export async function orderRequest(
  { store, currencies, sourceOf }: RequestDeps,
  body: CreateBody,
  { ip }: Pick<AnyCall, 'ip'>,
): Promise<{ readonly request: NewExchangeOrder; readonly found: RequestedOrder }> {
  const { fromCurrency, toCurrency, network, idempotencyKey } = body;
  const wallet = receiverOf(toCurrency, body.wallet, '/body/wallet');
  const request: NewExchangeOrder = {
    wallet,
    source: sourceOf(ip),
    idempotencyKey,
    fromCurrency,
    toCurrency,
    network,
    amountFrom: canonicalDecimal(body.amount)!,
    payoutAddress: payoutAddressOf(wallet),
    // Wallets name none: the partner asks the payer where it needs one.
    refundAddress: null,
  };
  // Documents may not have it yet.
  const found = await findRequestedOrder(store, request);
  if (!found.order) {
    const pair = { from: fromCurrency, to: toCurrency };
    const { blockchain } = await expectExchangeable(currencies, pair, request.amountFrom);
    if (blockchain !== null && blockchain.toLowerCase() !== network.toLowerCase())
      throw Problem.invalid('/body/network', `the blockchain of ${fromCurrency} is ${blockchain}`);
  }
  return { request, found };
}

/** A wallet of TON may not be deployed yet: coins sent to the bounceable form would come back. */
function payoutAddressOf(wallet: AccountRef): string {
  return wallet.chain === 'ton' ? formatTonAddress(wallet.address, wallet.network, false) : wallet.address;
}
