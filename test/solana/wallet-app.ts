import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { SolanaAccountFrame } from '../../contracts/http/solana/account-stream';

type Message = Extract<SolanaAccountFrame, { event: 'message' }>;

/** A client of the account stream that handles frames as the wallet app does. */
export interface WalletApp {
  readonly socket: WebSocket;
  readonly frames: SolanaAccountFrame[];
  /** The frames that are messages. */
  messages(): Message[];
  /** What the app's handler threw. */
  readonly errors: unknown[];
  /** The code that the connection was closed with. */
  closed(): Promise<number>;
}

/** Connects, and resolves after the first frame. @param onMessage is called with each message as it arrives */
export async function connectWalletApp(
  url: string,
  onMessage: (message: Message) => void = () => undefined,
): Promise<WalletApp> {
  const socket = new WebSocket(url);
  const frames: SolanaAccountFrame[] = [];
  const errors: unknown[] = [];
  const closing = once(socket, 'close') as Promise<[number]>;
  socket.on('message', (data: Buffer, isBinary) => {
    try {
      if (isBinary) throw new Error('the app reads text only');
      const frame = JSON.parse(data.toString()) as SolanaAccountFrame;
      frames.push(frame);
      if (frame.event !== 'message') return;
      const { context } = frame.data.result;
      if (!context.slot) throw new Error('the app needs a slot');
      onMessage(frame);
    } catch (error) {
      errors.push(error);
    }
  });
  await once(socket, 'message');
  return {
    socket,
    frames,
    errors,
    messages: () => frames.filter((frame): frame is Message => frame.event === 'message'),
    closed: async () => (await closing)[0],
  };
}
