import type { z } from 'zod';
import type { CommandMetadata } from '../../contracts/decider';
import { ERRORS, type ErrorCode } from '../../contracts/problem/errors';
import { connectCommandStream } from '../../contracts/events/connect-command';
import { connectSessionStream, type ConnectWallet } from '../../contracts/events/connect-session';
import type { connectAnswer, connectInit } from '../../contracts/http/connect/connect';
import { parseTonAddress } from '../../contracts/account/address';
import { Problem } from '../../contracts/problem/problem';
import { parsePublicKey } from '../../contracts/account/public-key';
import { CONNECT_COMMANDS, CONNECT_SESSIONS, findFirstWallets } from '../../projections/connect/connections';
import { load } from '../commands/load';
import { networkOf, tonAccount } from '../../contracts/account/ton-account';
import type { AnyCall } from '../http/call';
import { placeOf, RETRY_PLACE_AFTER } from '../callers/caller-place';
import { commandKind, commandsTo } from './command';
import type { ConnectDeps } from './deps';
import { parseJob } from './job';
import { isUseDue, sessionKind, type ChangeSession } from './session';
import { isSignedByWallet } from './wallet';

type Body<E extends { readonly body?: z.ZodType }> = z.output<NonNullable<E['body']>>;

/** A refusal that no repetition changes is not a problem document: wallets repeat those for ever. */
type SessionOutcome = { ok: true } | { ok: false; error: string; code: ErrorCode };

const RETRY_AFTER = 1;

/**
 * Anybody may open a session of a key that is not used: the key signs its commands, and only a wallet gives it anything.
 * @throws Problem 429 `too_many_connect_sessions`
 */
export async function openSession(
  deps: ConnectDeps,
  { key: given, testnet, name, url }: Body<typeof connectInit>,
  caller: Pick<AnyCall, 'ip'>,
  metadata: CommandMetadata,
): Promise<SessionOutcome> {
  const key = parsePublicKey(given)!;
  const { outcome, isFolded } = await change(deps, {
    type: 'open',
    key,
    testnet,
    name,
    url,
    metadata,
    ...(await placeOf(deps, CONNECT_SESSIONS, deps.maxSessions, caller.ip)),
  });
  // An application that finds no session gives up.
  if (!isFolded) throw notFolded();
  return outcome;
}

/**
 * A wallet answers for itself alone: its key has signed the session, the application, and the key of its installation.
 * @throws Problem 400 `connect_key_invalid`, `network_mismatch`; 429 `too_many_connect_sessions`
 */
export async function answerSession(
  deps: ConnectDeps,
  body: Body<typeof connectAnswer>,
  caller: Pick<AnyCall, 'ip'>,
  metadata: CommandMetadata,
): Promise<SessionOutcome> {
  const key = parsePublicKey(body.key)!;
  const kind = body.kind ?? 'ton-x';
  if (kind === 'ton-x' && body.endpoint === null)
    throw Problem.invalid('/body/endpoint', 'an application has to know where to send commands');
  const { address } = tonAccount(body.address, networkOf(body.testnet ?? undefined), '/body/testnet');
  const wallet: ConnectWallet = {
    address,
    walletType: body.walletType,
    walletConfig: body.walletConfig,
    walletSig: body.walletSig,
    appPublicKey: parsePublicKey(body.appPublicKey)!,
    endpoint: body.endpoint,
  };
  if (!isSignedByWallet(key, wallet))
    throw Problem.invalid(
      '/body/walletSig',
      'not signed by the wallet of this address, type and configuration',
      'invalid_signature',
      'connect_key_invalid',
    );
  const testOnly = parseTonAddress(body.address)!.testOnly === true;
  const testnet = body.testnet ?? (testOnly ? true : null);
  const name = body.name ?? null;
  const answer = { type: 'answer', key, kind, testnet, name, wallet, metadata } as const;
  const place = await placeOf(deps, CONNECT_SESSIONS, deps.maxSessions, caller.ip);
  return (await change(deps, { ...answer, ...place })).outcome;
}

/** The key of a session, which is in its link, is enough to confirm it and to end it: wallets sign neither. */
export async function changeSession(
  deps: ConnectDeps,
  type: 'grant' | 'revoke',
  session: string,
  metadata: CommandMetadata,
): Promise<{ ok: true }> {
  const key = parsePublicKey(session);
  if (key !== null) await change(deps, { type, key, metadata });
  return { ok: true };
}

async function change(deps: ConnectDeps, command: ChangeSession) {
  const outcome = await deps.handle(sessionKind, connectSessionStream(command.key), command);
  if (outcome.refusal) {
    const { code, detail } = outcome.refusal;
    if (code === 'too_many_connect_sessions')
      throw new Problem(code, detail, { retryAfter: RETRY_PLACE_AFTER });
    return { outcome: { ok: false as const, error: ERRORS[code].title, code }, isFolded: true };
  }
  const isFolded = await deps.views.waitForPosition(CONNECT_SESSIONS, outcome.position, deps.foldWaitMs);
  return { outcome: { ok: true as const }, isFolded };
}

/**
 * The application commands the wallet that has answered its session, until the session is revoked.
 * @throws Problem 400 `connect_key_invalid`, 404 `connect_session_not_found`, 409 `connect_session_invalid`
 */
export async function submitCommand(
  deps: ConnectDeps,
  job: string,
  { ip }: Pick<AnyCall, 'ip'>,
  metadata: CommandMetadata,
): Promise<{ ok: true }> {
  const { store, handle, views, foldWaitMs, sourceOf } = deps;
  const parsed = parseJob(job);
  if (!parsed) throw Problem.invalid('/body/job', 'a signed job as one small bag of cells, in base64');
  const { command, hash, isSigned } = parsed;
  if (!isSigned)
    throw Problem.invalid(
      '/body/job',
      'not signed by the key of its session',
      'invalid_signature',
      'connect_key_invalid',
    );
  if (command.expiresAt <= metadata.now)
    throw Problem.invalid('/body/job', `expired at ${command.expiresAt}`, 'expired');

  const sessionStream = connectSessionStream(command.session);
  const session = await load(store, sessionKind, sessionStream);
  if (!session) throw new Problem('connect_session_not_found', 'There is no session with this key.');
  if (session.revoked || session.answer?.wallet.appPublicKey !== command.appPublicKey)
    throw new Problem(
      'connect_session_invalid',
      session.revoked ? 'The session was revoked.' : 'This wallet has not answered the session.',
    );

  if (isUseDue(session, metadata.now))
    await handle(sessionKind, sessionStream, { type: 'use', key: command.session, metadata });
  const stream = connectCommandStream(command.session, hash);
  const { address } = session.answer.wallet;
  const firstWallets = await findFirstWallets(views, command.appPublicKey);
  const outcome = await handle(commandKind, stream, {
    type: 'submit',
    command: {
      ...command,
      wallet: address,
      isOfFirstWallets: firstWallets.includes(address),
      source: sourceOf(ip, commandsTo(command.appPublicKey)),
    },
    metadata,
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  // An application that finds another command, or none, gives up.
  if (!(await views.waitForPosition(CONNECT_COMMANDS, outcome.position, foldWaitMs))) throw notFolded();
  return { ok: true };
}

const notFolded = (): Problem =>
  Problem.unavailable(
    'It is recorded, and reads do not have it yet; the same request may be repeated.',
    RETRY_AFTER,
  );
