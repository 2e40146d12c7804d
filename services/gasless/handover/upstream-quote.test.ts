import { Address, beginCell, Cell, internal, storeMessageRelaxed } from '@ton/core';
import {
  UpstreamUnavailable,
  type GaslessUpstream,
  type UpstreamMessage,
  type UpstreamQuote,
} from '../../../contracts/ports/gasless-upstream';
import { readJettonMessage, transferBody } from '../request/jetton-message';
import { upstreamQuote } from './upstream-quote';

const [RELAY, RECEIVER, JETTON_WALLET, WALLET, THIRD] = ['1', '2', '3', '4', '5'].map(
  digit => `0:${digit.repeat(64)}`,
) as [string, string, string, string, string];
const COMMISSION = 50_000n;

const transferTo = (changed: Partial<Parameters<typeof transferBody>[0]> = {}, payload: Cell | null = null) =>
  transferBody(
    {
      queryId: 0n,
      amount: 1_000n,
      destination: RECEIVER,
      response: RELAY,
      customPayload: null,
      forwardAmount: 1n,
      ...changed,
    },
    payload,
  );
const wanted = beginCell()
  .store(
    storeMessageRelaxed(internal({ to: Address.parseRaw(JETTON_WALLET), value: '0.06', body: transferTo() })),
  )
  .endCell();
const target = readJettonMessage(wanted)!;
const hex = (cell: Cell): string => cell.toBoc().toString('hex');

const TARGET: UpstreamMessage = {
  address: JETTON_WALLET,
  amount: target.value,
  payload: hex(target.body),
  stateInit: null,
};
/** The transfer of the commission, changed. */
function paid(changed: Parameters<typeof transferTo>[0] = {}, payload: Cell | null = null): UpstreamMessage {
  const fields = { amount: COMMISSION, destination: RELAY, forwardAmount: 0n, ...changed };
  return { ...TARGET, amount: 50_000_000n, payload: hex(transferTo(fields, payload)) };
}

/** @param relay as it is configured */
function upstreamWith(changed: Partial<UpstreamQuote>, relay = RELAY): GaslessUpstream {
  const quote = {
    relay: RELAY,
    wallet: WALLET,
    commission: COMMISSION,
    validUntil: 1_800_000_000,
    messages: [TARGET, paid()],
    ...changed,
  };
  return {
    config: () => Promise.resolve({ jettons: [], relay }),
    estimate: () => Promise.resolve(quote),
    send: () => Promise.reject(new Error('nothing is sent')),
  };
}

const asked = { wallet: WALLET, publicKey: 'aa', master: THIRD, target, message: hex(wanted), caller: 'a' };
const quoteBy = (upstream: GaslessUpstream) => upstreamQuote(upstream, asked);

it('a quote for what was asked is passed on', async () =>
  expect(await quoteBy(upstreamWith({}))).toEqual({
    relay_address: RELAY,
    commission: String(COMMISSION),
    from: WALLET,
    valid_until: 1_800_000_000,
    messages: [
      { address: JETTON_WALLET, amount: '60000000', payload: TARGET.payload },
      { address: JETTON_WALLET, amount: '50000000', payload: paid().payload },
    ],
  }));

describe('is not passed on to a wallet, which would sign it:', () => {
  const state = hex(Cell.EMPTY);
  it.each<[string, Partial<UpstreamQuote>]>([
    [
      'another relay wallet than is configured, with its commission',
      { relay: THIRD, messages: [TARGET, paid({ destination: THIRD, response: THIRD })] },
    ],
    ['another wallet', { wallet: THIRD }],
    ['no commission', { messages: [TARGET] }],
    ['the commission alone', { messages: [paid()] }],
    ['the other order', { messages: [paid(), TARGET] }],
    ['a third message', { messages: [TARGET, paid(), paid()] }],
    ['a commission of nothing', { commission: 0n, messages: [TARGET, paid({ amount: 0n })] }],
  ])('%s', async (_, changed) =>
    expect(await quoteBy(upstreamWith(changed))).toMatchObject({ error: 'try-later' }),
  );

  it.each<[string, Partial<UpstreamMessage>]>([
    ['to another jetton wallet', { address: THIRD }],
    ['with more coins', { amount: target.value + 1n }],
    ['of another amount', { payload: hex(transferTo({ amount: 1_001n })) }],
    ['to another receiver', { payload: hex(transferTo({ destination: THIRD })) }],
    ['with a comment', { payload: hex(transferTo({}, Cell.EMPTY)) }],
    ['without a payload', { payload: null }],
    ['with what is no cell', { payload: 'b5ee' }],
    ['with a state', { stateInit: state }],
  ])('a transfer %s', async (_, changed) =>
    expect(await quoteBy(upstreamWith({ messages: [{ ...TARGET, ...changed }, paid()] }))).toMatchObject({
      error: 'try-later',
    }),
  );

  it.each<[string, UpstreamMessage]>([
    ['to a third address', paid({ destination: THIRD })],
    ['of which a third address gets the rest', paid({ response: THIRD })],
    ['of which nobody gets the rest', paid({ response: null })],
    ['of more than it says', paid({ amount: COMMISSION + 1n })],
    ['with a custom payload', paid({ customPayload: Cell.EMPTY })],
    ['with coins for the receiver', paid({ forwardAmount: 1n })],
    ['with a payload', paid({}, beginCell().storeBit(true).endCell())],
    ['from another jetton wallet', { ...paid(), address: THIRD }],
    ['with more coins', { ...paid(), amount: 50_000_001n }],
    ['without coins', { ...paid(), amount: 0n }],
    ['with a state', { ...paid(), stateInit: state }],
    ['without a payload', { ...paid(), payload: null }],
    ['that is no transfer', { ...paid(), payload: hex(Cell.EMPTY) }],
  ])('a commission %s', async (_, message) =>
    expect(await quoteBy(upstreamWith({ messages: [TARGET, message] }))).toMatchObject({
      error: 'try-later',
    }),
  );
});

it('a wallet that still has the relay wallet of another network is refused before anybody is asked', async () => {
  const upstream = { ...upstreamWith({}, THIRD), estimate: () => Promise.reject(new Error('it was asked')) };
  expect(await quoteBy(upstream)).toMatchObject({ error: 'try-later' });
});

it.each(['config', 'estimate'] as const)(
  'no answer to %s is a refusal, which wallets do not repeat',
  async call => {
    const upstream = { ...upstreamWith({}), [call]: () => Promise.reject(new UpstreamUnavailable('late')) };
    expect(await quoteBy(upstream)).toMatchObject({ error: 'try-later' });
  },
);
