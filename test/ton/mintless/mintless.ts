import type { Cell } from '@ton/core';
import { type Address, beginCell, contractAddress, Dictionary, storeStateInit } from '@ton/core';
import { compileContract } from '../../devnet/compile-func';
import type { JettonMaster } from '../../../infra/devnet/ton/jetton/jetton';

interface MintlessJetton extends JettonMaster {
  /** What its server answers an owner (TEP-176). */
  answerTo(owner: Address): { readonly custom_payload: string; readonly state_init: string };
  walletOf(owner: Address): Address;
}

const compile = (target: string): Promise<Cell> => compileContract(__dirname, target);
const text = (cell: Cell): string => cell.toBoc().toString('base64');

/** A mintless jetton (TEP-177) of the contracts beside this file: each owner may claim an amount, until the end of time. */
export async function mintlessJetton(
  content: Cell,
  amounts: readonly (readonly [owner: Address, amount: bigint])[],
): Promise<MintlessJetton> {
  const airdrop = Dictionary.empty(Dictionary.Keys.Address(), {
    serialize: (amount: bigint, builder) =>
      builder
        .storeCoins(amount)
        .storeUint(0, 48)
        .storeUint(2 ** 47, 48),
    parse: slice => slice.loadCoins(),
  });
  for (const [owner, amount] of amounts) airdrop.set(owner, amount);
  const root = beginCell().storeDictDirect(airdrop).endCell().hash();
  const walletCode = await compile('wallet.fc');
  const data = beginCell().storeBuffer(root).storeRef(content).storeRef(walletCode).endCell();
  const init = { code: await compile('minter.fc'), data };
  const address = contractAddress(0, init);

  const walletInit = (owner: Address) => ({
    code: walletCode,
    data: beginCell()
      .storeBit(false)
      .storeCoins(0)
      .storeAddress(owner)
      .storeAddress(address)
      .storeBuffer(root)
      .storeRef(walletCode)
      .endCell(),
  });
  return {
    address,
    init,
    walletOf: owner => contractAddress(0, walletInit(owner)),
    answerTo: owner => ({
      custom_payload: text(
        beginCell()
          .storeUint(0x0df602d6, 32)
          .storeRef(airdrop.generateMerkleProof([owner]))
          .endCell(),
      ),
      state_init: text(
        beginCell()
          .store(storeStateInit(walletInit(owner)))
          .endCell(),
      ),
    }),
  };
}
