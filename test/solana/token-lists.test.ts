import type * as Spl from '@solana/spl-token' with { 'resolution-mode': 'import' };
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { until } from '../until';
import { startLocalNetwork, type LocalNetwork } from './local-network';
import { startProgram, type Program } from './program';

/** What the token lists of a wallet say of the tokens that Token-2022 makes more difficult than an amount and its decimals. */

let spl: typeof Spl;
let network: LocalNetwork;
let program: Program;
let alice: Keypair;

beforeAll(async () => {
  spl = await import('@solana/spl-token');
  network = await startLocalNetwork({ slotMs: 50 });
  program = await startProgram(network);
  alice = await network.rich();
});
afterAll(async () => {
  await program?.stop();
  await network?.close();
});

/** Retries on a 503, as clients do: on a busy machine the first answer may be one. */
async function read<T>(path: string, body: object): Promise<T> {
  const answer = await until(
    () => program.post(path, body),
    ({ status }) => status !== 503,
  );
  expect(answer.status).toBe(200);
  return answer.body as T;
}

const tokensOf = (owner: PublicKey) =>
  read<Record<string, unknown>[]>('/solana/tokens/mainnet', { address: owner.toBase58() });

interface MintOptions {
  readonly decimals?: number;
  readonly extensions: readonly Spl.ExtensionType[];
  /** Instructions that initialise the extensions. */
  readonly setUp: (mint: PublicKey) => readonly TransactionInstruction[];
}

/** A new mint of Token-2022 of which alice is the authority. */
async function createMint({ decimals = 6, extensions, setUp }: MintOptions): Promise<Keypair> {
  const mint = Keypair.generate();
  const programId = spl.TOKEN_2022_PROGRAM_ID;
  const space = spl.getMintLen([...extensions]);
  const create = SystemProgram.createAccount({
    fromPubkey: alice.publicKey,
    newAccountPubkey: mint.publicKey,
    space,
    lamports: await network.connection.getMinimumBalanceForRentExemption(space),
    programId,
  });
  await network.send(
    [
      create,
      ...setUp(mint.publicKey),
      spl.createInitializeMint2Instruction(mint.publicKey, decimals, alice.publicKey, null, programId),
    ],
    [alice, mint],
  );
  return mint;
}

/** A token account of the owner, with so many of the smallest unit. */
async function give(mint: PublicKey, owner: PublicKey, amount: bigint): Promise<PublicKey> {
  const programId = spl.TOKEN_2022_PROGRAM_ID;
  const account = spl.getAssociatedTokenAddressSync(mint, owner, true, programId);
  await network.send(
    [
      spl.createAssociatedTokenAccountInstruction(alice.publicKey, account, owner, mint, programId),
      ...(amount > 0n
        ? [spl.createMintToInstruction(mint, account, alice.publicKey, amount, [], programId)]
        : []),
    ],
    [alice],
  );
  return account;
}

/** What the program itself says that an amount is. */
async function byProgram(mint: PublicKey, amount: bigint): Promise<string> {
  const message = new TransactionMessage({
    payerKey: alice.publicKey,
    recentBlockhash: PublicKey.default.toBase58(),
    instructions: [spl.createAmountToUiAmountInstruction(mint, amount, spl.TOKEN_2022_PROGRAM_ID)],
  }).compileToLegacyMessage();
  const { value } = await network.connection.simulateTransaction(new VersionedTransaction(message), {
    replaceRecentBlockhash: true,
  });
  expect(value.err).toBeNull();
  return Buffer.from(value.returnData!.data[0], 'base64').toString();
}

test('an amount of a mint with a multiplier is what the program makes of it, also after the multiplier has changed', async () => {
  const owner = Keypair.generate().publicKey;
  const programId = spl.TOKEN_2022_PROGRAM_ID;
  const { publicKey: mint } = await createMint({
    extensions: [spl.ExtensionType.ScaledUiAmountConfig],
    setUp: address => [
      spl.createInitializeScaledUiAmountConfigInstruction(address, alice.publicKey, 2.5, programId),
    ],
  });
  const other = Keypair.generate().publicKey;
  await give(mint, owner, 100_000_000n);
  await give(mint, other, 100_000_000n);
  expect(await byProgram(mint, 100_000_000n)).toBe('250');
  expect(await tokensOf(owner)).toMatchObject([
    { address: mint.toBase58(), amount: '100000000', decimals: 6, uiAmount: 250, uiAmountString: '250' },
  ]);
  const update = (multiplier: number, at: bigint) =>
    network.send(
      [spl.createUpdateMultiplierDataInstruction(mint, alice.publicKey, multiplier, at, [], programId)],
      [alice],
    );
  await update(3, BigInt(Math.floor(Date.now() / 1_000) + 1_000_000));
  expect(await byProgram(mint, 100_000_000n)).toBe('250');
  await update(1.000_001, 0n);
  // In doubles, and what is less than the smallest unit is cut.
  expect(await byProgram(mint, 100_000_000n)).toBe('100.000099');
  expect(await tokensOf(other)).toMatchObject([{ uiAmountString: '100.000099', uiAmount: 100.000099 }]);
});

test('an amount of a mint with interest grows with the clock of the chain', async () => {
  const owner = Keypair.generate().publicKey;
  const { publicKey: mint } = await createMint({
    decimals: 9,
    extensions: [spl.ExtensionType.InterestBearingConfig],
    setUp: address => [
      spl.createInitializeInterestBearingMintInstruction(
        address,
        alice.publicKey,
        32_767,
        spl.TOKEN_2022_PROGRAM_ID,
      ),
    ],
  });
  const amount = 1_000_000_000_000_000_000n;
  await until(
    () => byProgram(mint, amount),
    shown => Number(shown) > 1_000_000_000,
  );
  await give(mint, owner, amount);
  const [token] = await tokensOf(owner);
  expect(token!.amount).toBe(amount.toString());
  expect(token!.uiAmount).toBe(Number(token!.uiAmountString));
  expect(token!.uiAmount).toBeGreaterThan(1_000_000_000);
  expect(token!.uiAmount).toBeLessThanOrEqual(Number(await byProgram(mint, amount)));
});

test('empty token accounts of closed mints take neither the tokens nor the transactions of their owner with them', async () => {
  const owner = await network.rich();
  const programId = spl.TOKEN_2022_PROGRAM_ID;
  const { publicKey: other } = await createMint({ extensions: [], setUp: () => [] });
  await give(other, owner.publicKey, 7n);
  const closed = await Promise.all(
    [0, 1, 2, 3].map(() =>
      createMint({
        extensions: [spl.ExtensionType.MintCloseAuthority],
        setUp: address => [
          spl.createInitializeMintCloseAuthorityInstruction(address, alice.publicKey, programId),
        ],
      }),
    ),
  );
  const orphans: string[] = [];
  for (const mint of closed) {
    orphans.push((await give(mint.publicKey, owner.publicKey, 0n)).toBase58());
    await network.send(
      [spl.createCloseAccountInstruction(mint.publicKey, alice.publicKey, alice.publicKey, [], programId)],
      [alice],
    );
  }
  // Their addresses may be something else afterwards: a mint that is not initialised, a token account, of another program.
  const [, uninitialised, account, foreign] = closed;
  const recreate = async (key: Keypair, space: number, owner: PublicKey, ...then: TransactionInstruction[]) =>
    network.send(
      [
        SystemProgram.createAccount({
          fromPubkey: alice.publicKey,
          newAccountPubkey: key.publicKey,
          space,
          lamports: await network.connection.getMinimumBalanceForRentExemption(space),
          programId: owner,
        }),
        ...then,
      ],
      [alice, key],
    );
  await recreate(uninitialised!, spl.MINT_SIZE, programId);
  const initialize = spl.createInitializeAccount3Instruction(
    account!.publicKey,
    other,
    alice.publicKey,
    programId,
  );
  await recreate(account!, spl.ACCOUNT_SIZE, programId, initialize);
  await recreate(foreign!, spl.MINT_SIZE, SystemProgram.programId);

  // The network says no more of the accounts than a validator does.
  const parsed = await network.connection.getParsedTokenAccountsByOwner(owner.publicKey, { programId });
  expect(parsed.value).toHaveLength(1);
  const raw = await network.connection.getTokenAccountsByOwner(owner.publicKey, { programId });
  expect(raw.value.map(({ pubkey }) => pubkey.toBase58())).toEqual(expect.arrayContaining(orphans));

  expect((await tokensOf(owner.publicKey)).map(({ address }) => address)).toEqual([other.toBase58()]);
  const address = owner.publicKey.toBase58();
  const transactions = await read<readonly object[]>('/solana/transactions/mainnet', { address });
  expect(transactions).toHaveLength(
    (await network.connection.getSignaturesForAddress(owner.publicKey)).length,
  );
});

test('the local network shows amounts as the program does, and those of its ledger by their decimals alone', async () => {
  const owner = Keypair.generate().publicKey;
  const programId = spl.TOKEN_2022_PROGRAM_ID;
  const { publicKey: mint } = await createMint({
    extensions: [spl.ExtensionType.ScaledUiAmountConfig],
    setUp: address => [
      spl.createInitializeScaledUiAmountConfigInstruction(address, alice.publicKey, 0.125, programId),
    ],
  });
  const account = await give(mint, owner, 8_000_000n);
  const { connection } = network;
  const held = await connection.getParsedTokenAccountsByOwner(owner, { programId });
  const { tokenAmount } = held.value[0]!.account.data.parsed.info;
  const shown = [
    tokenAmount,
    (await connection.getTokenAccountBalance(account)).value,
    (await connection.getTokenSupply(mint)).value,
    (await connection.getTokenLargestAccounts(mint)).value[0],
  ];
  for (const each of shown)
    expect(each).toMatchObject({ amount: '8000000', decimals: 6, uiAmount: 1, uiAmountString: '1' });
  const parsed = await connection.getParsedAccountInfo(mint);
  expect(parsed.value!.data).toMatchObject({
    parsed: {
      info: { extensions: [{ extension: 'scaledUiAmountConfig', state: { multiplier: '0.125' } }] },
    },
  });

  const [newest] = await read<readonly EnhancedTransaction[]>('/solana/transactions/mainnet', {
    address: account.toBase58(),
  });
  const { raw } = await network.transaction(newest!.signature);
  expect(raw.meta!.postTokenBalances).toMatchObject([
    { uiTokenAmount: { amount: '8000000', uiAmountString: '8' } },
  ]);
  expect(newest!.tokenTransfers).toMatchObject([{ tokenAmount: 8, rawAmount: '8000000' }]);
});
