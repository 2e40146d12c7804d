import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { createBody } from '../../test/wallet-requests/wallet';
import { createKeyedMutex } from '../commands/keyed-mutex';
import { createRequest } from './commands';
import type { WalletRequest, WalletRequestCommand } from './decider';
import type { WalletRequestDeps } from './deps';
import { MAX_PENDING_TO_WALLET } from './places';

const victim = localWallet('victim', 'v4r2', 'testnet');
const stranger = localWallet('stranger', 'v5r1', 'testnet');
const friend = localWallet('friend', 'v5r1', 'testnet');
const rawOf = ({ contract }: LocalWallet): string => contract.address.toRawString();
const nextTick = () => new Promise<void>(resolve => setImmediate(resolve));

/** Requests to the victim, each created when the test says so. */
function askedVictim() {
  /** Requestors, in the order in which their requests are created. */
  const created: string[] = [];
  const ends: (() => void)[] = [];
  const handle = async (_kind: unknown, _stream: string, command: WalletRequestCommand) => {
    if (command.type !== 'create') throw new Error('nothing is displaced');
    created.push(command.requestor);
    await new Promise<void>(resolve => void ends.push(resolve));
    return { refusal: null, events: [], state: {} as WalletRequest, position: 0, revision: 0 };
  };
  const keyOf = (raw: string): Buffer => [stranger, friend].find(each => rawOf(each) === raw)!.keys.publicKey;
  const deps = {
    views: { find: async () => ({ documents: [], next: null }), waitForPosition: async () => undefined },
    handle,
    findKey: async ({ address }: { readonly address: string }) => keyOf(address),
    exclusive: createKeyedMutex(MAX_PENDING_TO_WALLET),
    sourceOf: (ip: string) => ip,
    clock: () => new Date(),
    waitMs: 0,
  } as unknown as WalletRequestDeps;
  const ask = (from: LocalWallet, ip: string): Promise<unknown> => {
    const body = {
      expirationSeconds: 300,
      ...createBody(from, victim, { timestamp: Math.floor(Date.now() / 1_000) }),
    };
    return createRequest(deps, body as never, { ip, appendHeader: () => undefined });
  };
  const endOne = async (): Promise<void> => {
    ends.shift()!();
    await nextTick();
  };
  return { created, ask, endOne };
}

it('an honest request to a wallet is created after one of each stranger, however many they have sent', async () => {
  const { created, ask, endOne } = askedVictim();
  const refused: string[] = [];
  for (let n = 0; n < 480; n++) {
    const ip = `203.0.113.${n % 8}`;
    ask(stranger, ip).catch(({ code }: { readonly code: string }) => refused.push(code));
  }
  await nextTick();
  const honest = ask(friend, '192.0.2.1');
  await nextTick();
  expect(new Set(refused)).toEqual(new Set(['too_many_wallet_requests']));
  expect(refused).toHaveLength(80);
  // The one that was being created, one of each stranger, and its own.
  for (let n = 0; n < 10; n++) await endOne();
  expect(created.slice(0, 10)).toContain(rawOf(friend));
  await honest;
});
