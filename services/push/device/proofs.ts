import { parseAccountAddress } from '../../../contracts/account/account-address';
import { decodeBase58 } from '../../../contracts/encoding/base58';
import type { registerPush } from '../../../contracts/http/push';
import { canonicalJson } from '../../../contracts/json/canonical-json';
import type { AccountRef } from '../../../contracts/network/network';
import { Problem } from '../../../contracts/problem/problem';
import type { z } from 'zod';
import { expectSigned } from '../../signing/signed-text';
import type { FindWalletKey } from '../../signing/wallet-key';
import type { Reader } from '../../watch-account';

type Body = z.output<NonNullable<typeof registerPush.body>>;

export interface ProofDeps {
  readonly findKey: FindWalletKey;
  readonly clock: () => Date;
}

/**
 * The accounts of a registration whose wallets have signed that the device is theirs.
 * @param accounts of the registration
 * @throws Problem of a wrong signature; 400 for a proof of another account
 */
export async function provenAccounts(
  deps: ProofDeps,
  { token: { token }, proofs = [] }: Pick<Body, 'token' | 'proofs'>,
  accounts: readonly AccountRef[],
  reader: Reader,
): Promise<readonly AccountRef[]> {
  return Promise.all(
    proofs.map(async ({ address, ...signed }, i) => {
      const raw = parseAccountAddress(address)!.address;
      const account = accounts.find(each => each.address === raw);
      if (!account) throw Problem.invalid(`/body/proofs/${i}/address`, 'is none that the device follows');
      const { clock } = deps;
      const text = proofText(token, address);
      await expectSigned({ clock, findKey: keysWith(deps.findKey) }, text, account, signed, reader);
      return account;
    }),
  );
}

/** An address of Solana is the key of its wallet. */
const keysWith =
  (findKey: FindWalletKey) =>
  async (account: AccountRef, claimed: string | undefined, reader: Reader): Promise<Buffer> =>
    account.chain === 'ton' ? findKey(account, claimed, reader) : Buffer.from(decodeBase58(account.address)!);

/** The text that a wallet signs: canonical JSON (RFC 8785). @param address as it is sent */
export function proofText(token: string, address: string): (timestamp: number) => string {
  return timestamp => canonicalJson({ type: 'PUSH_REGISTRATION', token, address, timestamp });
}
