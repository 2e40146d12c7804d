import {
  Base64,
  hexToByteArray,
  SessionCrypto,
  type AppRequest,
  type ConnectRequest,
  type RpcMethod,
  type WalletMessage,
} from '@tonconnect/protocol';
import { until } from '../../until';
import { openEvents, type Delivered, type Reader } from '../client/events';
import { post } from '../client/post';
import type { Bridge } from '../client/request';
import { newAccount, type Account } from './account';
import { proveOwnership } from './ton-proof';

/** The wallet's side of a connection to one dApp. */
export interface WalletSession {
  readonly account: Account;
  /** What the dApp asked for when it connected. */
  readonly asked: ConnectRequest;
  /** The next request that has not been returned yet. */
  nextRequest(): Promise<AppRequest<RpcMethod>>;
  /** Sends a response or an event. @param topic of the message, which push services read */
  say(message: WalletMessage, topic?: string): Promise<void>;
  /** Loses the connection to the bridge, as a phone that sleeps. */
  sleep(): void;
  /** Connects again and continues after the last message. */
  wake(): Promise<void>;
}

const device = {
  platform: 'iphone',
  appName: 'example',
  appVersion: '1.0.0',
  maxProtocolVersion: 2,
  features: [
    'SendTransaction',
    { name: 'SendTransaction', maxMessages: 4 },
    { name: 'SignData', types: ['text', 'binary', 'cell'] },
  ],
} satisfies Extract<WalletMessage, { event: 'connect' }>['payload']['device'];

/** Opens the link of a dApp, as a wallet whose user will accept. */
export async function openLink(bridge: Bridge, link: string): Promise<WalletSession> {
  const parameters = new URL(link).searchParams;
  const dapp = parameters.get('id')!;
  const asked = JSON.parse(parameters.get('r')!) as ConnectRequest;
  const session = new SessionCrypto();
  const returned = new Set<number>();
  let readers: readonly Reader[] = [];

  const messages = (): Delivered[] => readers.flatMap(reader => reader.messages);
  const wake = async (): Promise<void> => {
    const last = messages().at(-1)?.id;
    const query = {
      heartbeat: 'message',
      enable_queue_done_event: 'true',
      ...(last !== undefined && { last_event_id: String(last) }),
    };
    readers = [...readers, await openEvents(bridge, session.sessionId, { query })];
  };
  await wake();

  return {
    account: newAccount(),
    asked,
    wake,
    sleep: () => readers.at(-1)!.close(),
    async nextRequest() {
      const next = await until(() => messages().find(({ id }) => !returned.has(id)));
      returned.add(next!.id);
      const opened = session.decrypt(Base64.decode(next!.message).toUint8Array(), hexToByteArray(next!.from));
      return JSON.parse(opened) as AppRequest<RpcMethod>;
    },
    async say(message, topic) {
      const encrypted = session.encrypt(JSON.stringify(message), hexToByteArray(dapp));
      await post(bridge, {
        from: session.sessionId,
        to: dapp,
        body: Base64.encode(encrypted),
        ...(topic && { query: { topic } }),
      });
    },
  };
}

/** Accepts the connection that the dApp asked for, with a proof of ownership if it wants one. */
export async function accept({ account, asked, say }: WalletSession): Promise<void> {
  const host = new URL(asked.manifestUrl).host;
  const items = asked.items.map(item =>
    item.name === 'ton_addr'
      ? account.reply
      : { name: item.name, proof: proveOwnership(account.address, account.keys, host, item.payload) },
  );
  await say({ event: 'connect', id: 1, payload: { items, device } });
}
