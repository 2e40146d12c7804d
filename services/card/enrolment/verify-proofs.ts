import { decodeBase58, encodeBase58 } from '../../../contracts/encoding/base58';
import { decodeBase64 } from '../../../contracts/encoding/base64';
import { sha256 } from '../../../contracts/encoding/sha256';
import type { SolanaWalletProof, TonWalletProof } from '../../../contracts/http/card/enrolment';
import { SOLANA_BESIDE, type TonNetwork } from '../../../contracts/network/network';
import { Problem } from '../../../contracts/problem/problem';
import type { CardWallet } from '../../../projections/card/fold-user';
import { verifyEd25519 } from '../../signing/ed25519';
import { solanaProofHash, tonProofHash } from './proof-hash';
import { walletOfState } from './wallet-of-state';

export interface ProofTerms {
  readonly network: TonNetwork;
  /** Hosts, lower case, with the port: one of them is the domain of the proofs. */
  readonly domains: readonly string[];
  readonly now: Date;
}

/** What proofs say, once they are verified. */
export interface Proven {
  /** Hex. */
  readonly publicKey: string;
  readonly wallets: readonly CardWallet[];
  readonly proofs: readonly {
    /** SHA-256 of the signature, hex. */ readonly digest: string;
    readonly signedAt: number;
  }[];
}

type Wallets = TonWalletProof | readonly [TonWalletProof, SolanaWalletProof];

/**
 * The key that a wallet of TON, and that of Solana beside it, are proved by.
 * @throws Problem 400 of a wrong network or domain, 403 `signature_invalid`, `signature_expired`
 */
export function verifyProofs(given: Wallets, terms: ProofTerms): Proven {
  if (!isPair(given)) {
    const { proven } = verifyTon(given, terms, '/body');
    return proven;
  }
  const [ton, solana] = given;
  const { proven, publicKey } = verifyTon(ton, terms, '/body/0');
  const beside = verifySolana(solana, terms, publicKey);
  return {
    ...proven,
    wallets: [...proven.wallets, ...beside.wallets],
    proofs: [...proven.proofs, ...beside.proofs],
  };
}

const isPair = (given: Wallets): given is readonly [TonWalletProof, SolanaWalletProof] =>
  Array.isArray(given);

function verifyTon(
  { network, key: { config } }: TonWalletProof,
  terms: ProofTerms,
  pointer: string,
): { readonly proven: Proven; readonly publicKey: Buffer } {
  expectTerms({ network: `ton-${terms.network}`, given: network, proof: config.proof }, terms, pointer);
  const { proof } = config;
  const address = config.address.toLowerCase();
  const wallet = walletOfState(decodeBase64(proof.walletStateInit)!, address, terms.network);
  if (!wallet)
    throw invalid('The state is not that of a wallet that the app makes, with this address and network.');
  const { publicKey, version } = wallet;
  const hex = publicKey.toString('hex');
  if (proof.publicKey !== undefined && proof.publicKey.toLowerCase() !== hex)
    throw invalid('The public key is not that of the wallet.');
  const signature = decodeBase64(proof.signature)!;
  if (!verifyEd25519(tonProofHash(address, textOf(proof)), signature, publicKey))
    throw invalid('The proof of the wallet of TON is not signed by its key.');
  return {
    publicKey,
    proven: {
      publicKey: hex,
      wallets: [{ chain: 'ton', address, version }],
      proofs: [{ digest: digestOf(signature), signedAt: proof.timestamp }],
    },
  };
}

function verifySolana(
  { network, key: { config } }: SolanaWalletProof,
  terms: ProofTerms,
  publicKey: Buffer,
): Pick<Proven, 'wallets' | 'proofs'> {
  const expected = `solana-${SOLANA_BESIDE[terms.network]}`;
  expectTerms({ network: expected, given: network, proof: config.proof }, terms, '/body/1');
  const { address, proof } = config;
  const ofKey = encodeBase58(publicKey);
  if (address !== ofKey || proof.publicKey !== ofKey)
    throw invalid('The wallet of Solana is not that of the key of the wallet of TON.');
  const signature = Buffer.from(decodeBase58(proof.signature)!);
  if (!verifyEd25519(solanaProofHash(address, textOf(proof)), signature, publicKey))
    throw invalid('The proof of the wallet of Solana is not signed by its key.');
  return {
    wallets: [{ chain: 'solana', address, version: null }],
    proofs: [{ digest: digestOf(signature), signedAt: proof.timestamp }],
  };
}

interface Proof {
  readonly timestamp: number;
  readonly domain: { readonly value: string };
  readonly payload: string;
}

const MAX_AGE_SECONDS = 300;
const MAX_AHEAD_SECONDS = 60;

function expectTerms(
  { network, given, proof }: { readonly network: string; readonly given: string; readonly proof: Proof },
  { domains, now }: ProofTerms,
  pointer: string,
): void {
  if (given !== network)
    throw Problem.invalid(`${pointer}/network`, `${network} is that of this card service`);
  if (!domains.includes(proof.domain.value))
    throw invalid(
      'The domain of the proof is not the host of the manifest, in lower case and with its port.',
    );
  const age = now.getTime() / 1_000 - proof.timestamp;
  if (age > MAX_AGE_SECONDS || age < -MAX_AHEAD_SECONDS)
    throw new Problem(
      'signature_expired',
      'The timestamp (Unix seconds) is more than five minutes ago, or a minute ahead.',
    );
}

const textOf = ({ timestamp, domain, payload }: Proof) => ({ timestamp, domain: domain.value, payload });

const digestOf = (signature: Buffer): string => sha256(signature).toString('hex');

const invalid = (detail: string): Problem => new Problem('signature_invalid', detail);
