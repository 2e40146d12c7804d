import type { StoredAccount } from '../svm/account';
import { STAKE, SYSTEM, VOTE } from '../svm/programs';
import { STAKE_ACCOUNT_BYTES, stakeAccountData } from '../svm/stake-state';
import { voteAccountData } from '../svm/vote-state';
import { localSeed, signingKey, type SigningKey } from './keypair';

const SOL = 1_000_000_000n;

/** The only validator of a local network: it leads every slot. */
export const VALIDATOR = signingKey(localSeed('validator'));
export const VOTE_ACCOUNT = signingKey(localSeed('vote account'));
const STAKE_ACCOUNT = signingKey(localSeed('stake account'));

/** Percent. */
const COMMISSION = 5;
/** What the vote account has above its rent, so that something can be withdrawn from it. */
const VOTE_LAMPORTS = 100n * SOL;
const DELEGATED = 1_000n * SOL;

/** The validator's identity, its vote account, and a stake that is delegated to it; `authority` may withdraw from both. */
export function validatorAccounts(
  authority: SigningKey,
  rentExemptMinimum: (bytes: number) => number,
): [address: string, account: StoredAccount][] {
  const rentOf = (bytes: number): bigint => BigInt(rentExemptMinimum(bytes));
  const account = (owner: Buffer, data: Buffer, lamports: bigint): StoredAccount => ({
    lamports: lamports + rentOf(data.length),
    owner,
    executable: false,
    data,
  });
  const [node, withdrawer, vote] = [VALIDATOR.publicKey, authority.publicKey, VOTE_ACCOUNT.publicKey];
  const voteData = voteAccountData({ node, withdrawer }, vote, COMMISSION);
  const stakeData = stakeAccountData(withdrawer, vote, {
    delegated: DELEGATED,
    rentExempt: rentOf(STAKE_ACCOUNT_BYTES),
  });
  return [
    [VALIDATOR.address, account(SYSTEM.bytes, Buffer.alloc(0), SOL)],
    [VOTE_ACCOUNT.address, account(VOTE.bytes, voteData, VOTE_LAMPORTS)],
    [STAKE_ACCOUNT.address, account(STAKE.bytes, stakeData, DELEGATED)],
  ];
}
