import { formatTonAddress } from '../../../contracts/account/address';
import type { CardHolder } from './card-holders';
import { STAKING_MEMBER, STAKING_POOLS } from './ton-stakes';

/** A request that is sent repeatedly. */
export interface BenchRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** With an access token of the instance. */
  readonly signed?: true;
}

interface FilledIds {
  readonly tonAddress: string;
  readonly tonHash: string;
  readonly jettonOwner: string;
  readonly app: string;
  readonly solanaAddress: string;
  readonly signature: string;
  readonly exchange: { readonly address: string; readonly orderId: string };
  readonly invoiceId: string;
  readonly card: CardHolder;
}

/** The names of those of the card service. */
export const CARD_READS = ['card holder', 'card accounts', '20 card events'];

/** The names of those of staking. */
export const STAKE_READS = ['stakes in 10 pools', '2,000 stake movements'];

/** Each read endpoint once, as wallets and the back office call it, for existing things. */
export function readsOf(ids: FilledIds): BenchRequest[] {
  const { tonAddress, tonHash, jettonOwner, app, solanaAddress, signature, exchange, invoiceId, card } = ids;
  const post = (name: string, path: string, body: object): BenchRequest => ({
    name,
    method: 'POST',
    path,
    body,
  });
  const admin = (body: { readonly action: string }): BenchRequest => ({
    ...post(body.action, '/api/instance-admin', body),
    signed: true,
  });
  const friendly = (raw: string): string => formatTonAddress(raw, 'mainnet');
  const [member, pools] = [friendly(STAKING_MEMBER.toRawString()), STAKING_POOLS.map(friendly)];
  return [
    { name: 'history v1', method: 'GET', path: `/transactions/${tonAddress}` },
    { name: 'history v2', method: 'GET', path: `/transactions/v2/${tonAddress}` },
    post('history v3', '/transactions/v3', { account: { tonAddress, solanaAddress }, network: 'mainnet' }),
    post('TON status', '/ton/transactions/status/mainnet', { txHash: tonHash }),
    { name: '200 jettons', method: 'GET', path: `/hints/full/${jettonOwner}` },
    { name: 'prices', method: 'GET', path: '/v2/price' },
    post('rates', '/v2/rates', { network: 'mainnet', tokens: ['ton'], currencies: ['usd'] }),
    { name: 'chart of 30 days', method: 'GET', path: '/v2/rates/chart?period=30d&currency=EUR' },
    { name: 'application', method: 'GET', path: `/apps/metadata?url=${app}` },
    { name: 'application of the catalog', method: 'GET', path: `/apps/catalog?url=${app}` },
    post('Solana account', '/solana/account/mainnet', { address: solanaAddress }),
    post('Solana tokens', '/solana/tokens/mainnet', { address: solanaAddress }),
    post('Solana transactions', '/solana/transactions/mainnet', { address: solanaAddress }),
    post('Solana transaction', '/solana/transaction/mainnet', { signature }),
    post(STAKE_READS[0]!, '/staking/member/info', { address: member, pools }),
    post(STAKE_READS[1]!, '/staking-indexer/indexer/nominator', { addr: member, pool: pools[0] }),
    post('exchange orders', '/exchange/transactions', { wallet: { ton: exchange.address } }),
    post('exchange order', '/exchange/transaction/details', { transactionId: exchange.orderId }),
    post(CARD_READS[0]!, '/card/account/state', { token: card.token }),
    post(CARD_READS[1]!, '/card/v2/account/list', { token: card.token }),
    post(CARD_READS[2]!, '/card/v2/card/events', { token: card.token, cardId: card.cardId, limit: 20 }),
    admin({ action: 'get_revenue' }),
    admin({ action: 'list_fee_ledger' }),
    admin({ action: 'list_invoices' }),
    { ...admin({ action: 'get_invoice' }), body: { action: 'get_invoice', invoiceId } },
  ];
}
