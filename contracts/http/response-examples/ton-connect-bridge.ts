import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  getTonconnectEvents: {
    '1': {
      from: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      message: 'bWVzc2FnZQ==',
      trace_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    },
  },
  tonconnectMessage: { '1': { message: 'OK', statusCode: 200 } },
  tonconnectVerify: { '1': { status: 'unknown' } },
};
