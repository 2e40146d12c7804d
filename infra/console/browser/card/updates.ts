import { useEffect, useState } from 'preact/hooks';
import type { CardUpdateFrame } from '../../../../contracts/http/card/updates';
import { cardNetwork } from '../session';
import { mountOf } from './calls';

const RECONNECT_MS = 3_000;
/** What is shown of the stream. */
const MAX_SHOWN = 20;

export interface ReceivedUpdate {
  /** The number of the update. */
  readonly id: number;
  readonly at: string;
  readonly type: string;
}

export interface Updates {
  readonly isConnected: boolean;
  /** Newest first. */
  readonly received: readonly ReceivedUpdate[];
  /** How many times something may have changed. */
  readonly changes: number;
}

const NONE: Updates = { isConnected: false, received: [], changes: 0 };

/** The stream of a card holder, opened again when it ends. An update says what may have changed, never how. */
export function useUpdates(token: string): Updates {
  const [updates, setUpdates] = useState(NONE);
  useEffect(() => {
    let socket: WebSocket | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const open = (): void => {
      const url = new URL(`${mountOf(cardNetwork())}/v2/updates`, location.href);
      url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
      url.hash = '';
      socket = new WebSocket(url);
      socket.onopen = () => socket?.send(JSON.stringify({ type: 'connect', token }));
      socket.onmessage = ({ data }) =>
        setUpdates(last => withFrame(last, JSON.parse(String(data)) as CardUpdateFrame));
      socket.onclose = () => {
        if (isOver) return;
        setUpdates(last => ({ ...last, isConnected: false }));
        timer = setTimeout(open, RECONNECT_MS);
      };
    };
    open();
    return () => {
      isOver = true;
      clearTimeout(timer);
      socket?.close();
    };
  }, [token]);
  return updates;
}

function withFrame({ received, changes }: Updates, { type }: CardUpdateFrame): Updates {
  const update = { id: changes + 1, at: new Date().toISOString(), type };
  return {
    isConnected: type !== 'error',
    received: [update, ...received].slice(0, MAX_SHOWN),
    // Something may have changed before it was connected, and an unknown token is noticed by reading.
    changes: changes + 1,
  };
}
