import { dataFolder } from './program';
import { describeRebuilds } from './suites/rebuild';

describeRebuilds('SQLite', dataFolder);
