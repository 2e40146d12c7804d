import { failureLevel } from '../../../contracts/engine/engine-unavailable';
import { CARD_DEAD_TOKENS } from '../../../contracts/http/card/mount';
import { cardUpdates, type CardUpdateFrame } from '../../../contracts/http/card/updates';
import { CARD_TOKENS } from '../../../projections/card/tokens';
import { CARD_USERS } from '../../../projections/card/users';
import { bind, type Binding } from '../../http/binding';
import type { AnyCall } from '../../http/call';
import { limitAddress } from '../../http/limits';
import type { Socket } from '../../http/websocket/socket';
import type { CardDeps } from '../deps';
import { expectCardOn } from '../enrolment/web-address';
import { findCardCaller, type CardCaller } from '../tokens/caller';
import { digestOfToken } from '../tokens/digest';
import { createCardUpdates, type CardUpdateSource } from './updates';

type Client = Socket<{ readonly token: string }, CardUpdateFrame>;

export interface CardStreamOptions {
  /** What changes beside the state of users. */
  readonly sources: readonly CardUpdateSource[];
  /** How long a client may be connected without a token. */
  readonly connectTimeoutMs: number;
}

const POLICY_VIOLATION = 1008;
/** Registered at IANA. */
const TRY_AGAIN_LATER = 1013;
const STATE: CardUpdateSource = { collection: CARD_USERS.name, update: 'state_change' };

/** The stream of updates. One set of subscriptions serves all connections of the process. */
export function cardUpdatesBinding(
  deps: CardDeps,
  { sources, connectTimeoutMs }: CardStreamOptions,
): Binding {
  const updates = createCardUpdates(deps.views, [STATE, ...sources]);
  // Read once a minute, of each that is connected: what is cached would be of others.
  const read = { ...deps, views: { ...deps.views, cached: uncached } };
  return bind(cardUpdates, async (call, socket) => {
    const network = expectCardOn(deps, call);
    await deps.views.expectReadable([CARD_USERS.name, CARD_TOKENS.name]);
    const frames = socket.messages[Symbol.asyncIterator]();
    const token = await firstToken(frames, socket, connectTimeoutMs);
    if (token === null) return;
    // Nothing more is expected: what waits for messages would stay for as long as the client is connected.
    await frames.return?.();
    const digest = digestOfToken(token);
    const find = (): Promise<CardCaller | null> => findCardCaller(read, network, digest);
    return serve(deps, { call, socket, find, updates });
  });
}

const uncached: CardDeps['views']['cached'] = (_query, compute) => compute();

/** Null when the client leaves, or sends none in time: then the connection is closed. */
async function firstToken(
  frames: AsyncIterator<{ readonly token: string }>,
  socket: Client,
  timeoutMs: number,
): Promise<string | null> {
  const timeout = setTimeout(() => socket.close(POLICY_VIOLATION, 'no connect message'), timeoutMs);
  try {
    const first = await frames.next();
    return first.done ? null : first.value.token;
  } finally {
    clearTimeout(timeout);
  }
}

interface Connection {
  readonly call: Pick<AnyCall, 'ip' | 'appendHeader'>;
  readonly socket: Client;
  find(): Promise<CardCaller | null>;
  readonly updates: ReturnType<typeof createCardUpdates>;
}

/** Until the client leaves, or its token is dead. @throws Problem 429 `rate_limited` for one that was dead from the beginning */
async function serve(
  { limits, logger }: CardDeps,
  { call, socket, find, updates }: Connection,
): Promise<void> {
  const refuse = async (): Promise<void> => {
    await socket.send({ type: 'error', message: 'invalid_token' });
    socket.close(POLICY_VIOLATION, 'invalid token');
  };
  const caller = await find();
  if (!caller) {
    await limitAddress(await limits(), CARD_DEAD_TOKENS, call);
    return refuse();
  }
  const stop = updates.watch({
    userId: caller.userId,
    digest: caller.digest,
    onUpdate: type => void socket.send({ type }),
    async onToken() {
      try {
        // A client that does not read keeps nobody waiting.
        if (!(await find())) void refuse();
      } catch (err) {
        logger[failureLevel(err, 'warn')]({ err }, 'token of a card holder could not be checked');
      }
    },
    onReplaced() {
      stop();
      socket.close(TRY_AGAIN_LATER, 'too_many_connections');
    },
  });
  try {
    await socket.send({ type: 'connected' });
    // Between the first look and the subscription it may have been revoked.
    if (!(await find())) return await refuse();
    await socket.closed();
  } finally {
    stop();
  }
}
