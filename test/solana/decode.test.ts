import type * as Spl from '@solana/spl-token' with { 'resolution-mode': 'import' };
import {
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { enhancedTransaction, type EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { decodeTransaction } from '../../indexers/solana/decode/decode';
import { startLocalNetwork, type LocalNetwork } from './local-network';

/** Transactions of each kind, executed by the real SVM and decoded for wallets. */

let spl: typeof Spl;
let network: LocalNetwork;
let alice: Keypair;
let bob: Keypair;

beforeAll(async () => {
  spl = await import('@solana/spl-token');
  network = await startLocalNetwork();
  [alice, bob] = await Promise.all([network.rich(), network.rich()]);
});
afterAll(() => network?.close());

const name = (key: Keypair | PublicKey): string => ('publicKey' in key ? key.publicKey : key).toBase58();

async function decoded(signature: string): Promise<EnhancedTransaction> {
  const { raw, slot } = await network.transaction(signature);
  const result = decodeTransaction(raw, slot, 1_700_000_000);
  expect(enhancedTransaction.parse(result)).toEqual(result);
  const lamports = result.accountData.reduce((sum, { nativeBalanceChange }) => sum + nativeBalanceChange, 0);
  expect(lamports).toBe(-result.fee);
  return result;
}

/** The transfers of each token account must add up to the change of its balance. */
function expectExplained({ tokenTransfers, accountData }: EnhancedTransaction): void {
  for (const { account, tokenBalanceChanges } of accountData)
    for (const { rawTokenAmount } of tokenBalanceChanges) {
      const gained = tokenTransfers.reduce((sum, { fromTokenAccount, toTokenAccount, rawAmount }) => {
        if (fromTokenAccount === account) sum -= BigInt(rawAmount);
        if (toTokenAccount === account) sum += BigInt(rawAmount);
        return sum;
      }, 0n);
      expect(gained.toString()).toBe(rawTokenAmount.tokenAmount);
    }
}

async function makeMint(decimals: number, program: PublicKey): Promise<Keypair> {
  const mint = Keypair.generate();
  const lamports = await network.connection.getMinimumBalanceForRentExemption(spl.MINT_SIZE);
  await network.send(
    [
      SystemProgram.createAccount({
        fromPubkey: alice.publicKey,
        newAccountPubkey: mint.publicKey,
        space: spl.MINT_SIZE,
        lamports,
        programId: program,
      }),
      spl.createInitializeMint2Instruction(mint.publicKey, decimals, alice.publicKey, null, program),
    ],
    [alice, mint],
  );
  return mint;
}

const accountOf = (mint: Keypair, owner: Keypair, program: PublicKey): PublicKey =>
  spl.getAssociatedTokenAddressSync(mint.publicKey, owner.publicKey, false, program);

const createAccount = (mint: Keypair, owner: Keypair, program: PublicKey): TransactionInstruction =>
  spl.createAssociatedTokenAccountInstruction(
    alice.publicKey,
    accountOf(mint, owner, program),
    owner.publicKey,
    mint.publicKey,
    program,
  );

test('a transfer of SOL', async () => {
  const transfer = SystemProgram.transfer({
    fromPubkey: alice.publicKey,
    toPubkey: bob.publicKey,
    lamports: 1_250_000_000,
  });
  const signature = await network.send([transfer], [alice]);
  const result = await decoded(signature);
  expect(result).toMatchObject({
    type: 'TRANSFER',
    source: 'SYSTEM_PROGRAM',
    description: `${name(alice)} transferred 1.25 SOL to ${name(bob)}.`,
    feePayer: name(alice),
    signature,
    fee: 5_000,
    timestamp: 1_700_000_000,
    tokenTransfers: [],
    nativeTransfers: [{ fromUserAccount: name(alice), toUserAccount: name(bob), amount: 1_250_000_000 }],
    transactionError: null,
    instructions: [{ accounts: [name(alice), name(bob)], programId: name(SystemProgram.programId) }],
  });
  expect(
    result.accountData.map(({ account, nativeBalanceChange }) => [account, nativeBalanceChange]),
  ).toEqual([
    [name(alice), -1_250_005_000],
    [name(bob), 1_250_000_000],
    [name(SystemProgram.programId), 0],
  ]);
});

test('a failed transaction moves nothing but its fee', async () => {
  const tooMuch = SystemProgram.transfer({
    fromPubkey: alice.publicKey,
    toPubkey: bob.publicKey,
    lamports: 900_000_000_000,
  });
  const result = await decoded(await network.send([tooMuch], [alice]));
  expect(result).toMatchObject({
    type: 'UNKNOWN',
    description: '',
    nativeTransfers: [],
    transactionError: '{"InstructionError":[0,{"Custom":1}]}',
  });
  expect(result.instructions).toHaveLength(1);
});

describe.each(['TOKEN_PROGRAM_ID', 'TOKEN_2022_PROGRAM_ID'] as const)('tokens of %s', key => {
  let program: PublicKey;
  let mint: Keypair;
  let ofAlice: PublicKey;
  let ofBob: PublicKey;

  beforeAll(async () => {
    program = spl[key];
    mint = await makeMint(6, program);
    ofAlice = accountOf(mint, alice, program);
    ofBob = accountOf(mint, bob, program);
  });

  test('accounts are created by inner instructions', async () => {
    const result = await decoded(await network.send([createAccount(mint, alice, program)], [alice]));
    expect(result).toMatchObject({
      type: 'CREATE_ACCOUNT',
      source: 'ASSOCIATED_TOKEN_PROGRAM',
      description: `${name(alice)} created account ${name(ofAlice)}.`,
    });
    const [create] = result.instructions;
    expect(create!.innerInstructions.map(({ programId }) => programId)).toContain(name(program));
    await network.send([createAccount(mint, bob, program)], [alice]);
  });

  test('minting has no sender', async () => {
    const mintTo = spl.createMintToInstruction(
      mint.publicKey,
      ofAlice,
      alice.publicKey,
      7_500_000n,
      [],
      program,
    );
    const result = await decoded(await network.send([mintTo], [alice]));
    expect(result).toMatchObject({
      type: 'TOKEN_MINT',
      description: `7.5 ${name(mint)} minted to ${name(alice)}.`,
      tokenTransfers: [
        { fromTokenAccount: '', fromUserAccount: '', toTokenAccount: name(ofAlice), rawAmount: '7500000' },
      ],
    });
    expectExplained(result);
  });

  test('a plain transfer names neither token nor decimals: they are read from the balances', async () => {
    const move = spl.createTransferInstruction(ofAlice, ofBob, alice.publicKey, 2_000_001n, [], program);
    const result = await decoded(await network.send([move], [alice]));
    expect(result).toMatchObject({
      type: 'TRANSFER',
      source: 'SOLANA_PROGRAM_LIBRARY',
      description: `${name(alice)} transferred 2.000001 ${name(mint)} to ${name(bob)}.`,
      tokenTransfers: [
        {
          fromTokenAccount: name(ofAlice),
          toTokenAccount: name(ofBob),
          fromUserAccount: name(alice),
          toUserAccount: name(bob),
          mint: name(mint),
          tokenStandard: 'Fungible',
          tokenAmount: 2.000001,
          rawAmount: '2000001',
        },
      ],
    });
    expect(result.accountData.find(({ account }) => account === name(ofBob))!.tokenBalanceChanges).toEqual([
      {
        userAccount: name(bob),
        tokenAccount: name(ofBob),
        mint: name(mint),
        rawTokenAmount: {
          amount: 2_000_001,
          tokenAmount: '2000001',
          decimals: 6,
          uiAmount: 2.000001,
          uiAmountString: '2.000001',
        },
      },
    ]);
    expectExplained(result);
  });

  test('burning has no receiver', async () => {
    const burn = spl.createBurnCheckedInstruction(
      ofAlice,
      mint.publicKey,
      alice.publicKey,
      1_000_000n,
      6,
      [],
      program,
    );
    const result = await decoded(await network.send([burn], [alice]));
    expect(result).toMatchObject({ type: 'BURN', description: `${name(alice)} burned 1 ${name(mint)}.` });
    expectExplained(result);
  });
});

test('an account that exists only within the transaction, as wrapped SOL often does', async () => {
  const program = spl.TOKEN_PROGRAM_ID;
  const wrapped = await PublicKey.createWithSeed(alice.publicKey, 'wrap', program);
  const target = spl.getAssociatedTokenAddressSync(spl.NATIVE_MINT, bob.publicKey);
  const rent = await network.connection.getMinimumBalanceForRentExemption(spl.ACCOUNT_SIZE);
  const signature = await network.send(
    [
      SystemProgram.createAccountWithSeed({
        fromPubkey: alice.publicKey,
        newAccountPubkey: wrapped,
        basePubkey: alice.publicKey,
        seed: 'wrap',
        space: spl.ACCOUNT_SIZE,
        lamports: rent + 300_000_000,
        programId: program,
      }),
      spl.createInitializeAccount3Instruction(wrapped, spl.NATIVE_MINT, alice.publicKey),
      spl.createAssociatedTokenAccountInstruction(alice.publicKey, target, bob.publicKey, spl.NATIVE_MINT),
      spl.createTransferInstruction(wrapped, target, alice.publicKey, 300_000_000n),
      spl.createCloseAccountInstruction(wrapped, alice.publicKey, alice.publicKey),
    ],
    [alice],
  );
  const result = await decoded(signature);
  expect(result.tokenTransfers).toMatchObject([
    {
      fromTokenAccount: name(wrapped),
      fromUserAccount: name(alice),
      toUserAccount: name(bob),
      mint: name(spl.NATIVE_MINT),
      tokenAmount: 0.3,
    },
  ]);
  expectExplained(result);
});

test('a token with a fee on transfers: what was sent, and what arrived', async () => {
  const program = spl.TOKEN_2022_PROGRAM_ID;
  const mint = Keypair.generate();
  const space = spl.getMintLen([spl.ExtensionType.TransferFeeConfig]);
  const lamports = await network.connection.getMinimumBalanceForRentExemption(space);
  await network.send(
    [
      SystemProgram.createAccount({
        fromPubkey: alice.publicKey,
        newAccountPubkey: mint.publicKey,
        space,
        lamports,
        programId: program,
      }),
      spl.createInitializeTransferFeeConfigInstruction(mint.publicKey, null, null, 100, 1_000_000n, program),
      spl.createInitializeMint2Instruction(mint.publicKey, 2, alice.publicKey, null, program),
      createAccount(mint, alice, program),
      createAccount(mint, bob, program),
      spl.createMintToInstruction(
        mint.publicKey,
        accountOf(mint, alice, program),
        alice.publicKey,
        10_000n,
        [],
        program,
      ),
    ],
    [alice, mint],
  );
  const move = spl.createTransferCheckedWithFeeInstruction(
    accountOf(mint, alice, program),
    mint.publicKey,
    accountOf(mint, bob, program),
    alice.publicKey,
    5_000n,
    2,
    50n,
    [],
    program,
  );
  const result = await decoded(await network.send([move], [alice]));
  expect(result.tokenTransfers).toMatchObject([
    { tokenAmount: 50, rawAmount: '5000', toUserAccount: name(bob) },
  ]);
  const changes = result.accountData.flatMap(({ tokenBalanceChanges }) => tokenBalanceChanges);
  expect(changes.map(({ userAccount, rawTokenAmount }) => [userAccount, rawTokenAmount.uiAmount])).toEqual(
    expect.arrayContaining([
      [name(alice), -50],
      [name(bob), 49.5],
    ]),
  );
});

test('a versioned transaction whose receiver comes from a lookup table', async () => {
  const { connection } = network;
  const carol = Keypair.generate();
  const slot = await connection.getSlot('finalized');
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: alice.publicKey,
    payer: alice.publicKey,
    recentSlot: slot,
  });
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority: alice.publicKey,
    payer: alice.publicKey,
    addresses: [carol.publicKey, bob.publicKey],
  });
  const made = await decoded(await network.send([create, extend], [alice]));
  expect(made.transactionError).toBeNull();
  const found = async () => (await connection.getAddressLookupTable(table)).value;
  let lookup = await found();
  while (!lookup || lookup.state.lastExtendedSlot >= (await connection.getSlot())) lookup = await found();

  const transfer = SystemProgram.transfer({
    fromPubkey: alice.publicKey,
    toPubkey: carol.publicKey,
    lamports: 10_000_000,
  });
  const signature = await network.sendV0([transfer], [alice], [lookup]);
  const { raw } = await network.transaction(signature);
  expect(raw.version).toBe(0);
  expect(raw.transaction.message.accountKeys).not.toContain(name(carol));
  const result = await decoded(signature);
  expect(result).toMatchObject({
    type: 'TRANSFER',
    nativeTransfers: [{ fromUserAccount: name(alice), toUserAccount: name(carol), amount: 10_000_000 }],
  });
});
