import { describeConnectionOrigins } from '../../../test/contracts/connection-origins';
import { createMemoryOrigins } from './memory';

describeConnectionOrigins('memory', async settings => {
  const origins = createMemoryOrigins(settings);
  return { near: origins, far: origins };
});
