import { openEventStoreDb } from '../../infra/event-store/eventstoredb';
import { describeEventStore } from '../contracts/event-store';

describeEventStore('EventStoreDB', async () => openEventStoreDb({ url: process.env['EVENTSTORE_URL']! }));
