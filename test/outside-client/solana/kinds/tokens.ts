import { Keypair, type PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { type Chain, lamportLine, tokenLine, USDC } from '../chain';
import { MILES_FEE_DIVISOR, type Parties } from '../parties';
import { memo } from './native';

const USDC_DECIMALS = 6;
const MILES_DECIMALS = 2;
const BATCH = 255;

const moved = (from: PublicKey, to: PublicKey, amount: number | bigint): string =>
  tokenLine('transfer', from, to, USDC, amount);

/** A token account for an owner that was never seen, and its closing. */
export async function createAndCloseAccount(chain: Chain, { alice }: Parties): Promise<void> {
  const { spl } = chain;
  const owner = Keypair.generate();
  const account = chain.tokenAccount(USDC, owner.publicKey);
  const rent = await chain.rent(spl.ACCOUNT_SIZE);
  await chain.send(
    'the creation of a token account',
    {
      type: 'CREATE_ACCOUNT',
      source: 'ASSOCIATED_TOKEN_PROGRAM',
      tokens: [],
      lamports: [lamportLine(alice.publicKey, account, rent)],
    },
    [spl.createAssociatedTokenAccountInstruction(alice.publicKey, account, owner.publicKey, USDC)],
    [alice],
  );
  await chain.send(
    'the closing of a token account',
    { type: 'CLOSE_ACCOUNT', tokens: [], lamports: [lamportLine(account, owner.publicKey, rent)] },
    [spl.createCloseAccountInstruction(account, owner.publicKey, owner.publicKey)],
    [alice, owner],
  );
}

export async function mintTokens(chain: Chain, { bob, usdc }: Parties): Promise<void> {
  const amount = chain.amount();
  await chain.send(
    'a mint',
    { type: 'TOKEN_MINT', tokens: [tokenLine('mint', null, usdc.bob, USDC, amount)], lamports: [] },
    [chain.spl.createMintToInstruction(USDC, usdc.bob, chain.faucet.publicKey, amount)],
    [bob, chain.faucet],
  );
}

export async function burnTokens(chain: Chain, { alice, usdc }: Parties): Promise<void> {
  const amount = chain.amount();
  await chain.send(
    'a burn',
    { type: 'BURN', tokens: [tokenLine('burn', usdc.alice, null, USDC, amount)], lamports: [] },
    [chain.spl.createBurnInstruction(usdc.alice, USDC, alice.publicKey, amount)],
    [alice],
  );
}

/** It does not mention the receiver, only his token account. */
export async function transferTokens(chain: Chain, { alice, usdc }: Parties): Promise<void> {
  const amount = chain.amount();
  await chain.send(
    'a transfer of tokens that reaches only the token account of its receiver',
    { type: 'TRANSFER', tokens: [moved(usdc.alice, usdc.bob, amount)], lamports: [] },
    [chain.spl.createTransferInstruction(usdc.alice, usdc.bob, alice.publicKey, amount)],
    [alice],
  );
}

export async function transferTokensChecked(chain: Chain, { alice, usdc, table }: Parties): Promise<void> {
  const { spl } = chain;
  const amount = chain.amount();
  await chain.send(
    'a checked transfer of tokens with a memo, through a lookup table',
    { type: 'TRANSFER', tokens: [moved(usdc.alice, usdc.bob, amount)], lamports: [] },
    [
      spl.createTransferCheckedInstruction(
        usdc.alice,
        USDC,
        usdc.bob,
        alice.publicKey,
        amount,
        USDC_DECIMALS,
      ),
      memo(`Invoice ${amount}`),
    ],
    [alice],
    { tables: [table] },
  );
}

/** Creates the receiver's token account with its first tokens, as wallets send to an owner who has none. */
export async function transferTokensToNewOwner(chain: Chain, { alice, usdc }: Parties): Promise<void> {
  const { spl } = chain;
  const owner = Keypair.generate().publicKey;
  const account = chain.tokenAccount(USDC, owner);
  const amount = chain.amount();
  const rent = await chain.rent(spl.ACCOUNT_SIZE);
  await chain.send(
    'a transfer of tokens to an owner that was never seen',
    {
      type: 'TRANSFER',
      tokens: [moved(usdc.alice, account, amount)],
      lamports: [lamportLine(alice.publicKey, account, rent)],
    },
    [
      spl.createAssociatedTokenAccountIdempotentInstruction(alice.publicKey, account, owner, USDC),
      spl.createTransferInstruction(usdc.alice, account, alice.publicKey, amount),
    ],
    [alice],
  );
}

export async function failedTokenTransfer(chain: Chain, { bob, usdc }: Parties): Promise<void> {
  await chain.send(
    'a transfer of more tokens than there are',
    { type: 'UNKNOWN', tokens: [], lamports: [] },
    [
      chain.spl.createTransferInstruction(
        usdc.bob,
        usdc.alice,
        bob.publicKey,
        10n ** 15n + BigInt(chain.amount()),
      ),
    ],
    [bob],
    { fails: true },
  );
}

/** Two transfers in one instruction of p-token. */
export async function batchOfTransfers(chain: Chain, { alice, usdc }: Parties): Promise<void> {
  const { spl } = chain;
  const [first, second] = [chain.amount(), chain.amount()];
  const { publicKey } = alice;
  const transfers = [
    spl.createTransferInstruction(usdc.alice, usdc.bob, publicKey, first),
    spl.createTransferCheckedInstruction(usdc.alice, USDC, usdc.bob, publicKey, second, USDC_DECIMALS),
  ];
  await chain.send(
    'a batch of transfers',
    {
      type: 'TRANSFER',
      tokens: [moved(usdc.alice, usdc.bob, first), moved(usdc.alice, usdc.bob, second)],
      lamports: [],
    },
    [
      new TransactionInstruction({
        programId: spl.TOKEN_PROGRAM_ID,
        keys: transfers.flatMap(({ keys }) => keys),
        data: Buffer.concat([
          Buffer.of(BATCH),
          ...transfers.flatMap(({ keys, data }) => [Buffer.of(keys.length, data.length), data]),
        ]),
      }),
    ],
    [alice],
  );
}

/** Token-2022 withholds a fee from what arrives, whether the transfer names it or not. */
export async function transferWithFee(chain: Chain, { alice, miles }: Parties): Promise<void> {
  const { spl } = chain;
  const { publicKey } = alice;
  const program = spl.TOKEN_2022_PROGRAM_ID;
  const amounts = [chain.amount(), chain.amount()].map(amount => BigInt(amount) * MILES_FEE_DIVISOR);
  for (const [named, amount] of [
    [true, amounts[0]!],
    [false, amounts[1]!],
  ] as const) {
    const fee = amount / MILES_FEE_DIVISOR;
    await chain.send(
      `a transfer with a fee that it ${named ? 'names' : 'does not name'}`,
      {
        type: 'TRANSFER',
        tokens: [
          tokenLine('transfer', miles.alice, miles.bob, miles.mint, amount - fee),
          tokenLine('fee', miles.alice, null, miles.mint, fee),
        ],
        lamports: [],
      },
      [
        named
          ? spl.createTransferCheckedWithFeeInstruction(
              miles.alice,
              miles.mint,
              miles.bob,
              publicKey,
              amount,
              MILES_DECIMALS,
              fee,
              [],
              program,
            )
          : spl.createTransferCheckedInstruction(
              miles.alice,
              miles.mint,
              miles.bob,
              publicKey,
              amount,
              MILES_DECIMALS,
              [],
              program,
            ),
      ],
      [alice],
    );
  }
  const withheld = amounts.reduce((sum, amount) => sum + amount / MILES_FEE_DIVISOR, 0n);
  await chain.send(
    'a withdrawal of withheld fees',
    {
      type: 'WITHDRAW',
      tokens: [tokenLine('fee-withdrawal', null, miles.alice, miles.mint, withheld)],
      lamports: [],
    },
    [
      spl.createWithdrawWithheldTokensFromAccountsInstruction(
        miles.mint,
        miles.alice,
        publicKey,
        [],
        [miles.bob],
        program,
      ),
    ],
    [alice],
  );
}

export async function wrapAndUnwrap(chain: Chain, { bob }: Parties): Promise<void> {
  const { spl } = chain;
  const { publicKey: owner } = bob;
  const mint = spl.NATIVE_MINT;
  const account = chain.tokenAccount(mint, owner);
  const lamports = 1_000_000 + chain.amount();
  const rent = await chain.rent(spl.ACCOUNT_SIZE);
  await chain.send(
    'wrapping SOL',
    {
      type: 'TRANSFER',
      tokens: [tokenLine('wrap', null, account, mint, lamports)],
      lamports: [lamportLine(owner, account, rent), lamportLine(owner, account, lamports)],
    },
    [
      spl.createAssociatedTokenAccountInstruction(owner, account, owner, mint),
      SystemProgram.transfer({ fromPubkey: owner, toPubkey: account, lamports }),
      spl.createSyncNativeInstruction(account),
    ],
    [bob],
  );
  await chain.send(
    'unwrapping SOL',
    {
      type: 'CLOSE_ACCOUNT',
      tokens: [tokenLine('unwrap', account, null, mint, lamports)],
      lamports: [lamportLine(account, owner, rent + lamports)],
    },
    [spl.createCloseAccountInstruction(account, owner, owner)],
    [bob],
  );
}

/** Two opposite moves of tokens in one transaction, which both sign. */
export async function swapTokens(chain: Chain, { alice, bob, usdc, miles }: Parties): Promise<void> {
  const { spl } = chain;
  const program = spl.TOKEN_2022_PROGRAM_ID;
  const [given, received] = [chain.amount(), BigInt(chain.amount()) * MILES_FEE_DIVISOR];
  const fee = received / MILES_FEE_DIVISOR;
  // So that the other side has something to give.
  const stock = 2n * received;
  await chain.send(
    'a mint of what is swapped next',
    { type: 'TOKEN_MINT', tokens: [tokenLine('mint', null, miles.bob, miles.mint, stock)], lamports: [] },
    [spl.createMintToInstruction(miles.mint, miles.bob, alice.publicKey, stock, [], program)],
    [alice],
  );
  await chain.send(
    'a swap of tokens',
    {
      type: 'SWAP',
      tokens: [
        moved(usdc.alice, usdc.bob, given),
        tokenLine('transfer', miles.bob, miles.alice, miles.mint, received - fee),
        tokenLine('fee', miles.bob, null, miles.mint, fee),
      ],
      lamports: [],
    },
    [
      spl.createTransferInstruction(usdc.alice, usdc.bob, alice.publicKey, given),
      spl.createTransferCheckedInstruction(
        miles.bob,
        miles.mint,
        miles.alice,
        bob.publicKey,
        received,
        MILES_DECIMALS,
        [],
        program,
      ),
    ],
    [alice, bob],
  );
}

/** The tokens of an account go to another owner with it, although its balance stays the same. */
export async function handOverAccount(chain: Chain, { alice, usdc }: Parties): Promise<void> {
  const { spl } = chain;
  const [account, owner] = [Keypair.generate(), Keypair.generate().publicKey];
  const rent = await chain.rent(spl.ACCOUNT_SIZE);
  const amount = chain.amount();
  await chain.send(
    'a transfer of tokens to another account of oneself',
    {
      type: 'TRANSFER',
      tokens: [moved(usdc.alice, account.publicKey, amount)],
      lamports: [lamportLine(alice.publicKey, account.publicKey, rent)],
    },
    [
      SystemProgram.createAccount({
        fromPubkey: alice.publicKey,
        newAccountPubkey: account.publicKey,
        space: spl.ACCOUNT_SIZE,
        lamports: rent,
        programId: spl.TOKEN_PROGRAM_ID,
      }),
      spl.createInitializeAccount3Instruction(account.publicKey, USDC, alice.publicKey),
      spl.createTransferInstruction(usdc.alice, account.publicKey, alice.publicKey, amount),
    ],
    [alice, account],
  );
  await chain.send(
    'a token account that gets another owner',
    { type: 'TRANSFER', tokens: [moved(account.publicKey, account.publicKey, amount)], lamports: [] },
    [
      spl.createSetAuthorityInstruction(
        account.publicKey,
        alice.publicKey,
        spl.AuthorityType.AccountOwner,
        owner,
      ),
      memo(`a present ${amount}`),
    ],
    [alice],
  );
}
