import type { z } from 'zod';
import { walletRequestStream } from '../../contracts/events/wallet-request';
import { TooManyWaiting } from '../../contracts/fair-semaphore';
import {
  DEFAULT_EXPIRATION_SECONDS,
  type createWalletRequest,
  type respondToWalletRequest,
} from '../../contracts/http/connect/wallet-requests';
import { accountKey } from '../../contracts/network/network';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { Position } from '../../contracts/position';
import { Problem } from '../../contracts/problem/problem';
import { sha256 } from '../../contracts/encoding/sha256';
import {
  findPendingRequests,
  WALLET_REQUESTS,
  type WalletRequestDocument,
} from '../../projections/wallet-requests/wallet-requests';
import { expectSigned } from '../signing/signed-text';
import { tonAccount, type TonAccount } from '../../contracts/account/ton-account';
import type { Reader } from '../watch-account';
import {
  MAX_PENDING_REQUESTS,
  walletRequestKind,
  type WalletRequest,
  type WalletRequestCommand,
} from './decider';
import type { WalletRequestDeps } from './deps';
import { MAX_PENDING_TO_WALLET, placeFor } from './places';
import { createText, respondText } from './signed-text';

type CreateBody = z.output<NonNullable<typeof createWalletRequest.body>>;
type RespondBody = z.output<NonNullable<typeof respondToWalletRequest.body>>;

/** A request after a command. */
export interface Changed {
  readonly request: WalletRequest;
  readonly position: Position;
  /** False when the command had been executed before. */
  readonly isNew: boolean;
}

/** @throws Problem of a wrong address or signature, or why the request is refused */
export async function createRequest(
  deps: WalletRequestDeps,
  body: CreateBody,
  reader: Reader,
): Promise<Changed> {
  const { network, expirationSeconds, message, metadata } = body;
  const requestor = tonAccount(body.requestor, network, '/body/network');
  const confirmant = tonAccount(body.confirmant, network, '/body/network');
  if (requestor.address === confirmant.address)
    throw Problem.invalid('/body/confirmant', 'another wallet than the requestor');

  const terms = { expirationSeconds: expirationSeconds ?? DEFAULT_EXPIRATION_SECONDS };
  const { signature } = await expectSigned(deps, createText({ ...body, ...terms }), requestor, body, reader);
  const requestId = sha256(signature).subarray(0, 16).toString('hex');
  const texts = {
    message: await encrypted(deps, requestor, message || null),
    attached: await encrypted(deps, requestor, metadata ? JSON.stringify(metadata) : null),
  };
  const source = deps.sourceOf(reader.ip, `wallet request to ${accountKey(confirmant)}`);
  const create = async (): Promise<Changed> => {
    const parties = { requestId, requestor: requestor.address, confirmant: confirmant.address };
    const command = metadataOf(deps, requestor);
    const waiting = await pendingRequests(deps, confirmant, 'confirmant', 2 * MAX_PENDING_TO_WALLET);
    const place = placeFor(waiting, { ...parties, source, created: command.now });
    const changed = await execute(deps, requestId, {
      type: 'create',
      network,
      ...parties,
      ...terms,
      ...texts,
      source,
      place,
      metadata: command,
      pending: (await pendingRequests(deps, requestor, 'requestor', MAX_PENDING_REQUESTS)).length,
    });
    if (changed.isNew) for (const displaced of place.displaced) await displace(deps, displaced);
    return changed;
  };
  try {
    // Each counts those before it.
    return await deps.exclusive(accountKey(confirmant), source, create);
  } catch (error) {
    if (!(error instanceof TooManyWaiting)) throw error;
    throw new Problem('too_many_wallet_requests', 'Too many requests to the confirmant are sent at once.');
  }
}

/** @throws Problem of a wrong address or signature, or why the answer is refused */
export async function respondToRequest(
  deps: WalletRequestDeps,
  body: RespondBody,
  reader: Reader,
): Promise<Changed> {
  const { requestId, network, status, response } = body;
  const wallet = tonAccount(body.walletAddress, network, '/body/network');
  const { signature, publicKey, signedAt } = await expectSigned(
    deps,
    respondText(body),
    wallet,
    body,
    reader,
  );
  return execute(deps, requestId, {
    type: 'respond',
    network,
    wallet: wallet.address,
    status,
    signedAt,
    publicKey: publicKey.toString('hex'),
    signature: signature.toString('base64'),
    response: await encrypted(deps, wallet, response || null),
    metadata: metadataOf(deps, wallet),
  });
}

/** Executes a command, and waits a bounded time until reads include it. */
async function execute(
  { handle, views, waitMs }: WalletRequestDeps,
  requestId: string,
  command: WalletRequestCommand,
): Promise<Changed> {
  const outcome = await handle(walletRequestKind, walletRequestStream(requestId), command);
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  const { state, position, events } = outcome;
  await views.waitForPosition(WALLET_REQUESTS.name, position, waitMs);
  return { request: state!, position, isNew: events.length > 0 };
}

/** Ends a request before its time. */
async function displace({ handle, clock }: WalletRequestDeps, requestId: string): Promise<void> {
  await handle(walletRequestKind, walletRequestStream(requestId), {
    type: 'expire',
    displaced: true,
    metadata: { now: clock().toISOString(), actor: 'wallet request places' },
  });
}

/** As far as the documents know: concurrent commands of several processes may exceed a limit by a few. */
function pendingRequests(
  { views, clock }: WalletRequestDeps,
  wallet: TonAccount,
  role: 'requestor' | 'confirmant',
  limit: number,
): Promise<readonly WalletRequestDocument[]> {
  return findPendingRequests(views, wallet, role, clock().toISOString(), limit);
}

/** What a wallet has written can be erased: `tidemark erase` takes the key of its account. */
async function encrypted(
  { texts }: WalletRequestDeps,
  author: TonAccount,
  text: string | null,
): Promise<EncryptedText | null> {
  return text === null ? null : texts.encrypt(accountKey(author), text, { hasAge: true });
}

const metadataOf = ({ clock }: WalletRequestDeps, wallet: TonAccount) => ({
  now: clock().toISOString(),
  actor: accountKey(wallet),
});
