import { Buffer } from 'node:buffer';
import { Address, beginCell, Cell, storeMessage, type Builder } from '@ton/core';
import fc from 'fast-check';
import { decodeTonDeadLetter, decodeTonMessage } from '../../contracts/chain/ton';
import { JETTON_OP } from '../../contracts/chain/ton-jetton';
import { NFT_OP } from '../../contracts/chain/ton-nft';
import type { TonMessage } from '../../contracts/chain/ton-transaction';
import { runs } from '../../test/random';
import { transactionCell } from '../../test/ton/transaction-cell';
import { toUnverifiedRecord } from './records';

const ACCOUNT = `0:${'0a'.repeat(32)}`;
const OTHER = Address.parseRaw(`0:${'0b'.repeat(32)}`);
const NO_TRANSACTION = { lt: '0', hash: '' };
const ORIGIN = { network: 'mainnet', account: ACCOUNT, seqno: 1, origin: 'tail' } as const;

const hashOf = (cell: Cell): string => cell.hash().toString('base64');
const hashOfBoc = (base64: string): string => hashOf(Cell.fromBase64(base64));

/** `addr_std$10 anycast:(Maybe (depth:(#<= 30) rewrite_pfx:(bits depth))) workchain_id:int8 address:bits256`. */
interface AnyAddress {
  readonly depth: number;
  readonly prefix: number;
  readonly hash: Uint8Array;
}

function storeAddress(builder: Builder, { depth, prefix, hash }: AnyAddress): Builder {
  builder.storeUint(0b10, 2).storeBit(depth > 0);
  if (depth > 0) builder.storeUint(depth, 5).storeUint(prefix % 2 ** depth, depth);
  return builder.storeInt(0, 8).storeBuffer(Buffer.from(hash));
}

const anyAddress = fc.record({
  // With 8 and 16 the hash begins at a byte in most bodies, and is read without a copy.
  depth: fc.oneof(fc.constantFrom(0, 8, 16, 24), fc.nat({ max: 30 })),
  prefix: fc.nat({ max: 2 ** 30 - 1 }),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

const library = beginCell().storeUint(2, 8).storeUint(7n, 256).endCell({ exotic: true });
const payload = fc.oneof(
  fc.constant(library),
  fc.string({ maxLength: 20 }).map(text => beginCell().storeUint(0, 32).storeStringTail(text).endCell()),
  fc.nat({ max: 7 }).map(bits => beginCell().storeUint(0, bits).endCell()),
);

const head = (op: number): Builder => beginCell().storeUint(op, 32).storeUint(7, 64);

/** Bodies whose first addresses begin at different bits, with a payload in a reference. */
const body = fc
  .record({ first: anyAddress, second: anyAddress, payload, amount: fc.nat(), skew: fc.nat({ max: 7 }) })
  .chain(({ first, second, payload: rest, amount, skew }) => {
    const addresses = (builder: Builder): Builder => storeAddress(storeAddress(builder, first), second);
    const tail = (builder: Builder): Cell =>
      addresses(builder).storeMaybeRef(null).storeCoins(amount).storeMaybeRef(rest).endCell();
    return fc.constantFrom(
      tail(head(NFT_OP.transfer)),
      storeAddress(head(NFT_OP.ownershipAssigned), first).storeMaybeRef(rest).endCell(),
      tail(head(JETTON_OP.transfer).storeCoins(amount)),
      addresses(head(JETTON_OP.internalTransfer).storeCoins(amount))
        .storeCoins(amount)
        .storeMaybeRef(rest)
        .endCell(),
      storeAddress(head(JETTON_OP.transferNotification).storeCoins(amount), first)
        .storeMaybeRef(rest)
        .endCell(),
      storeAddress(head(JETTON_OP.burn).storeCoins(amount), first).storeMaybeRef(null).endCell(),
      storeAddress(head(0x15), first).endCell(),
      storeAddress(head(0xdeadbeef).storeUint(0, skew), first).storeRef(rest).endCell(),
    );
  });

/** A message with its body in a reference, so that several messages of a transaction can share it. */
function message(cell: Cell, src: Address, dest: Address): Cell {
  const info = {
    type: 'internal' as const,
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src,
    dest,
    value: { coins: 1n },
    ihrFee: 0n,
    forwardFee: 0n,
    createdLt: 1n,
    createdAt: 1,
  };
  return beginCell()
    .store(storeMessage({ info, body: cell }, { forceRef: true }))
    .endCell();
}

function recordOf(received: Cell, sent: readonly Cell[]) {
  const script = { account: ACCOUNT, lt: 5n, prev: NO_TRANSACTION, time: 1, received, sent };
  const boc = transactionCell(script).toBoc();
  const hash = hashOf(Cell.fromBoc(boc)[0]!);
  return { hash, record: toUnverifiedRecord(Cell.fromBoc(boc)[0]!, { lt: '5', hash }, ORIGIN) };
}

it('keeps the bytes of a transaction as the chain has them, whatever its messages hold', () => {
  const own = Address.parseRaw(ACCOUNT);
  fc.assert(
    fc.property(body, body, fc.boolean(), (first, other, isShared) => {
      const second = isShared ? first : other;
      const { hash, record } = recordOf(message(first, OTHER, own), [message(second, own, OTHER)]);
      const published = decodeTonMessage(record.message.value as Buffer);
      if (published.type !== 'transaction') throw new Error(published.type);
      expect(hashOfBoc(published.raw)).toBe(hash);

      const { inMessage, outMessages } = published.transaction;
      const expectBody = (read: TonMessage | null | undefined, written: Cell): void =>
        expect(hashOfBoc(read!.body)).toBe(hashOf(written));
      expectBody(inMessage, first);
      expectBody(outMessages[0], second);
    }),
    runs(75),
  );
});

it('makes a dead letter of bytes that do not have the hash of the transaction', () => {
  const { record, hash } = recordOf(message(Cell.EMPTY, OTHER, OTHER), []);
  expect(record.dead).toBeNull();
  const cell = transactionCell({ account: ACCOUNT, lt: 6n, prev: NO_TRANSACTION, time: 1 });
  const other = toUnverifiedRecord(cell, { lt: '6', hash }, ORIGIN);
  expect(other).toMatchObject({ dead: 'wrong_hash', transaction: null, hash });
  expect(decodeTonDeadLetter(other.message.value as Buffer)).toMatchObject({
    type: 'dead',
    hash,
    reason: `the bytes have the hash ${hashOf(cell)}`,
  });
});
