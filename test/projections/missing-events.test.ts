import { dataFolder } from './program';
import { describeMissingEvents } from './suites/missing-events';

describeMissingEvents('SQLite', dataFolder);
