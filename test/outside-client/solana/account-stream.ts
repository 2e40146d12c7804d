import { once } from 'node:events';
import { WebSocket } from 'ws';
import { until } from '../../until';
import type { Backend } from './backend';

interface Message {
  /** Of the change, as the node's notification names it. */
  readonly slot: number;
  /** The signatures of the owner's history and of that of its USDC, read when the message arrived. */
  readonly histories: Promise<readonly (readonly string[])[]>;
}

/** A wallet that listens to the stream of its owner, and reads both histories at every message, as the app does. */
export class AccountStream {
  readonly messages: Message[] = [];

  private constructor(readonly socket: WebSocket) {}

  static async open(
    backend: Backend,
    { owner, usdc }: { readonly owner: string; readonly usdc: string },
  ): Promise<AccountStream> {
    const url = `${backend.url.replace(/^http/, 'ws')}/solana/mainnet/account/${owner}/ws`;
    const stream = new AccountStream(new WebSocket(url));
    stream.socket.on('message', (data: Buffer) => {
      const { event, data: content } = JSON.parse(data.toString()) as {
        readonly event: string;
        readonly data: { readonly result: { readonly context: { readonly slot: number } } };
      };
      if (event !== 'message') return;
      const histories = Promise.all(
        [owner, usdc].map(async address =>
          (await backend.transactions({ address, limit: 100 })).map(({ signature }) => signature),
        ),
      );
      histories.catch(() => undefined);
      stream.messages.push({ slot: content.result.context.slot, histories });
    });
    await once(stream.socket, 'message');
    return stream;
  }

  /** Resolves once a message has arrived when one of the histories had a transaction. */
  async announced(signature: string): Promise<void> {
    await until(async () => {
      const read = await Promise.all(this.messages.map(({ histories }) => histories));
      return read.flat(2).includes(signature);
    });
  }

  close(): void {
    this.socket.terminate();
  }
}
