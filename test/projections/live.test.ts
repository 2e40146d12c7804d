import { dataFolder } from './program';
import { describeLiveProjections } from './suites/live';

describeLiveProjections('SQLite', dataFolder);
