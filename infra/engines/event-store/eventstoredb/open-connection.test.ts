import { isTooOld } from './open-connection';

test.each(['21.10.11.0', '22.5.9.0', '20.10.0.0'])(
  '%s is too old: its streams have no positions',
  version => {
    expect(isTooOld(version)).toBe(true);
  },
);

test.each(['22.6.0.0', '22.10.5.0', '23.10.6.0', '24.2.0.0', '25.1.0', '0.0.0-double', ''])(
  '%s is not too old, or unknown',
  version => {
    expect(isTooOld(version)).toBe(false);
  },
);
