import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js';
import { devnetForTests, funded, rpc } from '../../../test/devnet/solana';
import { loadSpl, type Spl } from './traffic/spl';
import { LOCAL_TOKENS } from './genesis/local-tokens';
import { MEMO, TOKEN_METADATA } from './svm/programs';

let spl: Spl;
beforeAll(async () => {
  spl = await loadSpl();
});

const network = devnetForTests({ slotMs: 20 });
const versions = { maxSupportedTransactionVersion: 0 };

const memo = (text: string): TransactionInstruction =>
  new TransactionInstruction({ programId: new PublicKey(MEMO.address), keys: [], data: Buffer.from(text) });

it('mints and transfers a token, with holdings, supply and balances before and after', async () => {
  const connection = network.connection('confirmed');
  const [owner, other] = [await funded(network.devnet), Keypair.generate()];
  const mint = await spl.createMint(connection, owner, owner.publicKey, null, 6);
  const account = await spl.getOrCreateAssociatedTokenAccount(connection, owner, mint, owner.publicKey);
  await spl.mintTo(connection, owner, mint, account.address, owner, 5_000_000n);

  const target = spl.getAssociatedTokenAddressSync(mint, other.publicKey);
  const transaction = new Transaction().add(
    spl.createAssociatedTokenAccountIdempotentInstruction(owner.publicKey, target, other.publicKey, mint),
    spl.createTransferCheckedInstruction(account.address, mint, target, owner.publicKey, 1_250_000n, 6),
    memo('rent, März'),
  );
  const signature = await connection.sendTransaction(transaction, [owner]);
  await connection.confirmTransaction(signature, 'confirmed');

  const held = await connection.getParsedTokenAccountsByOwner(other.publicKey, {
    programId: spl.TOKEN_PROGRAM_ID,
  });
  expect(held.value).toMatchObject([
    {
      pubkey: target,
      account: {
        data: {
          program: 'spl-token',
          parsed: {
            type: 'account',
            info: {
              mint: mint.toBase58(),
              owner: other.publicKey.toBase58(),
              tokenAmount: { amount: '1250000', decimals: 6, uiAmount: 1.25, uiAmountString: '1.25' },
            },
          },
        },
      },
    },
  ]);
  expect((await connection.getTokenAccountBalance(account.address)).value.amount).toBe('3750000');
  expect((await connection.getTokenSupply(mint)).value.uiAmountString).toBe('5');
  const largest = (await connection.getTokenLargestAccounts(mint)).value;
  expect(largest.map(({ amount }) => amount)).toEqual(['3750000', '1250000']);
  const byMint = await connection.getTokenAccountsByOwner(other.publicKey, { mint });
  expect(byMint.value).toHaveLength(1);
  const byProgram = await connection.getParsedProgramAccounts(spl.TOKEN_PROGRAM_ID, {
    filters: [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint.toBase58() } }],
  });
  expect(byProgram).toHaveLength(2);

  const recorded = await connection.getTransaction(signature, versions);
  const source = { mint: mint.toBase58(), owner: owner.publicKey.toBase58() };
  expect(recorded?.meta?.preTokenBalances).toMatchObject([
    { ...source, uiTokenAmount: { amount: '5000000' } },
  ]);
  expect(recorded?.meta?.postTokenBalances).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...source, programId: spl.TOKEN_PROGRAM_ID.toBase58() }),
      expect.objectContaining({ owner: other.publicKey.toBase58() }),
    ]),
  );
  expect(recorded?.meta?.innerInstructions?.[0]?.instructions.length).toBeGreaterThan(0);
  const [entry] = await connection.getSignaturesForAddress(target);
  expect(entry).toMatchObject({ signature, memo: '[11] rent, März' });
  const parsed = await connection.getParsedTransaction(signature, versions);
  expect(parsed?.transaction.message.instructions).toMatchObject([
    { program: 'spl-associated-token-account', parsed: { type: 'createIdempotent' } },
    {
      program: 'spl-token',
      parsed: { type: 'transferChecked', info: { tokenAmount: { amount: '1250000' } } },
    },
    { program: 'spl-memo', parsed: 'rent, März' },
  ]);
});

it('stores a Token-2022 mint with its metadata', async () => {
  const connection = network.connection('confirmed');
  const [owner, mint] = [await funded(network.devnet), Keypair.generate()];
  const space = spl.getMintLen([spl.ExtensionType.MetadataPointer]);
  const program = spl.TOKEN_2022_PROGRAM_ID;
  const transaction = new Transaction().add(
    SystemProgram.createAccount({
      fromPubkey: owner.publicKey,
      newAccountPubkey: mint.publicKey,
      space,
      lamports: await connection.getMinimumBalanceForRentExemption(
        space + spl.TYPE_SIZE + spl.LENGTH_SIZE + 200,
      ),
      programId: program,
    }),
    spl.createInitializeMetadataPointerInstruction(mint.publicKey, owner.publicKey, mint.publicKey, program),
    spl.createInitializeMintInstruction(mint.publicKey, 2, owner.publicKey, null, program),
    spl.createInitializeInstruction({
      programId: program,
      mint: mint.publicKey,
      metadata: mint.publicKey,
      name: 'Points',
      symbol: 'PTS',
      uri: '',
      mintAuthority: owner.publicKey,
      updateAuthority: owner.publicKey,
    }),
  );
  const signature = await connection.sendTransaction(transaction, [owner, mint]);
  await connection.confirmTransaction(signature, 'confirmed');
  expect(await spl.getTokenMetadata(connection, mint.publicKey)).toMatchObject({
    name: 'Points',
    symbol: 'PTS',
  });
  const { value } = await connection.getParsedAccountInfo(mint.publicKey);
  expect(value?.data).toMatchObject({
    program: 'spl-token-2022',
    parsed: {
      type: 'mint',
      info: {
        decimals: 2,
        extensions: [
          { extension: 'metadataPointer', state: { metadataAddress: mint.publicKey.toBase58() } },
          { extension: 'tokenMetadata', state: { name: 'Points', symbol: 'PTS', additionalMetadata: [] } },
        ],
      },
    },
  });
  const account = await spl.getOrCreateAssociatedTokenAccount(
    connection,
    owner,
    mint.publicKey,
    owner.publicKey,
    false,
    'confirmed',
    {},
    program,
  );
  await spl.mintTo(connection, owner, mint.publicKey, account.address, owner, 700, [], {}, program);
  await connection.confirmTransaction(await connection.requestAirdrop(owner.publicKey, 1), 'confirmed');
  const held = await connection.getParsedTokenAccountsByOwner(owner.publicKey, { programId: program });
  expect(held.value[0]?.account.data.parsed).toMatchObject({
    info: { tokenAmount: { uiAmountString: '7' } },
  });
});

it.each(['mainnet', 'devnet'] as const)('derives the metadata addresses of the tokens of %s', name => {
  for (const { mint, metadata } of LOCAL_TOKENS[name]) {
    const seeds = [Buffer.from('metadata'), TOKEN_METADATA.bytes, new PublicKey(mint).toBytes()];
    const [derived] = PublicKey.findProgramAddressSync(seeds, new PublicKey(TOKEN_METADATA.address));
    expect(metadata).toBe(derived.toBase58());
  }
});

it('has the local tokens at genesis, with Metaplex metadata', async () => {
  const connection = network.connection();
  for (const { mint, metadata, decimals, name, symbol } of LOCAL_TOKENS.devnet) {
    expect(await spl.getMint(connection, new PublicKey(mint))).toMatchObject({
      decimals,
      isInitialized: true,
    });
    const account = await connection.getAccountInfo(new PublicKey(metadata));
    const text = (at: number): string =>
      account!.data.toString('utf8', at + 4, at + 4 + account!.data.readUInt32LE(at)).replaceAll('\0', '');
    expect([text(65), text(101)]).toEqual([name, symbol]);
    expect(name).toMatch(/local/i);
  }
});

it('rejects other accounts as token accounts', async () => {
  const { url } = network.devnet;
  const unknown = Keypair.generate().publicKey.toBase58();
  for (const method of ['getTokenAccountBalance', 'getTokenSupply', 'getTokenLargestAccounts'])
    expect(await rpc(url, method, [unknown])).toMatchObject({ error: { code: -32602 } });
});
