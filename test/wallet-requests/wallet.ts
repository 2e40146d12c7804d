import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { formatTonAddress } from '../../contracts/account/address';
import type { walletRequest, WalletRequestFrame } from '../../contracts/http/connect/wallet-requests';
import { sha256 } from '../../contracts/encoding/sha256';
import { ed25519Key } from '../../infra/devnet/ed25519';
import type { LocalWallet } from '../../infra/devnet/ton/wallets';

/** A program that serves wallet requests. */
interface Served {
  readonly url: string;
}

export type WalletRequest = z.output<typeof walletRequest>;

/** As the wallet app writes its address. */
export function addressOf({ contract }: LocalWallet): string {
  return formatTonAddress(contract.address.toRawString(), 'testnet', false);
}

/** A signature of the text, as the wallet app makes it. */
export function sign({ keys }: LocalWallet, text: string): string {
  return ed25519Key(keys.secretKey.subarray(0, 32)).sign(sha256(text)).toString('base64');
}

export function unixNow(): number {
  return Math.floor(Date.now() / 1_000);
}

interface Terms {
  readonly message?: string;
  readonly expirationSeconds?: number;
  readonly metadata?: object;
  readonly timestamp?: number;
}

let latest = 0;
/** Another second for each request: two of the same second with the same fields have the same signature. */
const nextTimestamp = (): number => (latest = Math.max(latest + 1, unixNow()));

/** The body of a new request. What the app signs but never sends is sent here if it is given. */
export function createBody(from: LocalWallet, to: LocalWallet | string, terms: Terms = {}) {
  const { timestamp = nextTimestamp(), ...sent } = terms;
  const [requestor, confirmant] = [addressOf(from), typeof to === 'string' ? to : addressOf(to)];
  const { message = '', expirationSeconds = 300, metadata } = sent;
  const text = ['WALLET_REQUEST_CREATE', requestor, confirmant, message, expirationSeconds, timestamp];
  const signature = sign(from, [...text, metadata ? JSON.stringify(metadata) : ''].join('|'));
  return { requestor, confirmant, timestamp, signature, network: 'testnet', ...sent };
}

/** The body of an answer. */
export function respondBody(
  wallet: LocalWallet,
  requestId: string,
  status: 'confirmed' | 'declined',
  { response, timestamp = unixNow() }: { readonly response?: string; readonly timestamp?: number } = {},
) {
  const walletAddress = addressOf(wallet);
  const text = ['WALLET_REQUEST_RESPOND', requestId, walletAddress, status, response ?? '', timestamp];
  const signature = sign(wallet, text.join('|'));
  return {
    requestId,
    walletAddress,
    status,
    signature,
    timestamp,
    network: 'testnet',
    ...(response && { response }),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/**
 * Calls again while the program has not read the key of a wallet yet, as on a busy machine.
 * @param from the address of the caller, where the program trusts a proxy
 */
export async function post({ url }: Served, path: string, body: object, from?: string): Promise<Answer> {
  for (;;) {
    const response = await fetch(`${url}/wallet-request/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(from && { 'x-forwarded-for': from }) },
      body: JSON.stringify(body),
    });
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      body: await response.json(),
    };
    if (answer.body.code !== 'not_ready') return answer;
  }
}

export async function list(
  { url }: Served,
  wallet: LocalWallet,
  type?: string,
  headers: Record<string, string> = {},
): Promise<WalletRequest[]> {
  const query = type === undefined ? '' : `?type=${type}`;
  const path = `${encodeURIComponent(addressOf(wallet))}/testnet/list${query}`;
  const response = await fetch(`${url}/wallet-request/${path}`, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as WalletRequest[];
}

/** The watcher of the wallet app. */
export interface WatchingApp {
  readonly socket: WebSocket;
  readonly frames: WalletRequestFrame[];
  /** Type and id of the request of each notification. */
  notifications(): string[];
  closed(): Promise<number>;
}

/** Connects, and resolves once the pending requests have arrived. */
export async function watch({ url }: Served, wallet: LocalWallet): Promise<WatchingApp> {
  const address = encodeURIComponent(addressOf(wallet));
  const socket = new WebSocket(`${url.replace('http', 'ws')}/wallet-request/${address}/testnet/watch/ws`);
  const frames: WalletRequestFrame[] = [];
  const closing = once(socket, 'close') as Promise<[number]>;
  const pending = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as WalletRequestFrame;
      frames.push(frame);
      if (frame.event === 'pending_requests') resolve();
    });
  });
  await pending;
  return {
    socket,
    frames,
    notifications: () =>
      frames.flatMap(frame =>
        frame.event === 'notification' ? [`${frame.data.type} ${frame.data.request.requestId}`] : [],
      ),
    closed: async () => (await closing)[0],
  };
}
