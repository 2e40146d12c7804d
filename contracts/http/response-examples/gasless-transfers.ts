import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  getGaslessConfig: {
    '1': {
      gas_jettons: [
        { master_id: '0:59eb912f3ef5f31bfb27737e911fd56b2ffbd6034aa5e44a019088aed2e6abf9' },
        { master_id: '0:fff1b982959714fdfb9bcdca97c13128d6ee6e9d3d4cf7efedef656fadb91c97' },
      ],
      relay_address: '0:0732640986fd6890e72878da4dd6700f4076bbdb105c720d5f15433c4b7ba284',
    },
  },
  gaslessEstimate: {
    '1': {
      ok: true,
      relay_address: '0:0732640986fd6890e72878da4dd6700f4076bbdb105c720d5f15433c4b7ba284',
      commission: '236760',
      from: '0:21a6936563f9f293b5d2b73d552ae76ca3efb7210dca4ac092a70dbe681dd664',
      valid_until: 1795887031,
      messages: [
        {
          address: '0:4ff8abce7def18d28e11f3d60b79b7ebe97a46e33575886baa6695abb4078393',
          amount: '60000000',
          payload:
            'b5ee9c724101010100550000a60f8a7ea500000000000000002270f80059d78ef106422d112a7105600966fe05a2554feb4a33c213487469c8139def470001cc990261bf5a2439ca1e3693759c03d01daef6c4171c8357c550cf12dee8a10202c9b2c638',
        },
        {
          address: '0:4ff8abce7def18d28e11f3d60b79b7ebe97a46e33575886baa6695abb4078393',
          amount: '50000000',
          payload:
            'b5ee9c724101010100550000a60f8a7ea500000000000000003039cd88000e64c8130dfad121ce50f1b49bace01e80ed77b620b8e41abe2a867896f745090001cc990261bf5a2439ca1e3693759c03d01daef6c4171c8357c550cf12dee8a100bb2f1661',
        },
      ],
    },
  },
  gaslessSend: {
    '1': {
      ok: true,
      hash: '4f02afba76e543487f7afcc5f9ee79b16b2b4116e138429bfbba1c06e22b2f2b',
      body_hash: '9728525e40bb30295c87fe5c233886591f787762e7c4b9e016235120d137f553',
    },
  },
  getTonapiGaslessConfig: {
    '1': {
      gas_jettons: [
        { master_id: '0:59eb912f3ef5f31bfb27737e911fd56b2ffbd6034aa5e44a019088aed2e6abf9' },
        { master_id: '0:fff1b982959714fdfb9bcdca97c13128d6ee6e9d3d4cf7efedef656fadb91c97' },
      ],
      relay_address: '0:0732640986fd6890e72878da4dd6700f4076bbdb105c720d5f15433c4b7ba284',
    },
  },
  tonapiGaslessEstimate: {
    '1': {
      protocol_name: 'gasless',
      relay_address: '0:0732640986fd6890e72878da4dd6700f4076bbdb105c720d5f15433c4b7ba284',
      commission: '236760',
      from: '0:21a6936563f9f293b5d2b73d552ae76ca3efb7210dca4ac092a70dbe681dd664',
      valid_until: 1795887031,
      messages: [
        {
          address: '0:4ff8abce7def18d28e11f3d60b79b7ebe97a46e33575886baa6695abb4078393',
          amount: '60000000',
          payload:
            'b5ee9c724101010100550000a60f8a7ea500000000000000002270f80059d78ef106422d112a7105600966fe05a2554feb4a33c213487469c8139def470001cc990261bf5a2439ca1e3693759c03d01daef6c4171c8357c550cf12dee8a10202c9b2c638',
        },
        {
          address: '0:4ff8abce7def18d28e11f3d60b79b7ebe97a46e33575886baa6695abb4078393',
          amount: '50000000',
          payload:
            'b5ee9c724101010100550000a60f8a7ea500000000000000003039cd88000e64c8130dfad121ce50f1b49bace01e80ed77b620b8e41abe2a867896f745090001cc990261bf5a2439ca1e3693759c03d01daef6c4171c8357c550cf12dee8a100bb2f1661',
        },
      ],
    },
  },
  tonapiGaslessSend: { '1': { protocol_name: 'gasless' } },
};
