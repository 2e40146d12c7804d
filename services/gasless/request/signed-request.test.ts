import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  external,
  internal,
  type SendMode,
  storeMessage,
  storeStateInit,
} from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import { keyPairFromSeed, sign } from '@ton/crypto';
import { verifyEd25519 } from '../../signing/ed25519';
import { readCarrier } from './carrier';
import { readJettonMessage } from './jetton-message';
import { readSignedRequest } from './signed-request';
import { readWalletState } from '../../wallet-v5/state';

const keys = keyPairFromSeed(Buffer.alloc(32, 1));
const at = (digit: string): Address => Address.parseRaw(`0:${digit.repeat(64)}`);
const [RELAY, RECEIVER, JETTON_WALLET] = [at('1'), at('2'), at('3')];
const wallet = WalletContractV5R1.create({
  publicKey: keys.publicKey,
  walletId: { networkGlobalId: -239 },
});

const transferBody = (to: Address, amount: bigint, forwardAmount: bigint): Cell =>
  beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(RELAY)
    .storeBit(false)
    .storeCoins(forwardAmount)
    .storeBit(false)
    .endCell();

const target = internal({ to: JETTON_WALLET, value: '0.06', body: transferBody(RECEIVER, 1_000_000n, 1n) });
const commission = internal({ to: JETTON_WALLET, value: '0.05', body: transferBody(RELAY, 50_000n, 0n) });

/** As wallet applications make it, by the published library. */
const signedBody = (messages = [target, commission], sendMode: number = 3): Cell =>
  wallet.createTransfer({
    seqno: 0,
    secretKey: keys.secretKey,
    authType: 'internal',
    timeout: 1_800_000_000,
    sendMode: sendMode as SendMode,
    messages,
  });

const carrierOf = (body: Cell, init: typeof wallet.init | null = wallet.init): Buffer =>
  beginCell()
    .store(storeMessage(external({ to: wallet.address, init: init ?? undefined, body })))
    .endCell()
    .toBoc();

/** Another body with a right signature: what is written into it is up to the one who has the key. */
function signedBy(write: (body: ReturnType<typeof beginCell>) => unknown): Cell {
  const unsigned = beginCell();
  write(unsigned);
  const signature = sign(unsigned.endCell().hash(), keys.secretKey);
  return beginCell().storeBuilder(unsigned).storeBuffer(signature).endCell();
}

const header = (prefix: number) =>
  beginCell().storeUint(prefix, 32).storeUint(0x7fffff11, 32).storeUint(1, 32).storeUint(0, 32);
const INTERNAL = 0x73696e74;
const listOf = (...cells: Cell[]): Cell =>
  cells.reduce(
    (previous, cell) =>
      beginCell().storeRef(previous).storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(cell).endCell(),
    Cell.EMPTY,
  );

describe('a request as wallets make it', () => {
  const body = signedBody();

  // Computed apart from this program, for the key of 32 bytes 0x01.
  it('has the hashes and the signature of the test vectors', () => {
    expect(wallet.address.toRawString()).toBe(
      '0:9d1e1843624c4d175a695a8c2de8a5a61f03b93336e8caa4e164bf6cbbab205e',
    );
    const request = readSignedRequest(body)!;
    expect(request.signedHash.toString('hex')).toBe(
      'b9301a6aa27c63a14d0dd43ad96e4fc7e9d0432ddee4b96cce3c9250e8944ac0',
    );
    expect(request.signature.toString('hex')).toBe(
      'b99c96367a6fde13644fb684fceedf143da2d69a8156514e266fe281962ed42029355a2045a20d04eb5f6450eb2f7a0a69d1603010c502949a87d16d2b116409',
    );
    expect(request.bodyHash).toBe('8608b3065ad97c58bc6704fb6edd1b7098f073234a4ab78ebb32df197367f93e');
    expect(readCarrier(carrierOf(body))?.hash).toBe(
      '8b418af740353e0d34407154f6607265421475bbe59952f6f851ee52f6872a90',
    );
  });

  it('is read with its fields, and its signature is that of the key', () => {
    const request = readSignedRequest(body)!;
    expect(request).toMatchObject({ walletId: 0x7fffff11, validUntil: 1_800_000_000, seqno: 0 });
    expect(verifyEd25519(request.signedHash, request.signature, keys.publicKey)).toBe(true);
    expect(request.messages.map(({ mode }) => mode)).toEqual([3, 3]);
    expect(request.messages.map(({ cell }) => readJettonMessage(cell))).toMatchObject([
      {
        to: JETTON_WALLET.toRawString(),
        value: 60_000_000n,
        bounce: true,
        init: null,
        transfer: { amount: 1_000_000n, destination: RECEIVER.toRawString(), forwardAmount: 1n },
      },
      { value: 50_000_000n, transfer: { amount: 50_000n, response: RELAY.toRawString() } },
    ]);
  });

  it('is the same whether its message has it inline or in a reference, with the state of the wallet or without', () => {
    const withInit = readCarrier(carrierOf(body))!;
    const without = readCarrier(carrierOf(body, null))!;
    const inReference = readCarrier(
      beginCell()
        .storeUint(2, 2)
        .storeUint(0, 2)
        .storeAddress(wallet.address)
        .storeCoins(0)
        .storeBit(false)
        .storeBit(true)
        .storeRef(body)
        .endCell()
        .toBoc(),
    )!;
    for (const { wallet: of, body: read } of [withInit, without, inReference]) {
      expect(of).toBe(wallet.address.toRawString());
      expect(read.equals(body)).toBe(true);
    }
    expect(without.init).toBeNull();
    expect(readWalletState(withInit.init!)).toEqual({
      isSignatureAllowed: true,
      seqno: 0,
      walletId: 0x7fffff11,
      publicKey: '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c',
      hasExtensions: false,
    });
  });

  it('keeps the mode of each message, whatever it is', () =>
    expect(readSignedRequest(signedBody([target], 1))?.messages).toMatchObject([{ mode: 1 }]));
});

/** A cell that stands for another one, which somebody has published (type 2). */
const LIBRARY = beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true });

describe('is no request', () => {
  const cell = listOf(beginCell().storeUint(0, 8).endCell());

  it.each([
    ['one for an external message', header(0x7369676e).storeMaybeRef(cell).storeBit(false)],
    ['one of an extension', header(0x6578746e).storeMaybeRef(cell).storeBit(false)],
    ['one without messages', header(INTERNAL).storeMaybeRef(null).storeBit(false)],
    ['one with an empty list', header(INTERNAL).storeMaybeRef(Cell.EMPTY).storeBit(false)],
    [
      'one that also adds an extension',
      header(INTERNAL).storeMaybeRef(cell).storeBit(true).storeUint(2, 8).storeAddress(RECEIVER),
    ],
    ['one that says that it does more, and does not', header(INTERNAL).storeMaybeRef(cell).storeBit(true)],
    [
      'one with something behind a message',
      header(INTERNAL)
        .storeMaybeRef(beginCell().storeSlice(listOf(cell).beginParse()).storeBit(true).endCell())
        .storeBit(false),
    ],
    [
      'one with bits before its signature',
      header(INTERNAL).storeMaybeRef(cell).storeBit(false).storeBit(false),
    ],
    [
      'one with a further reference',
      header(INTERNAL).storeMaybeRef(cell).storeBit(false).storeRef(Cell.EMPTY),
    ],
    [
      'one that sets code',
      header(INTERNAL)
        .storeMaybeRef(
          beginCell().storeRef(Cell.EMPTY).storeUint(0xad4de08e, 32).storeUint(3, 8).storeRef(cell).endCell(),
        )
        .storeBit(false),
    ],
    [
      'one with five messages',
      header(INTERNAL)
        .storeMaybeRef(listOf(cell, cell, cell, cell, cell))
        .storeBit(false),
    ],
    [
      'one with as many messages as no wallet takes',
      header(INTERNAL)
        .storeMaybeRef(listOf(...Array.from({ length: 256 }, () => cell)))
        .storeBit(false),
    ],
    ['one whose list is in a library', header(INTERNAL).storeMaybeRef(LIBRARY).storeBit(false)],
  ])('%s', (_, body) => expect(readSignedRequest(signedBy(to => to.storeBuilder(body)))).toBeNull());

  it('one that would be a request with four messages is one', () => {
    const four = header(INTERNAL)
      .storeMaybeRef(listOf(cell, cell, cell, cell))
      .storeBit(false);
    expect(readSignedRequest(signedBy(to => to.storeBuilder(four)))?.messages).toHaveLength(4);
  });
});

/** Two hundred cells. */
const NESTED = Array.from({ length: 199 }).reduce<Cell>(
  (previous: Cell) => beginCell().storeRef(previous).endCell(),
  Cell.EMPTY,
);

describe('is no carrier', () => {
  const body = signedBody();
  const other = WalletContractV5R1.create({
    publicKey: Buffer.alloc(32, 7),
    walletId: { networkGlobalId: -239 },
  });
  const message = (header: ReturnType<typeof beginCell>, init?: Cell): Buffer => {
    header.storeBit(init !== undefined);
    if (init) header.storeBit(true).storeRef(init);
    return header.storeBit(true).storeRef(body).endCell().toBoc();
  };
  const externalHeader = (to: Address, fee = 0) =>
    beginCell().storeUint(2, 2).storeUint(0, 2).storeAddress(to).storeCoins(fee);
  const init = beginCell().store(storeStateInit(wallet.init)).endCell();
  const { code, data } = wallet.init;
  const libraries = Dictionary.empty(Dictionary.Keys.BigUint(256), {
    serialize: (root: Cell, to) => void to.storeBit(false).storeRef(root),
    parse: () => Cell.EMPTY,
  }).set(0n, Cell.EMPTY);
  const withLibrary = beginCell()
    .storeUint(0, 2)
    .storeMaybeRef(code)
    .storeMaybeRef(data)
    .storeDict(libraries)
    .endCell();
  const special = beginCell()
    .store(storeStateInit({ ...wallet.init, special: { tick: true, tock: false } }))
    .endCell();

  it.each([
    ['bytes', Buffer.from('00', 'hex')],
    ['two roots', Buffer.from('b5ee9c7201010202000400020000000000', 'hex')],
    ['an import fee', message(externalHeader(wallet.address, 1))],
    ['a wallet of the masterchain', message(externalHeader(new Address(-1, wallet.address.hash)))],
    ['the state of another wallet', message(externalHeader(other.address), init)],
    ['a state with tick and tock', message(externalHeader(wallet.address), special)],
    ['a state with a library', message(externalHeader(wallet.address), withLibrary)],
    [
      'a sender',
      message(
        beginCell()
          .storeUint(2, 2)
          .storeUint(1, 2)
          .storeUint(8, 9)
          .storeUint(1, 8)
          .storeAddress(wallet.address)
          .storeCoins(0),
      ),
    ],
    [
      'an internal message',
      beginCell()
        .store(storeMessage({ info: { ...internalInfo(), dest: wallet.address }, body }))
        .endCell()
        .toBoc(),
    ],
    [
      'more cells than a request has',
      carrierOf(
        Array.from({ length: 1_100 }).reduce<Cell>(
          (previous, _, at) =>
            at % 200 === 0
              ? beginCell().storeUint(at, 32).storeRef(previous).storeRef(NESTED).endCell()
              : previous,
          Cell.EMPTY,
        ),
      ),
    ],
    ['more than 16 KiB', Buffer.concat([carrierOf(body), Buffer.alloc(16 * 1024)])],
  ])('%s', (_, boc) => expect(readCarrier(boc)).toBeNull());

  it('a request with a pruned branch in it', () => {
    const pruned = beginCell()
      .storeUint(1, 8)
      .storeUint(1, 8)
      .storeUint(0, 256)
      .storeUint(0, 16)
      .endCell({ exotic: true });
    const boc = carrierOf(beginCell().storeUint(1, 8).storeRef(pruned).endCell());
    expect(readCarrier(boc)).toBeNull();
  });

  it('with cells so deep that a message with many like it would be too deep for a network', () => {
    const nested = (depth: number): Cell => {
      let cell = Cell.EMPTY;
      for (let at = 0; at < depth; at++) cell = beginCell().storeRef(cell).endCell();
      return cell;
    };
    const deep = (depth: number): Buffer =>
      carrierOf(beginCell().storeUint(INTERNAL, 32).storeRef(nested(depth)).endCell(), null);
    expect(readCarrier(deep(200))).not.toBeNull();
    expect(readCarrier(deep(300))).toBeNull();
  });

  function internalInfo() {
    return {
      type: 'internal' as const,
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: RECEIVER,
      value: { coins: 1n },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    };
  }
});
