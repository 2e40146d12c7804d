import { formatTonAddress } from '../../contracts/account/address';
import type { CommandState, ConnectSession } from '../../contracts/http/connect/connect';
import { parsePublicKey } from '../../contracts/account/public-key';
import {
  findConnectCommands,
  findConnectSession,
  findFirstWallet,
  type ConnectCommand,
  type ConnectSessionDocument,
} from '../../projections/connect/connections';
import type { AnyCall } from '../http/call';
import { commandsTo } from './command';
import { addressKey } from '../../contracts/http/address-key';
import { readUntil } from '../reads/read-until';
import type { ConnectDeps } from './deps';
import type { WaitForSession } from './session-changes';

/** A notification of a change may be lost. */
const REREAD_MS = 5_000;

type ReadDeps = Pick<ConnectDeps, 'views' | 'clock'>;

/** @param session its key as a client wrote it; what is no key is not found */
export async function findSession(
  { views }: Pick<ReadDeps, 'views'>,
  session: string,
): Promise<ConnectSessionDocument | null> {
  const key = parsePublicKey(session);
  return key === null ? null : findConnectSession(views, key);
}

/**
 * The session once its `updated` is greater than `lastUpdated`, or it has ended; after a time-out, or with the signal, as it
 * is.
 */
export async function waitForSession(
  deps: ConnectDeps,
  wait: WaitForSession,
  session: string,
  lastUpdated: number,
  { ip, signal }: Pick<AnyCall, 'ip'> & { readonly signal: AbortSignal },
): Promise<ConnectSession> {
  const key = parsePublicKey(session);
  const { waitMs, waitLimit } = deps;
  return readUntil({
    read: async () => sessionOf(await findSession(deps, session), deps.clock().getTime()),
    isDone: found => found.state === 'not_found' || found.updated > lastUpdated,
    waitForChange: (timeoutMs, ended) => wait(key!, Math.min(timeoutMs, REREAD_MS), ended),
    waitMs,
    waitLimit,
    caller: addressKey(ip),
    signal,
  });
}

/** As applications are shown it. @param now milliseconds since the epoch */
export function sessionOf(document: ConnectSessionDocument | null, now: number): ConnectSession {
  if (!document) return { state: 'not_found' };
  const { name, url, testnet, created, updated, expires, wallet, granted, revoked } = document;
  const session = { name, url, testnet, created, updated };
  if (!wallet) {
    if (revoked || now >= expires!) return { state: 'not_found' };
    return { state: 'initing', status: 'awaiting', ...session, revoked };
  }
  const { address, endpoint, walletConfig, walletType, walletSig, appPublicKey } = wallet;
  return {
    state: 'ready',
    status: revoked ? 'invalid' : granted ? 'granted' : 'awaiting',
    ...session,
    revoked,
    wallet: {
      address: formatTonAddress(address, testnet ? 'testnet' : 'mainnet'),
      endpoint,
      walletConfig,
      walletType,
      walletSig,
      appPublicKey: Buffer.from(appPublicKey, 'base64url').toString('base64'),
    },
  };
}

/**
 * The command that an installation has to answer. Anybody may answer a session of their own as any installation, so of several it is
 * first the one that the caller itself has submitted, which waits for its end; then the one to the wallet that was the first to be
 * connected; then the one that expires first, which one that is valid for long cannot hide. Otherwise the latest one that has
 * ended, which is rejected when its session was revoked in time.
 */
export async function readCommand(
  deps: ReadDeps & Pick<ConnectDeps, 'sourceOf'>,
  appk: string,
  { ip }: Pick<AnyCall, 'ip'>,
): Promise<CommandState> {
  const now = deps.clock().getTime();
  const installation = parsePublicKey(appk)!;
  const commands = await findConnectCommands(deps.views, installation);
  const first = commands.length > 1 ? await findFirstWallet(deps.views, installation) : null;
  const own = deps.sourceOf(ip, commandsTo(installation));
  const rankOf = ({ wallet, source }: ConnectCommand): number =>
    (source === own ? 0 : 2) + (wallet !== null && wallet === first ? 0 : 1);
  const ranked = [...commands].sort((a, b) => rankOf(a) - rankOf(b) || a.expires - b.expires);
  const states = await Promise.all(ranked.map(command => stateOf(deps, command, now)));
  const [latest] = [...states].sort((a, b) => b.created - a.created);
  return states.find(({ state }) => state === 'submitted') ?? latest ?? { state: 'empty', now };
}

async function stateOf({ views }: ReadDeps, { job, created, expires, session }: ConnectCommand, now: number) {
  const found = await findConnectSession(views, session);
  if (found?.revoked && found.updated < expires)
    return { state: 'rejected', job, created, updated: found.updated, now } as const;
  if (now >= expires) return { state: 'expired', job, created, updated: expires, now } as const;
  return { state: 'submitted', job, created, updated: created, now } as const;
}
