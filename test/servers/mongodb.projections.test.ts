import { describeLiveProjections } from '../projections/suites/live';
import { describeLogProjections } from '../projections/suites/log';
import { describeMissingEvents } from '../projections/suites/missing-events';
import { describeRebuilds } from '../projections/suites/rebuild';
import { mongoFolder } from './mongodb/data-folder';

describeLiveProjections('MongoDB', mongoFolder);
describeLogProjections('MongoDB', mongoFolder);
describeMissingEvents('MongoDB', mongoFolder);
describeRebuilds('MongoDB', mongoFolder);
