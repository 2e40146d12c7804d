import { type Connection, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { SolanaNetwork } from '../../../../contracts/network';
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

const POINTS = { name: 'Local Points (no value)', symbol: 'PTS-LOCAL', decimals: 2 } as const;
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
    { mint: localKeypair('points').publicKey.toBase58(), ...POINTS, program: 'token-2022' },
  ];
}

const programOf = (spl: Spl, { program }: DevnetToken): PublicKey =>
  program === 'token' ? spl.TOKEN_PROGRAM_ID : spl.TOKEN_2022_PROGRAM_ID;

const accountOf = (spl: Spl, token: DevnetToken, owner: PublicKey): PublicKey =>
  spl.getAssociatedTokenAddressSync(new PublicKey(token.mint), owner, false, programOf(spl, token));

/** Creates the Token-2022 mint, whose metadata is in the mint itself, if missing. */
const issuePoints = async (connection: Connection, spl: Spl): Promise<void> => {
  const [faucet, mint] = [localKeypair('faucet'), localKeypair('points')];
  if (await connection.getAccountInfo(mint.publicKey)) return;
  const programId = spl.TOKEN_2022_PROGRAM_ID;
  const space = spl.getMintLen([spl.ExtensionType.MetadataPointer]);
  const metadata = spl.TYPE_SIZE + spl.LENGTH_SIZE + 64 + 4 * 4 + POINTS.name.length + POINTS.symbol.length;
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
      spl.createInitializeMintInstruction(address, POINTS.decimals, from, null, programId),
      spl.createInitializeInstruction({
        programId,
        mint: address,
        metadata: address,
        name: POINTS.name,
        symbol: POINTS.symbol,
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
  await issuePoints(connection, spl);
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
