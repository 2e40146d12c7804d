import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { describeEventStore } from '../contracts/event-store';

describeEventStore('EventStoreDB', async () => openEventStoreDb({ url: process.env['EVENTSTORE_URL']! }));
