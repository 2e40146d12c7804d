import type { StoredAccount } from '../svm/account';

export type AccountRow = [lamports: number, owner: Buffer, executable: number, data: Buffer];

export function toAccount([lamports, owner, executable, data]: AccountRow): StoredAccount {
  return {
    lamports: BigInt(lamports),
    owner,
    executable: executable === 1,
    data,
  };
}

export function fromAccount({ lamports, owner, executable, data }: StoredAccount) {
  return [lamports, owner, Number(executable), data] as const;
}
