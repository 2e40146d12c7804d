import {
  Authorized,
  type Connection,
  LAMPORTS_PER_SOL,
  Lockup,
  PublicKey,
  StakeProgram,
  type TransactionInstruction,
  VoteProgram,
} from '@solana/web3.js';
import { VOTE_ACCOUNT } from '../genesis/validator';
import { type Actor, localKeypair } from './actors';
import { send } from './send';

const VOTE = new PublicKey(VOTE_ACCOUNT.address);

/** An actor delegates a stake to the local validator, if it does not yet. */
export async function seedStake(connection: Connection, { name, keypair }: Actor): Promise<void> {
  const stake = localKeypair(`${name} stake`);
  if (await connection.getAccountInfo(stake.publicKey)) return;
  const { publicKey: owner } = keypair;
  const rent = await connection.getMinimumBalanceForRentExemption(StakeProgram.space);
  const create = StakeProgram.createAccount({
    fromPubkey: owner,
    stakePubkey: stake.publicKey,
    authorized: new Authorized(owner, owner),
    lockup: new Lockup(0, 0, PublicKey.default),
    lamports: rent + LAMPORTS_PER_SOL,
  });
  const delegate = StakeProgram.delegate({
    stakePubkey: stake.publicKey,
    authorizedPubkey: owner,
    votePubkey: VOTE,
  });
  await send(connection, [...create.instructions, ...delegate.instructions], [keypair, stake]);
}

/** Withdraws from the local validator's vote account, by the faucet. */
export function voteWithdrawal(to: PublicKey, lamports: number): TransactionInstruction[] {
  return VoteProgram.withdraw({
    votePubkey: VOTE,
    authorizedWithdrawerPubkey: localKeypair('faucet').publicKey,
    toPubkey: to,
    lamports,
  }).instructions;
}
