import { type Connection, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { SolanaNetwork } from '../../../../contracts/network/network';
import { LOCAL_TOKENS } from '../genesis/local-tokens';
import { type Actor, localKeypair } from './actors';
import { memo, send } from './send';
import type { Spl } from './spl';

/** A token of the local network. Its mint authority is the faucet. */
export interface DevnetToken {
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly program: 'token' | 'token-2022';
}

/** A token of Token-2022: its metadata is in the mint itself. */
interface ExtendedToken {
  /** Of its key. */
  readonly key: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Withheld from what arrives: hundredths of a percent, and at most so much in the smallest unit. */
  readonly fee?: { readonly basisPoints: number; readonly max: bigint };
}

const EXTENDED_TOKENS: readonly ExtendedToken[] = [
  { key: 'points', name: 'Local Points (no value)', symbol: 'PTS-LOCAL', decimals: 2 },
  {
    key: 'miles',
    name: 'Local Miles (no value)',
    symbol: 'MLS-LOCAL',
    decimals: 6,
    fee: { basisPoints: 150, max: 5_000_000n },
  },
];
/** Initial balance of each actor, in whole tokens. */
const INITIAL_TOKENS = 1_000n;

export function devnetTokens(network: SolanaNetwork): DevnetToken[] {
  return [
    ...LOCAL_TOKENS[network].map(({ mint, name, symbol, decimals }) => ({
      mint,
      name,
      symbol,
      decimals,
      program: 'token' as const,
    })),
    ...EXTENDED_TOKENS.map(({ key, name, symbol, decimals }) => ({
      mint: localKeypair(key).publicKey.toBase58(),
      name,
      symbol,
      decimals,
      program: 'token-2022' as const,
    })),
  ];
}

const programOf = (spl: Spl, { program }: DevnetToken): PublicKey =>
  program === 'token' ? spl.TOKEN_PROGRAM_ID : spl.TOKEN_2022_PROGRAM_ID;

const accountOf = (spl: Spl, token: DevnetToken, owner: PublicKey): PublicKey =>
  spl.getAssociatedTokenAddressSync(new PublicKey(token.mint), owner, false, programOf(spl, token));

/** Creates the mint of a Token-2022 token, if missing. */
const issue = async (connection: Connection, spl: Spl, token: ExtendedToken): Promise<void> => {
  const { name, symbol, decimals, fee } = token;
  const [faucet, mint] = [localKeypair('faucet'), localKeypair(token.key)];
  if (await connection.getAccountInfo(mint.publicKey)) return;
  const programId = spl.TOKEN_2022_PROGRAM_ID;
  const { MetadataPointer, TransferFeeConfig } = spl.ExtensionType;
  const space = spl.getMintLen(fee ? [MetadataPointer, TransferFeeConfig] : [MetadataPointer]);
  const metadata = spl.TYPE_SIZE + spl.LENGTH_SIZE + 64 + 4 * 4 + name.length + symbol.length;
  const [from, address] = [faucet.publicKey, mint.publicKey];
  const lamports = await connection.getMinimumBalanceForRentExemption(space + metadata);
  await send(
    connection,
    [
      SystemProgram.createAccount({
        fromPubkey: from,
        newAccountPubkey: address,
        space,
        lamports,
        programId,
      }),
      spl.createInitializeMetadataPointerInstruction(address, from, address, programId),
      ...(fee
        ? [
            spl.createInitializeTransferFeeConfigInstruction(
              address,
              from,
              from,
              fee.basisPoints,
              fee.max,
              programId,
            ),
          ]
        : []),
      spl.createInitializeMintInstruction(address, decimals, from, null, programId),
      spl.createInitializeInstruction({
        programId,
        mint: address,
        metadata: address,
        name,
        symbol,
        uri: '',
        mintAuthority: from,
        updateAuthority: from,
      }),
    ],
    [faucet, mint],
  );
};

/** Creates and fills an actor's missing token accounts, each in one transaction. */
const endow = async (connection: Connection, spl: Spl, token: DevnetToken, actor: Actor): Promise<void> => {
  const faucet = localKeypair('faucet');
  const owner = actor.keypair.publicKey;
  const [mint, program, account] = [
    new PublicKey(token.mint),
    programOf(spl, token),
    accountOf(spl, token, owner),
  ];
  if (await connection.getAccountInfo(account)) return;
  const amount = INITIAL_TOKENS * 10n ** BigInt(token.decimals);
  const { publicKey: payer } = faucet;
  await send(
    connection,
    [
      spl.createAssociatedTokenAccountIdempotentInstruction(payer, account, owner, mint, program),
      spl.createMintToInstruction(mint, account, payer, amount, [], program),
      memo(`Welcome, ${actor.name}`),
    ],
    [faucet],
  );
};

export async function seedTokens(
  connection: Connection,
  spl: Spl,
  network: SolanaNetwork,
  actors: readonly Actor[],
): Promise<void> {
  for (const token of EXTENDED_TOKENS) await issue(connection, spl, token);
  for (const token of devnetTokens(network))
    for (const actor of actors) await endow(connection, spl, token, actor);
}

/** Transfers hundredths of the sender's balance to the receiver's existing account. */
export async function tokenTransfer(
  connection: Connection,
  spl: Spl,
  token: DevnetToken,
  from: PublicKey,
  to: PublicKey,
  hundredths: number,
): Promise<TransactionInstruction> {
  const [source, target] = [accountOf(spl, token, from), accountOf(spl, token, to)];
  const { value } = await connection.getTokenAccountBalance(source);
  const amount = (BigInt(value.amount) * BigInt(hundredths)) / 100n;
  const mint = new PublicKey(token.mint);
  const program = programOf(spl, token);
  return spl.createTransferCheckedInstruction(
    source,
    mint,
    target,
    from,
    amount,
    token.decimals,
    [],
    program,
  );
}
