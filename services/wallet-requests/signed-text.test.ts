import { createText, respondText } from './signed-text';

const request = { requestor: 'UQrequestor', confirmant: 'EQconfirmant', expirationSeconds: 300 };

it.each([
  ['nothing more', {}, 'WALLET_REQUEST_CREATE|UQrequestor|EQconfirmant||300|1772366400|'],
  [
    'a message, a time and an object',
    { message: 'Is it you?', expirationSeconds: 60, metadata: { b: 1, a: ['x'] } },
    'WALLET_REQUEST_CREATE|UQrequestor|EQconfirmant|Is it you?|60|1772366400|{"b":1,"a":["x"]}',
  ],
  [
    'nulls in place of texts',
    { message: null, metadata: null },
    'WALLET_REQUEST_CREATE|UQrequestor|EQconfirmant||300|1772366400|',
  ],
])('the text of a request has %s', (_what, more, text) => {
  expect(createText({ ...request, ...more })(1_772_366_400)).toBe(text);
});

it('the text of an answer has its request, wallet, status, response and time', () => {
  const answer = { requestId: '5f', walletAddress: 'UQconfirmant', status: 'declined' } as const;
  expect(respondText(answer)(1_772_366_400)).toBe(
    'WALLET_REQUEST_RESPOND|5f|UQconfirmant|declined||1772366400',
  );
  expect(respondText({ ...answer, response: 'No' })(1)).toBe(
    'WALLET_REQUEST_RESPOND|5f|UQconfirmant|declined|No|1',
  );
});
