import type { StoredAccount } from '../svm/account';

export type AccountRow = [lamports: number, owner: Buffer, executable: number, data: Buffer];

export const toAccount = ([lamports, owner, executable, data]: AccountRow): StoredAccount => ({
  lamports: BigInt(lamports),
  owner,
  executable: executable === 1,
  data,
});

export const fromAccount = ({ lamports, owner, executable, data }: StoredAccount) =>
  [lamports, owner, Number(executable), data] as const;
