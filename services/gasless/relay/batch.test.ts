import type { GaslessSendAccepted } from '../../../contracts/events/gasless-send';
import { batchOf, MAX_REQUESTS } from './batch';

type Accepted = GaslessSendAccepted['data'];

const request = (wallet: string, changed: Partial<Accepted> = {}): Accepted => ({
  network: 'testnet',
  wallet,
  seqno: 0,
  bodyHash: wallet,
  carrierHash: 'c',
  hashes: ['c'],
  quoteKey: 'q',
  source: 's',
  relay: 'r',
  master: 'm',
  destination: 'd',
  amount: '1',
  commission: '1',
  attached: '10',
  loss: '1',
  body: 'AAAA',
  init: null,
  validUntil: 5,
  at: '2026-11-23T12:00:00.000Z',
  rate: { units: '1', nanotons: '1' },
  ...changed,
});
const walletsOf = (requests: readonly Accepted[], coins = 1_000_000n): string[] =>
  batchOf(requests, coins).map(({ wallet }) => wallet);

it('has the first requests, up to fifty', () => {
  const requests = Array.from({ length: 60 }, (_, n) => request(`w${n}`));
  expect(walletsOf(requests)).toEqual(requests.slice(0, MAX_REQUESTS).map(({ wallet }) => wallet));
});

it('has a wallet once', () =>
  expect(batchOf([request('a'), request('b'), request('a', { seqno: 1 })], 100n)).toMatchObject([
    { wallet: 'a', seqno: 0 },
    { wallet: 'b' },
  ]));

it('attaches no more than there is, and lets a smaller request by', () => {
  expect(walletsOf([request('a'), request('b'), request('c')], 29n)).toEqual(['a', 'b']);
  expect(walletsOf([request('a', { attached: '21' }), request('b'), request('c')], 20n)).toEqual(['b', 'c']);
  expect(walletsOf([request('a')], 9n)).toEqual([]);
});

it('is as large as a network takes, with the states of new wallets', () => {
  const large = 'A'.repeat(20_000);
  const requests = ['a', 'b', 'c', 'd'].map(wallet => request(wallet, { body: large }));
  expect(walletsOf(requests)).toEqual(['a', 'b', 'c']);
  const init = { code: large, data: large };
  expect(walletsOf(requests.map(each => ({ ...each, init })))).toEqual(['a']);
});
