import {
  type Address,
  beginCell,
  type Cell,
  contractAddress,
  Dictionary,
  type DictionaryValue,
  storeStateInit,
} from '@ton/core';
import type { JettonMaster } from '../jetton/jetton';
import { MINTLESS_MINTER_CODE, MINTLESS_WALLET_CODE } from './code';

/** `merkle_airdrop_claim` of TEP-177. */
const CLAIM = 0x0df602d6;
/** Seconds since the epoch: every item can be claimed from the beginning to the end of 48 bits. */
const START_FROM = 0;
const EXPIRED_AT = 2 ** 47;

/** What an owner attaches to the transfer that claims. */
export interface MintlessClaim {
  /** Smallest units. */
  readonly amount: bigint;
  readonly startFrom: number;
  readonly expiredAt: number;
  readonly customPayload: Cell;
  /** Of the owner's jetton wallet. */
  readonly stateInit: { readonly code: Cell; readonly data: Cell };
}

export interface MintlessJetton extends JettonMaster {
  /** All that can be claimed: `mintless_merkle_dump_uri` of TEP-177 serves it. */
  readonly airdrop: Cell;
  walletOf(owner: Address): Address;
  /** Null for who is not in the airdrop. */
  claimOf(owner: Address): MintlessClaim | null;
}

/** `_ amount:Coins start_from:uint48 expired_at:uint48 = AirdropItem` of TEP-177. */
const ITEM: DictionaryValue<bigint> = {
  serialize: (amount, builder) =>
    builder.storeCoins(amount).storeUint(START_FROM, 48).storeUint(EXPIRED_AT, 48),
  parse: slice => slice.loadCoins(),
};

/** A mintless jetton (TEP-177) of the contracts beside this file: each owner may claim an amount, in the smallest unit. */
export function mintlessJetton(
  content: Cell,
  amounts: readonly (readonly [owner: Address, amount: bigint])[],
): MintlessJetton {
  const items = Dictionary.empty(Dictionary.Keys.Address(), ITEM);
  for (const [owner, amount] of amounts) items.set(owner, amount);
  const airdrop = beginCell().storeDictDirect(items).endCell();
  const root = airdrop.hash();
  const supply = amounts.reduce((sum, [, amount]) => sum + amount, 0n);
  const data = beginCell()
    .storeCoins(supply)
    .storeBuffer(root)
    .storeRef(content)
    .storeRef(MINTLESS_WALLET_CODE)
    .endCell();
  const init = { code: MINTLESS_MINTER_CODE, data };
  const address = contractAddress(0, init);

  const walletInit = (owner: Address): MintlessClaim['stateInit'] => ({
    code: MINTLESS_WALLET_CODE,
    data: beginCell()
      .storeBit(false)
      .storeCoins(0)
      .storeAddress(owner)
      .storeAddress(address)
      .storeBuffer(root)
      .storeRef(MINTLESS_WALLET_CODE)
      .endCell(),
  });
  return {
    address,
    init,
    airdrop,
    walletOf: owner => contractAddress(0, walletInit(owner)),
    claimOf(owner) {
      const amount = items.get(owner);
      if (amount === undefined) return null;
      const proof = items.generateMerkleProof([owner]);
      return {
        amount,
        startFrom: START_FROM,
        expiredAt: EXPIRED_AT,
        customPayload: beginCell().storeUint(CLAIM, 32).storeRef(proof).endCell(),
        stateInit: walletInit(owner),
      };
    },
  };
}

/** `GET {custom_payload_api_uri}/wallet/{owner}` of TEP-176. */
export function payloadAnswer(owner: Address, { amount, startFrom, expiredAt, ...claim }: MintlessClaim) {
  return {
    owner: owner.toRawString(),
    custom_payload: claim.customPayload.toBoc().toString('base64'),
    state_init: beginCell().store(storeStateInit(claim.stateInit)).endCell().toBoc().toString('base64'),
    compressed_info: {
      amount: String(amount),
      start_from: String(startFrom),
      expired_at: String(expiredAt),
    },
  };
}
