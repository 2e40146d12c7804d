import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A self-signed certificate of `tokens.example` and `other.example`, which only tests trust, and its key. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBsjCCAVmgAwIBAgIUSsCWgFnB5SiyIrf0uPMl9M6I2m8wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOdG9rZW5zLmV4YW1wbGUwIBcNMjYxMTIyMjIwOTMxWhgPMjEy
NjEwMjkyMjA5MzFaMBkxFzAVBgNVBAMMDnRva2Vucy5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEyvTs6LLwOyUj/GNa1QEW5uGM0PnmXfbY3ntgg/NI
B+2rZGMHpaspxFtuWdpHxcAGyuh47B1Y2KNTYyt0WawiFqN9MHswHQYDVR0OBBYE
FEUczRkaF3dn4ORzLibs9aFZ1wVNMB8GA1UdIwQYMBaAFEUczRkaF3dn4ORzLibs
9aFZ1wVNMA8GA1UdEwEB/wQFMAMBAf8wKAYDVR0RBCEwH4IOdG9rZW5zLmV4YW1w
bGWCDW90aGVyLmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgU751fMizG49fsETD
12G709m/JbLSl5pP2wpg9SvkHCgCIB7nJHu72siIrA2TDpL6DLa5bp2RGf3oBRf/
tUgYXmAA
-----END CERTIFICATE-----
`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6npvGcKQw4Xe5YlS
ZowJWxJ/p5cv2pEyYlrLR5Rv6CShRANCAATK9OzosvA7JSP8Y1rVARbm4YzQ+eZd
9tjee2CD80gH7atkYwelqynEW25Z2kfFwAbK6HjsHVjYo1NjK3RZrCIW
-----END PRIVATE KEY-----
`;

/** A server of the web on this machine. */
export async function startHttpsServer(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
