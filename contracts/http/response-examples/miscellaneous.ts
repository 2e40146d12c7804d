import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  getBalancesOld: {
    '1': {
      totalBalance: '0',
      accounts: [
        {
          address: 'EQC69P7aMQumZTnKMqNOecyN2Cdlj91mCBAAqduHX6CEly20',
          version: 'v1r1',
          balance: { coins: '0' },
          state: { type: 'uninit' },
          last: null,
          storageStat: null,
        },
        {
          address: 'EQD_0eLWymFt0HZzZveC027bJ5vME1BmAqdq1J3ljQRD6RM9',
          version: 'v1r2',
          balance: { coins: '0' },
          state: { type: 'uninit' },
          last: null,
          storageStat: null,
        },
      ],
      seqno: 20,
      at: '2026-11-26T23:31:34.021Z',
    },
  },
  serviceAddressCheck: { '1': { ok: true, found: false } },
  pushRegister: { '1': { ok: true, addresses: 2, ignored: 0 } },
  clientErrorReport: { '1': { ok: true }, '2': { ok: true } },
};
