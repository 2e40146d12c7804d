import { Address, Cell, internal, loadStateInit, SendMode } from '@ton/core';
import type { WalletContractV5R1 } from '@ton/ton';
import type { LocalWallet } from '../../infra/devnet/ton/wallets';
import { carrierOf } from './relayer';

/** A message that an estimate answers with; cells are bags in hex. */
interface AnsweredMessage {
  readonly address: string;
  readonly amount: string;
  readonly payload?: string | undefined;
  readonly stateInit?: string | undefined;
}

/** What a wallet posts of the messages of an answer as they are, signed by the published library: hex. @param validFor seconds */
export async function signedAnswer(
  wallet: LocalWallet,
  messages: readonly AnsweredMessage[],
  { validFor = 120, seqno = 0 }: { readonly validFor?: number; readonly seqno?: number } = {},
): Promise<string> {
  const body = await (wallet.contract as WalletContractV5R1).createTransfer({
    authType: 'internal',
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    seqno,
    timeout: Math.floor(Date.now() / 1_000) + validFor,
    signer: wallet.signer,
    messages: messages.map(({ address, amount, payload, stateInit }) =>
      internal({
        to: Address.parse(address),
        value: BigInt(amount),
        ...(payload !== undefined && { body: Cell.fromHex(payload) }),
        ...(stateInit !== undefined && { init: loadStateInit(Cell.fromHex(stateInit).beginParse()) }),
      }),
    ),
  });
  return carrierOf(wallet, seqno === 0 ? wallet.contract.init : null, body).toString('hex');
}
