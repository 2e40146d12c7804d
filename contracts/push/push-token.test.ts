import { parsePushToken } from './push-token';

const INNER = 'xxxxxxxxxxxxxxxxxxxxxx';
const UUID = '0b9a1c4e-1c2d-4e5f-8a9b-0c1d2e3f4a5b';

it.each([
  [`ExponentPushToken[${INNER}]`, `ExponentPushToken[${INNER}]`],
  [`ExpoPushToken[${INNER}]`, `ExponentPushToken[${INNER}]`],
  [`  ExponentPushToken[${INNER}]\n`, `ExponentPushToken[${INNER}]`],
  [UUID, UUID],
  [UUID.toUpperCase(), UUID],
])('%j is the token %s', (text, token) => {
  expect(parsePushToken(text)?.token).toBe(token);
});

it('gives each token one device, from which the token does not follow', () => {
  const [one, same, other] = ['ExponentPushToken[a]', ' ExpoPushToken[a]', 'ExponentPushToken[A]'].map(
    text => parsePushToken(text)!.deviceId,
  );
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

it.each([
  '',
  INNER,
  'ExponentPushToken[]',
  'ExponentPushToken[a b]',
  'ExponentPushToken[a]b]',
  'ExponentPushToken[a\u0000]',
  'ExponentPushToken[ä]',
  `ExponentPushToken[${'a'.repeat(201)}]`,
  'exponentpushtoken[a]',
  'https://fcm.googleapis.com/fcm/send/abc',
  '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad',
])('%j is no token of Expo', text => {
  expect(parsePushToken(text)).toBeNull();
});
