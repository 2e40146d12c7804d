import type { TokenTransfer } from '../../../contracts/chain/solana-transaction';
import { wholeTokens } from './amount';
import type { Instruction } from './instructions';
import type { TokenAccounts } from './token-accounts';
import { tokenMovement } from './token-instructions';

/** The transfers, mints and burns of a transaction, in the order they happened. */
export function tokenTransfers(
  instructions: readonly Instruction[],
  { accounts, decimals }: TokenAccounts,
): TokenTransfer[] {
  const transfers: TokenTransfer[] = [];
  for (const instruction of instructions) {
    const moved = tokenMovement(instruction);
    if (!moved) continue;
    const from = moved.source === undefined ? undefined : accounts.get(moved.source);
    const to = moved.destination === undefined ? undefined : accounts.get(moved.destination);
    const mint = moved.mint ?? from?.mint ?? to?.mint;
    const places = moved.decimals ?? (mint === undefined ? undefined : decimals.get(mint));
    // Neither side names the token: an old block, or an account that existed only within the transaction.
    if (mint === undefined || places === undefined) continue;
    transfers.push({
      fromTokenAccount: moved.source ?? '',
      toTokenAccount: moved.destination ?? '',
      fromUserAccount: moved.source === undefined ? '' : from?.owner || moved.authority || '',
      toUserAccount: to?.owner ?? '',
      mint,
      tokenStandard: places === 0 && moved.amount === 1n ? 'NonFungible' : 'Fungible',
      tokenAmount: Number(wholeTokens(moved.amount, places)),
      rawAmount: moved.amount.toString(),
    });
  }
  return transfers;
}
