import type * as Spl from '@solana/spl-token' with { 'resolution-mode': 'import' };
import {
  AddressLookupTableProgram,
  Authorized,
  Keypair,
  PublicKey,
  StakeProgram,
  SystemProgram,
  TransactionInstruction,
  VoteInit,
  VoteProgram,
} from '@solana/web3.js';
import { enhancedTransaction, type EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { decodeTransaction } from '../../indexers/solana/decode/decode';
import { expectExplained } from './explained';
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

/** What was decoded; its transfers must explain every change of the node's balances. */
async function decoded(signature: string): Promise<EnhancedTransaction> {
  const { raw, slot } = await network.transaction(signature);
  const result = decodeTransaction(raw, slot, 1_700_000_000);
  expect(enhancedTransaction.parse(result)).toEqual(result);
  expectExplained(raw, result);
  return result;
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
  });

  test('an account is closed, and its rent returns', async () => {
    const empty = accountOf(mint, bob, program);
    const all = (await network.connection.getTokenAccountBalance(empty)).value.amount;
    const instructions = [
      spl.createTransferInstruction(empty, ofAlice, bob.publicKey, BigInt(all), [], program),
      spl.createCloseAccountInstruction(empty, alice.publicKey, bob.publicKey, [], program),
    ];
    await decoded(await network.send(instructions.slice(0, 1), [bob]));
    const result = await decoded(await network.send(instructions.slice(1), [bob]));
    expect(result).toMatchObject({
      type: 'CLOSE_ACCOUNT',
      tokenTransfers: [],
      nativeTransfers: [{ fromUserAccount: name(empty), toUserAccount: name(alice) }],
    });
    expect(result.nativeTransfers[0]!.amount).toBeGreaterThan(0);
  });
});

test('two transfers in one batch instruction', async () => {
  const mint = await makeMint(6, spl.TOKEN_PROGRAM_ID);
  const [ofAlice, ofBob] = [alice, bob].map(owner => accountOf(mint, owner, spl.TOKEN_PROGRAM_ID)) as [
    PublicKey,
    PublicKey,
  ];
  await network.send(
    [
      createAccount(mint, alice, spl.TOKEN_PROGRAM_ID),
      createAccount(mint, bob, spl.TOKEN_PROGRAM_ID),
      spl.createMintToInstruction(mint.publicKey, ofAlice, alice.publicKey, 100n),
    ],
    [alice],
  );
  const transfers = [
    spl.createTransferInstruction(ofAlice, ofBob, alice.publicKey, 5n),
    spl.createTransferCheckedInstruction(ofAlice, mint.publicKey, ofBob, alice.publicKey, 7n, 6),
  ];
  const batch = new TransactionInstruction({
    programId: spl.TOKEN_PROGRAM_ID,
    keys: transfers.flatMap(({ keys }) => keys),
    data: Buffer.concat([
      Buffer.of(255),
      ...transfers.flatMap(({ keys, data }) => [Buffer.of(keys.length, data.length), data]),
    ]),
  });
  const result = await decoded(await network.send([batch], [alice]));
  expect(result).toMatchObject({
    type: 'TRANSFER',
    tokenTransfers: [
      { kind: 'transfer', rawAmount: '5', toUserAccount: name(bob) },
      { kind: 'transfer', rawAmount: '7', toUserAccount: name(bob) },
    ],
  });
});

test('a token against SOL between two signers is a swap', async () => {
  const mint = await makeMint(0, spl.TOKEN_PROGRAM_ID);
  const [ofAlice, ofBob] = [alice, bob].map(owner => accountOf(mint, owner, spl.TOKEN_PROGRAM_ID)) as [
    PublicKey,
    PublicKey,
  ];
  await network.send(
    [
      createAccount(mint, alice, spl.TOKEN_PROGRAM_ID),
      createAccount(mint, bob, spl.TOKEN_PROGRAM_ID),
      spl.createMintToInstruction(mint.publicKey, ofBob, alice.publicKey, 3n),
    ],
    [alice],
  );
  const exchange = [
    SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob.publicKey, lamports: 20_000_000 }),
    spl.createTransferInstruction(ofBob, ofAlice, bob.publicKey, 2n),
  ];
  expect(await decoded(await network.send(exchange, [alice, bob]))).toMatchObject({
    type: 'SWAP',
    description: `${name(alice)} swapped 0.02 SOL for 2 ${name(mint)}.`,
  });
});

test('a token account that gets another owner: its tokens are those of that owner now', async () => {
  const program = spl.TOKEN_PROGRAM_ID;
  const mint = await makeMint(2, program);
  const ofAlice = accountOf(mint, alice, program);
  const given = Keypair.generate();
  const rent = await network.connection.getMinimumBalanceForRentExemption(spl.ACCOUNT_SIZE);
  await network.send(
    [
      createAccount(mint, alice, program),
      SystemProgram.createAccount({
        fromPubkey: alice.publicKey,
        newAccountPubkey: given.publicKey,
        space: spl.ACCOUNT_SIZE,
        lamports: rent,
        programId: program,
      }),
      spl.createInitializeAccount3Instruction(given.publicKey, mint.publicKey, alice.publicKey),
      spl.createMintToInstruction(mint.publicKey, given.publicKey, alice.publicKey, 1_000n),
    ],
    [alice, given],
  );
  const handOver = (to: Keypair, from: Keypair) =>
    spl.createSetAuthorityInstruction(
      given.publicKey,
      from.publicKey,
      spl.AuthorityType.AccountOwner,
      to.publicKey,
    );
  const moved = await decoded(
    await network.send(
      [
        spl.createTransferInstruction(given.publicKey, ofAlice, alice.publicKey, 300n),
        handOver(bob, alice),
        spl.createTransferInstruction(ofAlice, given.publicKey, alice.publicKey, 50n),
      ],
      [alice],
    ),
  );
  expect(moved.tokenTransfers).toMatchObject([
    { fromUserAccount: name(alice), toUserAccount: name(alice), rawAmount: '300' },
    { fromUserAccount: name(alice), toUserAccount: name(bob), rawAmount: '50' },
    {
      kind: 'transfer',
      fromTokenAccount: name(given),
      toTokenAccount: name(given),
      fromUserAccount: name(alice),
      toUserAccount: name(bob),
      rawAmount: '700',
    },
  ]);
  const changes = moved.accountData.flatMap(({ tokenBalanceChanges }) => tokenBalanceChanges);
  // In the order of the transaction's accounts, which are random.
  const amounts = changes.map(({ userAccount, rawTokenAmount }) => `${userAccount} ${rawTokenAmount.amount}`);
  expect(amounts.sort()).toEqual([`${name(alice)} -1000`, `${name(bob)} 750`, `${name(alice)} 250`].sort());
  expect(await decoded(await network.send([handOver(alice, bob)], [bob]))).toMatchObject({
    type: 'TRANSFER',
    description: `${name(bob)} transferred 7.5 ${name(mint)} to ${name(alice)}.`,
  });
});

describe('wrapped SOL', () => {
  test('is neither a mint nor a transfer', async () => {
    const account = spl.getAssociatedTokenAddressSync(spl.NATIVE_MINT, alice.publicKey);
    const wrap = [
      spl.createAssociatedTokenAccountInstruction(alice.publicKey, account, alice.publicKey, spl.NATIVE_MINT),
      SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: account, lamports: 5_000_000 }),
      spl.createSyncNativeInstruction(account),
    ];
    expect(await decoded(await network.send(wrap, [alice]))).toMatchObject({
      type: 'TRANSFER',
      description: `${name(alice)} wrapped 0.005 ${name(spl.NATIVE_MINT)}.`,
      tokenTransfers: [
        { kind: 'wrap', fromUserAccount: name(alice), toUserAccount: name(alice), rawAmount: '5000000' },
      ],
    });
    const unwrap = spl.createCloseAccountInstruction(account, alice.publicKey, alice.publicKey);
    expect(await decoded(await network.send([unwrap], [alice]))).toMatchObject({
      type: 'CLOSE_ACCOUNT',
      tokenTransfers: [{ kind: 'unwrap', fromTokenAccount: name(account), rawAmount: '5000000' }],
    });
  });
});

describe('stake and vote accounts', () => {
  const vote = Keypair.generate();
  const stake = Keypair.generate();
  const to = Keypair.generate();
  const run = async (
    { instructions }: { readonly instructions: TransactionInstruction[] },
    ...signers: readonly Keypair[]
  ) => decoded(await network.send(instructions, [alice, ...signers]));

  test('a vote account is created, and a withdrawal from it is shown', async () => {
    const node = Keypair.generate();
    const created = await run(
      VoteProgram.createAccount({
        fromPubkey: alice.publicKey,
        votePubkey: vote.publicKey,
        voteInit: new VoteInit(node.publicKey, alice.publicKey, alice.publicKey, 5),
        lamports: 1_000_000_000,
      }),
      vote,
      node,
    );
    expect(created).toMatchObject({ type: 'CREATE_ACCOUNT', source: 'VOTE_PROGRAM' });
    const withdrawal = VoteProgram.withdraw({
      votePubkey: vote.publicKey,
      authorizedWithdrawerPubkey: alice.publicKey,
      lamports: 3_000_000,
      toPubkey: to.publicKey,
    });
    expect(await run(withdrawal)).toMatchObject({
      type: 'WITHDRAW',
      source: 'VOTE_PROGRAM',
      description: `${name(to)} withdrew 0.003 SOL from ${name(vote)}.`,
      nativeTransfers: [{ fromUserAccount: name(vote), toUserAccount: name(to), amount: 3_000_000 }],
    });
  });

  test('stake is delegated, deactivated, split, merged and withdrawn', async () => {
    const [stakePubkey, authorizedPubkey] = [stake.publicKey, alice.publicKey];
    const initialized = StakeProgram.createAccount({
      fromPubkey: alice.publicKey,
      stakePubkey,
      authorized: new Authorized(authorizedPubkey, authorizedPubkey),
      lamports: 5_000_000_000,
    });
    expect(await run(initialized, stake)).toMatchObject({
      type: 'INIT_STAKE',
      source: 'STAKE_PROGRAM',
      nativeTransfers: [{ toUserAccount: name(stake), amount: 5_000_000_000 }],
    });
    const delegation = { stakePubkey, authorizedPubkey, votePubkey: vote.publicKey };
    expect(await run(StakeProgram.delegate(delegation))).toMatchObject({
      type: 'STAKE_SOL',
      description: `${name(alice)} delegated the stake of ${name(stake)}.`,
      nativeTransfers: [],
    });
    const deactivated = await run(StakeProgram.deactivate({ stakePubkey, authorizedPubkey }));
    expect(deactivated).toMatchObject({ type: 'UNSTAKE_SOL', nativeTransfers: [] });

    const part = Keypair.generate();
    const rent = await network.connection.getMinimumBalanceForRentExemption(StakeProgram.space);
    const splitting = {
      stakePubkey,
      authorizedPubkey,
      splitStakePubkey: part.publicKey,
      lamports: 2_000_000_000,
    };
    expect(await run(StakeProgram.split(splitting, rent), part)).toMatchObject({
      type: 'SPLIT_STAKE',
      nativeTransfers: [
        { fromUserAccount: name(alice), toUserAccount: name(part), amount: rent },
        { fromUserAccount: name(stake), toUserAccount: name(part), amount: 2_000_000_000 },
      ],
    });
    const merging = { stakePubkey, sourceStakePubKey: part.publicKey, authorizedPubkey };
    expect(await run(StakeProgram.merge(merging))).toMatchObject({
      type: 'MERGE_STAKE',
      nativeTransfers: [
        { fromUserAccount: name(part), toUserAccount: name(stake), amount: 2_000_000_000 + rent },
      ],
    });
    const withdrawal = { stakePubkey, authorizedPubkey, toPubkey: to.publicKey, lamports: 1_000 };
    expect(await run(StakeProgram.withdraw(withdrawal))).toMatchObject({
      type: 'WITHDRAW',
      description: `${name(to)} withdrew 0.000001 SOL from ${name(stake)}.`,
      nativeTransfers: [{ fromUserAccount: name(stake), toUserAccount: name(to), amount: 1_000 }],
    });
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
    { kind: 'wrap', toTokenAccount: name(wrapped), toUserAccount: name(alice), rawAmount: '300000000' },
  ]);
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
      spl.createInitializeTransferFeeConfigInstruction(
        mint.publicKey,
        null,
        alice.publicKey,
        100,
        1_000_000n,
        program,
      ),
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
    { kind: 'transfer', tokenAmount: 49.5, rawAmount: '4950', toUserAccount: name(bob) },
    { kind: 'fee', rawAmount: '50', fromUserAccount: name(alice), toTokenAccount: '' },
  ]);
  const changes = result.accountData.flatMap(({ tokenBalanceChanges }) => tokenBalanceChanges);
  expect(changes.map(({ userAccount, rawTokenAmount }) => [userAccount, rawTokenAmount.uiAmount])).toEqual(
    expect.arrayContaining([
      [name(alice), -50],
      [name(bob), 49.5],
    ]),
  );

  const [ofAlice, ofBob] = [accountOf(mint, alice, program), accountOf(mint, bob, program)];
  const plain = [100n, 300n].map(amount =>
    spl.createTransferCheckedInstruction(
      ofAlice,
      mint.publicKey,
      ofBob,
      alice.publicKey,
      amount,
      2,
      [],
      program,
    ),
  );
  expect((await decoded(await network.send(plain, [alice]))).tokenTransfers).toMatchObject([
    { kind: 'transfer', rawAmount: '99' },
    { kind: 'fee', rawAmount: '1' },
    { kind: 'transfer', rawAmount: '297' },
    { kind: 'fee', rawAmount: '3' },
  ]);
  const withdrawal = spl.createWithdrawWithheldTokensFromAccountsInstruction(
    mint.publicKey,
    ofAlice,
    alice.publicKey,
    [],
    [ofBob],
    program,
  );
  expect(await decoded(await network.send([withdrawal], [alice]))).toMatchObject({
    type: 'WITHDRAW',
    description: `${name(alice)} withdrew 0.54 ${name(mint)} of withheld fees.`,
    tokenTransfers: [{ kind: 'fee-withdrawal', toTokenAccount: name(ofAlice), rawAmount: '54' }],
  });
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
  expect(made).toMatchObject({ type: 'UNKNOWN', transactionError: null });
  expect(made.nativeTransfers).not.toEqual([]);
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
