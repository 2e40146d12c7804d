import type { Chain } from '../chain';
import type { Parties } from '../parties';
import * as native from './native';
import * as stake from './stake';
import * as tokens from './tokens';

/** Sends one transaction or a few that belong together; may be called again and again. */
type Kind = (chain: Chain, parties: Parties) => Promise<void>;

/** Every kind of transaction that a wallet meets. */
export const KINDS: readonly Kind[] = [
  native.nativeTransfer,
  native.transferWithMemo,
  native.transferToNewAddress,
  native.transferToOneself,
  native.failedTransfer,
  native.failedProgram,
  native.severalInstructions,
  native.versionedTransfer,
  native.priorityWithoutLimit,
  native.unknownProgram,
  native.verifiedSignature,
  tokens.createAndCloseAccount,
  tokens.mintTokens,
  tokens.burnTokens,
  tokens.transferTokens,
  tokens.transferTokensChecked,
  tokens.transferTokensToNewOwner,
  tokens.failedTokenTransfer,
  tokens.batchOfTransfers,
  tokens.transferWithFee,
  tokens.wrapAndUnwrap,
  tokens.swapTokens,
  tokens.handOverAccount,
  stake.stakeAndWithdraw,
  stake.withdrawFromVoteAccount,
  stake.consensusVote,
];
