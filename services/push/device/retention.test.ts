import { pushDevicesProjection } from '../../../projections/push/devices';
import { describeRetention } from '../../../test/contracts/retention';
import { PUSH_DEVICE_SAMPLES } from '../../../test/events/samples/push';
import { PUSH_DEVICE_RETENTION } from './retention';

const latest = (type: string) => {
  const { v, data } = PUSH_DEVICE_SAMPLES[type]!.at(-1)!;
  return [type, data as object, v] as const;
};
const registered = latest('PushDeviceRegistered');
const retired = latest('PushDeviceRetired');

describeRetention(PUSH_DEVICE_RETENTION, [pushDevicesProjection], {
  goes: {
    'a device that was retired': [registered, retired],
    'a device that was retired again': [registered, retired, registered, retired],
  },
  stays: { 'a device that is registered': [registered] },
  lastStays: {
    'a device that has registered again': [registered, registered],
    'a device that was retired and has registered again': [registered, retired, registered],
  },
});
