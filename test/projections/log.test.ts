import { dataFolder } from './program';
import { describeLogProjections } from './suites/log';

describeLogProjections('SQLite', dataFolder);
