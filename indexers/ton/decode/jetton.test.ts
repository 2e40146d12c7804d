import { Address, beginCell, comment, type Builder } from '@ton/core';
import { JETTON_OP } from '../../../contracts/chain/ton-jetton';
import { bouncedJettonOperation, jettonOperation } from './jetton';

const ALICE = Address.parseRaw(`0:${'a1'.repeat(32)}`);
const BOB = Address.parseRaw(`0:${'b0'.repeat(32)}`);
const amount = 123_456_789_012_345_678_901n;

const head = (): Builder => beginCell().storeUint(42, 64).storeCoins(amount);
const read = (op: number, body: Builder) => jettonOperation(op, body.endCell().beginParse());
const shared = { queryId: '42', amount: amount.toString() };

describe('jetton operations', () => {
  it('reads a transfer whose comment is in a reference', () => {
    const body = head()
      .storeAddress(BOB)
      .storeAddress(ALICE)
      .storeMaybeRef(null)
      .storeCoins(7n)
      .storeMaybeRef(comment('for lunch'));
    expect(read(JETTON_OP.transfer, body)).toEqual({
      type: 'transfer',
      ...shared,
      destination: BOB.toRawString(),
      responseDestination: ALICE.toRawString(),
      customPayload: null,
      forwardAmount: '7',
      forwardPayload: comment('for lunch').toBoc({ idx: false }).toString('base64'),
      comment: 'for lunch',
    });
  });

  it('reads a forward payload that is in the body itself', () => {
    const body = head().storeAddress(ALICE).storeBit(false).storeSlice(comment('inline').beginParse());
    expect(read(JETTON_OP.transferNotification, body)).toMatchObject({
      sender: ALICE.toRawString(),
      comment: 'inline',
    });
  });

  it.each([0x15, 0x642b7d07])('reads whom a mint of op %i is for', op => {
    const body = beginCell().storeUint(42, 64).storeAddress(BOB).storeCoins(7n).storeRef(comment('any'));
    expect(read(op, body)).toEqual({ type: 'mint', queryId: '42', destination: BOB.toRawString() });
    expect(read(op, beginCell().storeUint(42, 64).storeAddress(null))).toBeNull();
    expect(read(op, beginCell().storeUint(42, 32))).toBeNull();
  });

  it('reads a missing forward payload as empty, and no address as null', () => {
    const body = head().storeAddress(null).storeAddress(null).storeCoins(0);
    expect(read(JETTON_OP.internalTransfer, body)).toEqual({
      type: 'internal_transfer',
      ...shared,
      from: null,
      responseDestination: null,
      customPayload: null,
      forwardAmount: '0',
      forwardPayload: null,
      comment: null,
    });
  });

  it('reads burns, their notification and excesses', () => {
    expect(read(JETTON_OP.burn, head().storeAddress(ALICE))).toEqual({
      type: 'burn',
      ...shared,
      responseDestination: ALICE.toRawString(),
    });
    expect(read(JETTON_OP.burnNotification, head().storeAddress(BOB).storeAddress(null))).toEqual({
      type: 'burn_notification',
      ...shared,
      sender: BOB.toRawString(),
      responseDestination: null,
    });
    expect(read(JETTON_OP.excesses, beginCell().storeUint(9, 64))).toEqual({
      type: 'excesses',
      queryId: '9',
    });
  });

  it('is null for malformed bodies and other operations', () => {
    expect(read(JETTON_OP.transfer, beginCell().storeUint(42, 64))).toBeNull();
    expect(read(JETTON_OP.transfer, head().storeAddress(null))).toBeNull();
    expect(read(0x5fcc3d14, head())).toBeNull();
  });

  it('reads the amount of a bounced operation, where operations can bounce', () => {
    const returned = head().endCell().beginParse();
    expect(bouncedJettonOperation(JETTON_OP.internalTransfer, returned)).toEqual({
      type: 'bounced',
      of: 'internal_transfer',
      ...shared,
    });
    expect(bouncedJettonOperation(JETTON_OP.excesses, returned)).toBeNull();
  });
});
