import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { beginCell, storeStateInit } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import * as schemas from './schemas';

const sha256 = (...parts: readonly (Uint8Array | string)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One wallet with both chains, as the wallet app enrols it: with published packages, and nothing of the program but its answers. */
export class CardApp {
  readonly #keys: nacl.SignKeyPair;
  readonly #solana: Keypair;

  /** @param seed 32 bytes */
  constructor(
    private readonly cardUrl: string,
    private readonly webUrl: string,
    seed: Uint8Array,
    private readonly network: 'mainnet' | 'testnet' = 'mainnet',
  ) {
    this.#keys = nacl.sign.keyPair.fromSeed(seed);
    this.#solana = Keypair.fromSeed(seed);
  }

  /** Its wallet of TON, v5r1. */
  get wallet() {
    const publicKey = Buffer.from(this.#keys.publicKey);
    const walletId = { networkGlobalId: this.network === 'mainnet' ? -239 : -3 };
    const contract = WalletContractV5R1.create({ publicKey, walletId });
    return { contract, secretKey: Buffer.from(this.#keys.secretKey) };
  }

  get solana(): Keypair {
    return this.#solana;
  }

  async post(path: string, body: object): Promise<Answer> {
    const response = await fetch(this.cardUrl + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  /** The answer, as the app reads it. @throws where it is another one */
  async read<S extends z.ZodType>(schema: S, path: string, body: object): Promise<z.output<S>> {
    const answer = await this.post(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return schema.parse(answer.body);
  }

  /** The domain of the proofs: the host of the manifest, with its port. */
  async domain(): Promise<string> {
    const response = await fetch(`${this.webUrl}/jsons/tonconnect-manifest.json`);
    if (response.status !== 200) throw new Error(`manifest: ${response.status}`);
    const { url } = schemas.manifest.parse(await response.json());
    return new URL(/^https?:/.test(url) ? url : `https://${url}`).host;
  }

  /** Both proofs, by one key. */
  async proofs() {
    const domain = await this.domain();
    const ton = this.#tonProof('v5r1', domain);
    return [ton, this.#solanaProof(domain)] as const;
  }

  /** A Ledger proves its wallet of TON alone. */
  async proofOfLedger() {
    return this.#tonProof('v4r2', await this.domain());
  }

  async enrol(): Promise<string> {
    const { token } = await this.read(schemas.enrolled, '/v2/user/wallet/connect', await this.proofs());
    return token;
  }

  /** Connects to the stream of updates. */
  updates(token: string): { readonly socket: WebSocket; readonly frames: z.output<typeof schemas.frame>[] } {
    const socket = new WebSocket(`${this.cardUrl.replace(/^http/, 'ws')}/v2/updates`);
    const frames: z.output<typeof schemas.frame>[] = [];
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connect', token })));
    socket.on('message', (data: Buffer) => frames.push(schemas.frame.parse(JSON.parse(data.toString()))));
    return { socket, frames };
  }

  #tonProof(version: 'v4r2' | 'v5r1', domain: string) {
    const publicKey = Buffer.from(this.#keys.publicKey);
    const { address, init } =
      version === 'v4r2' ? WalletContractV4.create({ workchain: 0, publicKey }) : this.wallet.contract;
    const workchain = Buffer.alloc(4);
    workchain.writeInt32BE(address.workChain);
    const { signature, ...proof } = this.#proof(domain, 'ton-proof-any', workchain, address.hash);
    return this.#element('ton', `ton-${this.network}`, address.toRawString(), {
      ...proof,
      signature: Buffer.from(signature).toString('base64'),
      publicKey: publicKey.toString('hex'),
      walletStateInit: beginCell().store(storeStateInit(init)).endCell().toBoc().toString('base64'),
    });
  }

  #solanaProof(domain: string) {
    const { publicKey } = this.#solana;
    const { signature, ...proof } = this.#proof(domain, 'solana-proof-any', publicKey.toBytes());
    const network = this.network === 'mainnet' ? 'solana-mainnet' : 'solana-devnet';
    return this.#element('solana', network, publicKey.toBase58(), {
      ...proof,
      signature: bs58.encode(signature),
      publicKey: publicKey.toBase58(),
    });
  }

  #proof(domain: string, payload: string, ...account: readonly Uint8Array[]) {
    const timestamp = Math.floor(Date.now() / 1_000);
    const [length, time] = [Buffer.alloc(4), Buffer.alloc(8)];
    length.writeUInt32LE(Buffer.byteLength(domain));
    time.writeBigUInt64LE(BigInt(timestamp));
    const message = sha256('ton-proof-item-v2/', ...account, length, domain, time, payload);
    const hash = sha256(Buffer.from([0xff, 0xff]), 'ton-connect', message);
    const signature = nacl.sign.detached(hash, this.#keys.secretKey);
    return { timestamp, domain: { lengthBytes: length.readUInt32LE(), value: domain }, payload, signature };
  }

  #element(stack: string, network: string, address: string, proof: object) {
    const key = { kind: 'tonconnect-v2', wallet: 'tonhub', config: { address, proof } };
    return { stack, network, key };
  }
}
