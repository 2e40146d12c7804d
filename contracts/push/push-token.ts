import { sha256 } from '../encoding/sha256';

/** Where Expo delivers to one installation of an application. Anybody who knows a token can send to it: it is a secret. */
export interface PushToken {
  /** In the one spelling in which it is stored and sent. */
  readonly token: string;
  /** The name of the installation in events and documents, from which the token does not follow: 32 hex digits. */
  readonly deviceId: string;
}

/** As `Expo.isExpoPushToken`, and without what no token contains: anybody can send any text. */
const BRACKETED = /^(?:ExponentPushToken|ExpoPushToken)\[([!-Z^-~]{1,200})\]$/;
/** As Expo has also issued them. */
const UUID = /^[a-z\d]{8}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{12}$/;

/** The token that a text is, with space around it or not; null when it is none of Expo's. Both prefixes name the same token. */
export function parsePushToken(text: string): PushToken | null {
  const trimmed = text.trim();
  const [, inner] = BRACKETED.exec(trimmed) ?? [];
  if (inner !== undefined) return { token: `ExponentPushToken[${inner}]`, deviceId: deviceIdOf(inner) };
  const uuid = trimmed.toLowerCase();
  return UUID.test(uuid) ? { token: uuid, deviceId: deviceIdOf(uuid) } : null;
}

const deviceIdOf = (secret: string): string =>
  sha256(`push device ${secret}`).subarray(0, 16).toString('hex');
