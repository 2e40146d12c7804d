import { cardEventCauses } from '../../../../services/push/causes/card-events';
import type { Feature } from '../../feature';

/** Notifications of what happens to cards and their accounts. */
export const pushCards: Feature = {
  name: 'push-cards',
  reactions: ({ engine, engines: { store } }) => [cardEventCauses({ store, views: () => engine!.views })],
};
