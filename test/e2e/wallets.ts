import { beginCell, external, internal, SendMode, storeMessage, type Address } from '@ton/core';
import { mnemonicToPrivateKey, type KeyPair } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1, type TonClient4 } from '@ton/ton';

type Contract = WalletContractV4 | WalletContractV5R1;

export interface TonWallet {
  readonly contract: Contract;
  readonly keys: KeyPair;
}

const MAINNET = -239;

export function tonWalletOf(keys: KeyPair, version: 'v4r2' | 'v5r1'): TonWallet {
  return {
    keys,
    contract:
      version === 'v4r2'
        ? WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
        : WalletContractV5R1.create({
            publicKey: keys.publicKey,
            walletId: { networkGlobalId: MAINNET },
          }),
  };
}

/** Like a wallet app that imports a mnemonic. */
export async function importTonWallet(mnemonic: string, version: 'v4r2' | 'v5r1'): Promise<TonWallet> {
  return tonWalletOf(await mnemonicToPrivateKey(mnemonic.split(' ')), version);
}

interface Sent {
  /** Lower-case hex of the cell hash of the external message, by which a wallet finds its transaction. */
  readonly messageHash: string;
  /** That of the wallet until the network has executed the message. */
  readonly seqno: number;
}

/** Signs a transfer with a comment for the current seqno of the wallet, and sends it to the node, which accepts it. */
export async function sendTon(
  client: TonClient4,
  { contract, keys }: TonWallet,
  { to, nanotons, comment }: { to: Address; nanotons: bigint; comment: string },
): Promise<Sent> {
  const { last, now } = await client.getLastBlock();
  const seqno = await client.open<Contract>(contract).getSeqno();
  const transfer = {
    seqno,
    secretKey: keys.secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    timeout: now + 300,
    messages: [internal({ to, value: nanotons, bounce: false, body: comment })],
  };
  // TypeScript cannot call a union of the two signatures.
  const body =
    contract instanceof WalletContractV4
      ? contract.createTransfer(transfer)
      : contract.createTransfer(transfer);
  const deployed = await client.isContractDeployed(last.seqno, contract.address);
  const cell = beginCell()
    .store(storeMessage(external({ to: contract.address, init: deployed ? null : contract.init, body })))
    .endCell();
  await client.sendMessage(cell.toBoc());
  return { messageHash: cell.hash().toString('hex'), seqno };
}
