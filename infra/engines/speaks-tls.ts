import { once } from 'node:events';
import { connect } from 'node:tls';

/** Of a server that is asked only to say why no connection could be made. */
const TIMEOUT_MS = 3_000;

/** Whether a server answers the greeting of TLS, whatever its certificate; one that asks for the client's does so after this. */
export async function speaksTls(address: { readonly host: string; readonly port: number }): Promise<boolean> {
  const socket = connect({ ...address, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}
