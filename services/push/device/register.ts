import type { z } from 'zod';
import { parseTonAddress } from '../../../contracts/account/address';
import { canonicalJson } from '../../../contracts/json/canonical-json';
import { pushDeviceStream, pushDeviceSubject, type PushContact } from '../../../contracts/events/push-device';
import { MAX_PUSH_ACCOUNTS, PUSH_CHANGES, type registerPush } from '../../../contracts/http/push';
import {
  accountKey,
  ALL_NETWORKS,
  isFollowed,
  type AccountRef,
  type FollowedNetworks,
} from '../../../contracts/network/network';
import { keyIdOf } from '../../../contracts/text/personal-text';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { pushAccountId } from '../../../contracts/push/push-cause';
import { sha256 } from '../../../contracts/encoding/sha256';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { RateLimits } from '../../../contracts/ports/rate-limits';
import type { Handle } from '../../commands/handle';
import { limitAddress } from '../../http/limits';
import { load } from '../../commands/load';
import type { CallerSource } from '../../http/caller-source';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import { tonAccount } from '../../../contracts/account/ton-account';
import type { Reader, Watch } from '../../watch-account';
import { isKnown, pushDeviceKind, type PushDeviceCommand } from './decider';
import { admitDevice, type AdmitDeps } from './admit';
import { provenAccounts, type ProofDeps } from './proofs';

export interface RegisterDeps extends AdmitDeps, ProofDeps {
  readonly handle: Handle;
  readonly store: Pick<EventStore, 'readStream'>;
  /** Opened at the first call. */
  readonly limits: () => Promise<RateLimits>;
  readonly texts: PersonalTexts;
  readonly watch: Watch;
  /** The networks that the instance serves; default: all. */
  readonly followed?: FollowedNetworks;
  readonly sourceOf: CallerSource;
}

interface Registered {
  /** Accounts of the device from now on. */
  readonly registered: number;
  /** Those of them whose networks are off. */
  readonly notServed: number;
  readonly ignored: number;
  readonly position: Position;
}

type Body = z.output<NonNullable<typeof registerPush.body>>;

/**
 * Registers a device, and has its accounts watched: their indexers follow them from now on. Those of a network that is off are
 * registered without: what happens to them outside their chain is notified.
 * @throws Problem 400 `network_mismatch`; those of a wrong proof; 429 when too many devices are registered; 429 or 503 when no further account is watched for the caller
 */
export async function registerDevice(deps: RegisterDeps, body: Body, reader: Reader): Promise<Registered> {
  const { handle, texts, watch, followed = ALL_NETWORKS, clock } = deps;
  const { token, deviceId } = body.token;
  const source = deps.sourceOf(reader.ip);
  await admitDevice(deps, deviceId, source);
  const all = accountsOf(body);
  const accounts = all.slice(0, MAX_PUSH_ACCOUNTS);
  const proven = await provenAccounts(deps, body, accounts, reader);
  const served = accounts.filter(account => isFollowed(followed, account));
  await Promise.all(served.map(account => watch(account, reader, 'registration')));
  const contact: PushContact = { token, appPublicKey: body.appPublicKey, accounts: accounts.map(accountKey) };
  const encrypted = await texts.encrypt(pushDeviceSubject(deviceId), JSON.stringify(contact), {
    hasAge: true,
  });
  const command: PushDeviceCommand = {
    type: 'register',
    deviceId,
    contact: encrypted,
    // What was erased is not equal to what is registered again.
    digest: sha256(`${keyIdOf(encrypted)} ${canonicalJson(contact)}`).toString('hex'),
    accounts: contact.accounts.map(pushAccountId).map(id => ({
      id,
      source: deps.sourceOf(reader.ip, `device of ${id}`),
    })),
    proven: proven.map(account => pushAccountId(accountKey(account))),
    source,
    metadata: { now: clock().toISOString(), actor: 'wallet' },
  };
  const stream = pushDeviceStream(deviceId);
  // What it leaves is counted: an application registers its device at each start, and mostly has nothing new to say.
  if (!isKnown(await load(deps.store, pushDeviceKind, stream), command))
    await limitAddress(await deps.limits(), PUSH_CHANGES, reader);
  const outcome = await handle(pushDeviceKind, stream, command);
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  return {
    registered: accounts.length,
    notServed: accounts.length - served.length,
    ignored: all.length - accounts.length,
    position: outcome.position,
  };
}

/**
 * The distinct accounts of a registration, as they come. Addresses of Solana name no network: a wallet in its test mode has
 * test-only addresses of TON beside them.
 */
function accountsOf({ addresses, network }: Body): AccountRef[] {
  const ton = addresses.map(parseTonAddress);
  const isTest = network === undefined ? ton.some(each => each?.testOnly) : network === 'testnet';
  const accounts = addresses.map((address, i): AccountRef =>
    ton[i]
      ? tonAccount(address, network, '/body/network')
      : { chain: 'solana', network: isTest ? 'devnet' : 'mainnet', address },
  );
  return [...new Map(accounts.map(account => [accountKey(account), account])).values()];
}
