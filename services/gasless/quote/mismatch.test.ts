import { Address, beginCell, Cell, internal, type MessageRelaxed, storeMessageRelaxed } from '@ton/core';
import { commissionFor } from './commission';
import { readJettonMessage } from '../request/jetton-message';
import { mismatchOf } from './mismatch';
import { commissionBody, type Quote } from './quote';

const at = (digit: string): string => `0:${digit.repeat(64)}`;
const [RELAY, RECEIVER, JETTON_WALLET, WALLET, OTHER] = ['1', '2', '3', '4', '5'].map(at) as [
  string,
  string,
  string,
  string,
  string,
];
const BALANCE = 2_000_000n;
const COMMISSION = 50_000n;
/** What the user typed is one unit more: the application leaves it off for the estimate. */
const QUOTED = 999_999n;

interface Terms {
  readonly to?: string;
  readonly value?: bigint;
  readonly bounce?: boolean;
  readonly init?: MessageRelaxed['init'];
  readonly queryId?: number;
  readonly amount?: bigint;
  readonly destination?: string;
  readonly response?: string | null;
  readonly custom?: Cell | null;
  readonly forwardAmount?: bigint;
  /** Written behind its first bit. */
  readonly inline?: Cell;
  readonly inReference?: Cell;
}

function cellOf({ to = JETTON_WALLET, value = 60_000_000n, bounce = true, ...terms }: Terms): Cell {
  const { queryId = 0, amount = QUOTED, destination = RECEIVER, response = RELAY } = terms;
  const body = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(Address.parseRaw(destination))
    .storeAddress(response === null ? null : Address.parseRaw(response))
    .storeMaybeRef(terms.custom ?? null)
    .storeCoins(terms.forwardAmount ?? 1n);
  if (terms.inReference) body.storeBit(true).storeRef(terms.inReference);
  else body.storeBit(false).storeSlice((terms.inline ?? Cell.EMPTY).beginParse());
  return messageOf(to, value, bounce, body.endCell(), terms.init);
}

const messageOf = (to: string, value: bigint, bounce: boolean, body: Cell, init?: Terms['init']): Cell =>
  beginCell()
    .store(storeMessageRelaxed(internal({ to: Address.parseRaw(to), value, bounce, body, init })))
    .endCell();

const text = (said: string): Cell => beginCell().storeUint(0, 32).storeStringTail(said).endCell();
const quoteOf = (terms: Terms = {}): Quote => ({
  wallet: WALLET,
  jettonWallet: JETTON_WALLET,
  relay: RELAY,
  target: readJettonMessage(cellOf(terms))!,
  commission: COMMISSION,
  validUntil: 1_800_000_000,
});
const COMMISSION_CELL = messageOf(JETTON_WALLET, 50_000_000n, true, commissionBody(quoteOf()));

const signed = (cell: Cell, mode = 3) => ({ mode, message: readJettonMessage(cell) });
const mismatch = (quote: Quote, target: Terms, balance = BALANCE) =>
  mismatchOf(quote, [signed(cellOf(target)), signed(COMMISSION_CELL)], balance);

describe('what an application signs after an estimate is covered by the quote', () => {
  it.each<[string, Terms, Terms]>([
    ['the quoted messages', {}, {}],
    ['one unit more, an empty payload in a reference', {}, { amount: QUOTED + 1n, inReference: Cell.EMPTY }],
    ['a comment moved into a reference', { inline: text('hi') }, { inReference: text('hi') }],
    ['a comment in a reference as before', { inReference: text('hi') }, { inReference: text('hi') }],
    ['less', {}, { amount: 1n }],
  ])('%s', (_, quoted, sent) => expect(mismatch(quoteOf(quoted), sent)).toBeNull());

  it('all that the commission leaves', () => {
    const rest = BALANCE - COMMISSION;
    expect(mismatch(quoteOf({ amount: BALANCE - 1n }), { amount: rest, inReference: Cell.EMPTY })).toBeNull();
  });

  it('a transfer to the relayer itself', () =>
    expect(mismatch(quoteOf({ destination: RELAY }), { destination: RELAY })).toBeNull());
});

describe('is refused', () => {
  it('more than the user typed', () =>
    expect(mismatch(quoteOf(), { amount: QUOTED + 2n })).toBe('amount_above_quote'));

  it('more than the commission leaves, where the quote allows it', () => {
    const rest = BALANCE - COMMISSION;
    expect(mismatch(quoteOf({ amount: BALANCE }), { amount: rest + 1n })).toBe('amount_above_balance');
  });

  const init = { code: Cell.EMPTY, data: text('data') };
  it.each<[string, Terms]>([
    ['another jetton wallet', { to: OTHER }],
    ['more coins', { value: 60_000_001n }],
    ['fewer coins', { value: 59_999_999n }],
    ['no bounce', { bounce: false }],
    ['a state', { init }],
    ['another query id', { queryId: 1 }],
    ['nothing', { amount: 0n }],
    ['another receiver', { destination: OTHER }],
    ['excess for the user', { response: WALLET }],
    ['excess for nobody', { response: null }],
    ['a custom payload', { custom: Cell.EMPTY }],
    ['more coins for the receiver', { forwardAmount: 2n }],
    ['another comment', { inline: text('ho') }],
    ['a comment that was not quoted, in a reference', { inReference: text('ho') }],
  ])('%s', (_, sent) => expect(mismatch(quoteOf(), sent)).toBe('other_messages'));

  it.each([0, 1, 2, 19, 64, 66, 128, 130, 35])('mode %i of either message', mode => {
    const [target, commission] = [cellOf({}), COMMISSION_CELL];
    expect(mismatchOf(quoteOf(), [signed(target, mode), signed(commission)], BALANCE)).toBe('other_messages');
    expect(mismatchOf(quoteOf(), [signed(target), signed(commission, mode)], BALANCE)).toBe('other_messages');
  });

  it.each<[string, readonly Cell[]]>([
    ['no commission', [cellOf({})]],
    ['the commission alone', [COMMISSION_CELL]],
    ['the other order', [COMMISSION_CELL, cellOf({})]],
    ['the commission twice', [cellOf({}), COMMISSION_CELL, COMMISSION_CELL]],
    ['the transfer twice', [cellOf({}), cellOf({}), COMMISSION_CELL]],
    ['nothing', []],
    ['less commission', [cellOf({}), messageOf(JETTON_WALLET, 50_000_000n, true, lessCommission())]],
    ['the commission with more coins', [cellOf({}), messageOf(JETTON_WALLET, 50_000_001n, true, paid())]],
    ['the commission to another jetton wallet', [cellOf({}), messageOf(OTHER, 50_000_000n, true, paid())]],
    ['the commission without bounce', [cellOf({}), messageOf(JETTON_WALLET, 50_000_000n, false, paid())]],
    [
      'the commission with a payload in a reference',
      [
        cellOf({}),
        cellOf({
          value: 50_000_000n,
          amount: COMMISSION,
          destination: RELAY,
          forwardAmount: 0n,
          inReference: Cell.EMPTY,
        }),
      ],
    ],
  ])('%s', (_, cells) =>
    expect(
      mismatchOf(
        quoteOf(),
        cells.map(cell => signed(cell)),
        BALANCE,
      ),
    ).toBe('other_messages'),
  );

  it('either message with a state that was not quoted', () => {
    const withState = (cell: Cell) => {
      const { message, mode } = signed(cell);
      return { mode, message: { ...message!, init: Cell.EMPTY } };
    };
    const [target, commission] = [cellOf({}), COMMISSION_CELL];
    for (const messages of [
      [withState(target), signed(commission)],
      [signed(target), withState(commission)],
    ])
      expect(mismatchOf(quoteOf(), messages, BALANCE)).toBe('other_messages');
  });

  it('a message that is no transfer of jettons', () => {
    const coins = messageOf(OTHER, 1n, true, Cell.EMPTY);
    expect(mismatchOf(quoteOf(), [signed(coins), signed(COMMISSION_CELL)], BALANCE)).toBe('other_messages');
  });

  function paid(): Cell {
    return commissionBody(quoteOf());
  }
  function lessCommission(): Cell {
    return commissionBody({ relay: RELAY, commission: COMMISSION - 1n });
  }
});

describe('a message is no transfer that can be quoted', () => {
  const to = Address.parseRaw(JETTON_WALLET);
  const body = readJettonMessage(cellOf({}))!.body;
  const relaxed = (message: Partial<MessageRelaxed['info']>): Cell => {
    const { info } = internal({ to, value: 1n, body });
    const changed = { info: { ...info, ...message } as MessageRelaxed['info'], body };
    return beginCell().store(storeMessageRelaxed(changed)).endCell();
  };

  it.each<[string, Cell]>([
    ['with a sender', relaxed({ src: to })],
    ['with forwarding fees', relaxed({ forwardFee: 1n })],
    ['with extra flags', relaxed({ ihrFee: 1n })],
    ['that has bounced', relaxed({ bounced: true })],
    ['for hypercube routing', relaxed({ ihrDisabled: false })],
    ['with a logical time', relaxed({ createdLt: 1n })],
    ['with a time', relaxed({ createdAt: 1 })],
    [
      'with an extra currency',
      beginCell()
        .store(storeMessageRelaxed(internal({ to, value: 1n, extracurrency: { 1: 1n }, body })))
        .endCell(),
    ],
    ['with a state that is not of its receiver', cellOf({ init: { code: Cell.EMPTY, data: Cell.EMPTY } })],
    [
      'with something behind its payload',
      messageOf(
        JETTON_WALLET,
        1n,
        true,
        beginCell()
          .storeSlice(readJettonMessage(cellOf({ inReference: text('a') }))!.body.beginParse())
          .storeBit(true)
          .endCell(),
      ),
    ],
    [
      'of another operation',
      messageOf(JETTON_WALLET, 1n, true, beginCell().storeUint(0x595f07bc, 32).endCell()),
    ],
  ])('%s', (_, cell) => expect(readJettonMessage(cell)).toBeNull());
});

describe('the commission', () => {
  const terms = { rate: { units: 3n, nanotons: 1_000n }, marginBasisPoints: 1_000n, minimum: 5n };

  it('is the costs with the margin at the rate, rounded up, and the minimum', () => {
    // 1,000,001 * 1.1 * 3 / 1,000 = 3,300.0033
    expect(commissionFor(1_000_001n, terms)).toBe(3_301n + 5n);
    expect(commissionFor(1_000_000n, terms)).toBe(3_300n + 5n);
  });

  it('is never below the costs, however little a unit is worth', () =>
    expect(commissionFor(1n, { ...terms, rate: { units: 1n, nanotons: 10n ** 12n } })).toBe(1n + 5n));
});
