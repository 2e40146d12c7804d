import {
  Address,
  beginCell,
  Cell,
  comment,
  Dictionary,
  storeMessage,
  storeTransaction,
  type Builder,
  type CommonMessageInfo,
  type CommonMessageInfoInternal,
  type Message,
  type SimpleLibrary,
  type StateInit,
  type Transaction,
} from '@ton/core';
import fc from 'fast-check';
import { JETTON_OP } from '../../../contracts/chain/ton-jetton';
import { NFT_OP } from '../../../contracts/chain/ton-nft';
import { USDE_CONTRACTS } from '../../../contracts/chain/ton-usde';
import { LIQUID_STAKING_POOLS } from '../../../contracts/chain/ton-verified-contracts';
import type { TonMessage } from '../../../contracts/chain/ton-transaction';
import { runs } from '../../../test/random';
import { decodeTransaction } from './decode';

const OWN = Address.parseRaw(`0:${'0a'.repeat(32)}`);
const OTHER = Address.parseRaw(`0:${'0b'.repeat(32)}`);
const NO_HASH = Buffer.alloc(32);

const internalInfo: CommonMessageInfoInternal = {
  type: 'internal',
  ihrDisabled: true,
  bounce: false,
  bounced: false,
  src: OTHER,
  dest: OWN,
  value: { coins: 1n },
  ihrFee: 0n,
  forwardFee: 0n,
  createdLt: 1n,
  createdAt: 1,
};

/** A transaction that received a message, in which one of its actions was skipped. */
function received(message: Message): Cell {
  const transaction = {
    address: BigInt(`0x${OWN.hash.toString('hex')}`),
    lt: 5n,
    prevTransactionHash: 0n,
    prevTransactionLt: 0n,
    now: 1,
    outMessagesCount: 0,
    oldStatus: 'active',
    endStatus: 'active',
    inMessage: message,
    outMessages: Dictionary.empty(),
    totalFees: { coins: 0n },
    stateUpdate: { oldHash: NO_HASH, newHash: NO_HASH },
    description: {
      type: 'generic',
      creditFirst: true,
      aborted: false,
      destroyed: false,
      computePhase: { type: 'skipped', reason: 'no-gas' },
      actionPhase: {
        success: true,
        valid: true,
        noFunds: false,
        statusChange: 'unchanged',
        resultCode: 0,
        totalActions: 1,
        specActions: 0,
        skippedActions: 1,
        messagesCreated: 0,
        actionListHash: 0n,
        totalMessageSize: { cells: 0n, bits: 0n },
      },
    },
  };
  return beginCell()
    .store(storeTransaction(transaction as unknown as Transaction))
    .endCell();
}

const decode = (message: Message) => decodeTransaction(OWN.toRawString(), received(message));
const withBody = (body: Cell, info = internalInfo): TonMessage => decode({ info, body }).inMessage!;
const head = (op: number): Builder => beginCell().storeUint(op, 32).storeUint(7, 64);

describe('bodies of messages', () => {
  it('are a burn notification, without a response address too', () => {
    const body = head(JETTON_OP.burnNotification).storeCoins(5n).storeAddress(OTHER);
    const expected = { type: 'burn_notification', amount: '5', sender: OTHER.toRawString() };
    expect(withBody(body.endCell()).jetton).toMatchObject({ ...expected, responseDestination: null });
    expect(withBody(body.storeAddress(OWN).endCell()).jetton).toMatchObject({
      ...expected,
      responseDestination: OWN.toRawString(),
    });
  });

  it('are the transfer of an NFT and its notification', () => {
    const transfer = head(NFT_OP.transfer)
      .storeAddress(OTHER)
      .storeAddress(null)
      .storeMaybeRef(null)
      .storeCoins(9n)
      .storeMaybeRef(comment('a gift'));
    expect(withBody(transfer.endCell()).nft).toEqual({
      type: 'transfer',
      queryId: '7',
      newOwner: OTHER.toRawString(),
      responseDestination: null,
      forwardAmount: '9',
      comment: 'a gift',
    });
    const assigned = head(NFT_OP.ownershipAssigned).storeAddress(OTHER).storeMaybeRef(comment('a gift'));
    expect(withBody(assigned.endCell()).nft).toEqual({
      type: 'ownership_assigned',
      queryId: '7',
      previousOwner: OTHER.toRawString(),
      comment: 'a gift',
    });
  });

  describe('of staking', () => {
    const at = (raw: string): Address => Address.parseRaw(raw);
    const [pool, { stakedUsde }] = [LIQUID_STAKING_POOLS.mainnet, USDE_CONTRACTS.mainnet];
    const staking = (body: Builder, parties: { src?: string; dest?: string } = {}) => {
      const { src = OTHER.toRawString(), dest = OWN.toRawString() } = parties;
      return withBody(body.endCell(), { ...internalInfo, src: at(src), dest: at(dest) }).staking;
    };

    it('have the layout of the contract that they go to', () => {
      // What a nominator pool reads as a limit of gas and a stake, a liquid pool reads as an amount and the start of an address.
      const withdrawal = () => head(0xda803efd).storeCoins(100_000n).storeCoins(12n).storeAddress(OWN);
      expect(staking(withdrawal())).toEqual({ type: 'withdraw', stake: '12' });
      expect(staking(withdrawal(), { dest: pool })).toEqual({ type: 'liquid_withdraw', jettons: '100000' });
      const deposit = () => head(0x7bcd1fef).storeCoins(100_000n).storeAddress(OWN).storeCoins(0n);
      expect(staking(deposit())).toEqual({ type: 'deposit' });
      expect(staking(deposit(), { dest: pool })).toEqual({ type: 'liquid_deposit', amount: '100000' });
      const collect = () => head(0x4a10e022).storeAddress(OWN);
      expect(staking(collect())).toBeNull();
      expect(staking(collect(), { dest: pool })).toEqual({ type: 'liquid_collect' });
    });

    it('have the meaning of the contract that they come from', () => {
      const owed = () => head(0x2334e467).storeUint(7, 32).storeCoins(5n).storeAddress(OWN);
      expect(staking(owed())).toBeNull();
      expect(staking(owed(), { src: pool })).toEqual({ type: 'liquid_owed', round: 7, amount: '5' });
      expect(staking(head(0x23d421e1), { src: pool })).toEqual({ type: 'withdraw_response' });
      const lock = () => head(0xb2583ed5).storeCoins(5n).storeUint(1_700_000_000, 32);
      expect(staking(lock())).toBeNull();
      expect(staking(lock(), { src: stakedUsde })).toEqual({
        type: 'usde_lock',
        amount: '5',
        unlockAt: 1_700_000_000,
      });
    });

    it('are the claim of USDe, whose destination is the master', () => {
      const claim = head(0xd750cec9).storeCoins(5n).storeAddress(at(stakedUsde));
      expect(staking(claim)).toEqual({ type: 'usde_claim', amount: '5', destination: stakedUsde });
    });

    it.each([
      [0xda803efd, pool],
      [0x7bcd1fef, pool],
      [0xd750cec9, OWN.toRawString()],
    ])('are nothing when they are cut: %d', (op, dest) => {
      expect(staking(beginCell().storeUint(op, 32).storeUint(7, 40), { dest })).toBeNull();
      expect(staking(head(op), { dest })).toBeNull();
    });
  });

  it('are requests to a staking pool and its responses', () => {
    const withdraw = (stake: bigint): Cell =>
      head(0xda803efd).storeCoins(100_000n).storeCoins(stake).endCell();
    expect(withBody(withdraw(12n)).staking).toEqual({ type: 'withdraw', stake: '12' });
    for (const [op, type] of [
      [0x7bcd1fef, 'deposit'],
      [0xc641e932, 'deposit_response'],
      [0x74bb3427, 'withdraw_delayed'],
      [0x23d421e1, 'withdraw_response'],
    ] as const)
      expect(withBody(head(op).endCell()).staking).toEqual({ type });
  });

  it('are requests to the account of a card', () => {
    expect(withBody(head(0x59da2019).storeCoins(3n).endCell()).card).toEqual({
      type: 'account_top_up',
      amount: '3',
    });
    const limits = head(0x2bc69c40).storeCoins(1n).storeCoins(0n).storeCoins(3n);
    expect(withBody(limits.endCell()).card).toEqual({
      type: 'account_limits_change',
      onetime: '1',
      daily: '0',
      monthly: '3',
    });
    expect(withBody(beginCell().storeUint(0x59da2019, 32).endCell()).card).toBeNull();
  });

  it('have no comment when it is empty', () => {
    expect(withBody(comment(''))).toMatchObject({ op: 0, comment: null });
  });
});

it('has extra currencies, apart from the coins', () => {
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  other.set(100, 10n ** 30n);
  other.set(4_294_967_295, 1n);
  const info = { ...internalInfo, value: { coins: 7n, other } };
  expect(withBody(Cell.EMPTY, info).info).toMatchObject({
    value: '7',
    extraCurrency: { '100': `1${'0'.repeat(30)}`, '4294967295': '1' },
  });
});

it('has an IHR fee as it was paid before version 12 of the network, and flags since', () => {
  const info = (ihrFee: bigint) => withBody(Cell.EMPTY, { ...internalInfo, ihrFee }).info;
  expect(info(1_500_000n)).toMatchObject({ ihrFee: '1500000', extraFlags: 0 });
  expect(info(3n)).toMatchObject({ ihrFee: '0', extraFlags: 3 });
});

it('has the libraries of a state init', () => {
  const root = beginCell().storeUint(5, 8).endCell();
  const libraries = Dictionary.empty<bigint, SimpleLibrary>(Dictionary.Keys.BigUint(256), {
    serialize: (library, builder) => builder.storeBit(library.public).storeRef(library.root),
    parse: slice => ({ public: slice.loadBit(), root: slice.loadRef() }),
  });
  libraries.set(BigInt(`0x${root.hash().toString('hex')}`), { public: true, root });
  const init: StateInit = { code: root, data: null, libraries };
  expect(decode({ info: internalInfo, init, body: Cell.EMPTY }).inMessage!.init).toEqual({
    splitDepth: null,
    special: null,
    code: root.toBoc({ idx: false, crc32: true }).toString('base64'),
    data: null,
    libraries: [
      {
        hash: root.hash().toString('base64'),
        public: true,
        root: root.toBoc({ idx: false, crc32: true }).toString('base64'),
      },
    ],
  });
});

/** A cell whose references lead to the same cells again and again: few cells, but an endless tree. */
function sharedTree(depth: number): Cell {
  let cell = beginCell().storeUint(1, 8).endCell();
  for (let level = 0; level < depth; level++)
    cell = beginCell().storeUint(0b10, 2).storeRef(cell).storeRef(cell).endCell();
  return cell;
}

const bits = (max: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(max)) - 1n });
const anyCell: fc.Arbitrary<Cell> = fc.letrec<{ cell: Cell }>(tie => ({
  cell: fc
    .tuple(
      fc
        .integer({ min: 0, max: 700 })
        .chain(length => fc.tuple(fc.constant(length), bits(Math.max(length, 1)))),
      fc.array(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          fc.constant(Cell.EMPTY),
          fc.constant(sharedTree(300)),
          tie('cell'),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([[length, value], refs]) => {
      const builder = beginCell().storeUint(BigInt.asUintN(length, value), length);
      for (const ref of refs) builder.storeRef(ref);
      return builder.endCell();
    }),
})).cell;

const OPS = [
  ...Object.values(JETTON_OP),
  ...Object.values(NFT_OP),
  ...[0xffffffff, 0xfffffffe, 0, 0x7369676e, 0x73696e74, 0x6578746e, 0x706c7567],
  ...[0xda803efd, 0x7bcd1fef, 0x59da2019, 0x2bc69c40],
];
const hostileBody = fc.tuple(fc.constantFrom(...OPS), anyCell, fc.boolean()).map(([op, cell, plain]) => {
  if (plain) return cell;
  const slice = cell.beginParse();
  const fits = Math.min(slice.remainingBits, 1023 - 32);
  const builder = beginCell().storeUint(op, 32).storeBits(slice.loadBits(fits));
  while (slice.remainingRefs > 0) builder.storeRef(slice.loadRef());
  return builder.endCell();
});

describe('no body', () => {
  const infos: CommonMessageInfo[] = [
    internalInfo,
    { ...internalInfo, bounced: true },
    { type: 'external-in', dest: OWN, importFee: 0n },
  ];

  it('makes a transaction undecodable, or its decoding endless', () => {
    fc.assert(
      fc.property(hostileBody, fc.constantFrom(...infos), (body, info) => {
        expect(decode({ info, body }).inMessage).not.toBeNull();
      }),
      runs(150),
    );
  });

  /** A message in a request, with a dictionary of extra currencies and one of libraries. */
  const message = (currencies: Cell, libraries: Cell): Cell =>
    beginCell()
      .storeUint(0b0110, 4)
      .storeAddress(null)
      .storeAddress(OTHER)
      .storeCoins(5n)
      .storeMaybeRef(currencies)
      .storeCoins(0n)
      .storeCoins(0n)
      .storeUint(0, 96)
      .storeBit(true) // a state init, in the message itself
      .storeBit(false)
      .storeUint(0, 2)
      .storeMaybeRef(null)
      .storeMaybeRef(null)
      .storeMaybeRef(libraries)
      .storeBit(false)
      .storeUint(0, 32)
      .storeStringTail('x')
      .endCell();
  const requested = (cell: Cell) => {
    const request = beginCell().storeBuffer(Buffer.alloc(64)).storeUint(0, 96).storeUint(3, 8).storeRef(cell);
    return decode({ info: { type: 'external-in', dest: OWN, importFee: 0n }, body: request.endCell() });
  };

  it('does so as a request to a wallet, whose messages nobody has checked', () => {
    expect(requested(message(sharedTree(300), sharedTree(300)))).toMatchObject({
      success: false,
      unsent: [{ mode: 3, comment: 'x', init: null, info: { dest: OTHER.toRawString(), value: '5' } }],
    });
  });

  it('hides the extra currencies of a request', () => {
    const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
    for (let id = 1; id <= 100; id++) other.set(id, BigInt(id));
    const { unsent } = requested(message(beginCell().storeDictDirect(other).endCell(), Cell.EMPTY));
    expect(unsent[0]!.info).toMatchObject({ value: '5', extraCurrency: { '1': '1', '100': '100' } });
  });
});

it('has the hash of the cell of a message', () => {
  const init: StateInit = { code: comment('code'), data: null };
  const message: Message = { info: internalInfo, init, body: comment('hello') };
  const cell = beginCell().store(storeMessage(message)).endCell();
  expect(decode(message).inMessage!.hash).toBe(cell.hash().toString('base64'));
});
