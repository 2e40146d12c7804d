import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  startChangellyDouble,
  type ChangellyDouble,
  type ChangellyDoubleOptions,
} from '../../infra/devnet/exchange/changelly-double';
import type { CurrencyView, EstimateView, FixedRateView } from '../../infra/devnet/exchange/market-methods';
import type { CreatedView, OrderView } from '../../infra/devnet/exchange/order';

export const START = Date.UTC(2026, 0, 5, 12);
/** A valid address on TON. */
export const PAYOUT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';

export const EVM_ADDRESS = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

export const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly json: {
    readonly id?: unknown;
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };
}

export function headersFor(
  body: string,
  key: KeyObject = privateKey,
  registered = publicKey,
): Record<string, string> {
  const der = registered.export({ type: 'pkcs1', format: 'der' });
  return {
    'content-type': 'application/json',
    'X-Api-Key': createHash('sha256').update(der).digest('base64'),
    'X-Api-Signature': sign('sha256', Buffer.from(body), key).toString('base64'),
  };
}

export async function post(url: string, body: string, headers = headersFor(body)): Promise<Reply> {
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text.endsWith('}');
  return { status: response.status, text, json: isJson ? (JSON.parse(text) as Reply['json']) : {} };
}

interface Results {
  readonly getCurrenciesFull: readonly CurrencyView[];
  readonly getPairs: readonly { readonly from: string; readonly to: string }[];
  readonly getExchangeAmount: readonly EstimateView[];
  readonly getFixRateForAmount: readonly FixedRateView[];
  readonly getPairsParams: readonly object[];
  readonly validateAddress: object;
  readonly createTransaction: CreatedView;
  readonly createFixTransaction: CreatedView;
  readonly getTransactions: readonly OrderView[];
  readonly getStatus: string;
}

/** A double whose time stands still until `advance`. */
export interface SteppedDouble {
  readonly double: ChangellyDouble;
  advance(seconds: number): void;
  call(method: string, params?: unknown): Promise<Reply>;
  /** @throws when the answer is an error */
  result<Name extends keyof Results>(method: Name, params?: unknown): Promise<Results[Name]>;
}

export async function steppedDouble(options: Partial<ChangellyDoubleOptions> = {}): Promise<SteppedDouble> {
  let time = START;
  const double = await startChangellyDouble({
    publicKey,
    now: () => time,
    requestsPerSecond: Infinity,
    ...options,
  });
  const call = (method: string, params?: unknown): Promise<Reply> =>
    post(double.url, JSON.stringify({ jsonrpc: '2.0', id: 'test', method, params }));
  return {
    double,
    advance: seconds => {
      time += seconds * 1_000;
    },
    call,
    async result<Name extends keyof Results>(method: Name, params?: unknown) {
      const { json, text } = await call(method, params);
      if (json.result === undefined) throw new Error(text);
      return json.result as Results[Name];
    },
  };
}
