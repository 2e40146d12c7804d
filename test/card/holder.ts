import { keyPairFromSeed, type KeyPair } from '@ton/crypto';
import { sha256 } from '../../contracts/encoding/sha256';
import { initOfV5, solanaElement, tonElement } from './prove';

/** The key of a name. */
export function keysOf(name: string): KeyPair {
  return keyPairFromSeed(sha256(name));
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export async function post(url: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Calls a card service. @param base with its mount, such as `http://127.0.0.1:3000/card` @param nowMs by the clock of the service */
export function cardClient(base: string, network: 'mainnet' | 'testnet' = 'mainnet', nowMs = Date.now()) {
  const solanaNetwork = network === 'mainnet' ? 'mainnet' : 'devnet';
  let earlier = 0;
  const began = Math.floor(nowMs / 1_000);
  const domain = new URL(base).host;
  return {
    post: (path: string, body: unknown) => post(`${base}${path}`, body),
    /** Both proofs, new ones each time. */
    proofs(keys: KeyPair) {
      // Two of one second would be the same bytes.
      const timestamp = began - earlier++;
      const terms = { keys, domain, timestamp };
      return [
        tonElement({ ...terms, network, init: initOfV5(keys, network) }),
        solanaElement({ ...terms, network: solanaNetwork }),
      ] as const;
    },
    async enrol(keys: KeyPair): Promise<string> {
      const { status, body } = await post(`${base}/v2/user/wallet/connect`, this.proofs(keys));
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body['token'] as string;
    },
  };
}
