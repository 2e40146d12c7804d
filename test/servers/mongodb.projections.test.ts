import { describeLiveProjections } from '../projections/suites/live';
import { describeLogProjections } from '../projections/suites/log';
import { describeRebuilds } from '../projections/suites/rebuild';
import { mongoFolder } from './mongodb/data-folder';

describeLiveProjections('MongoDB', mongoFolder);
describeLogProjections('MongoDB', mongoFolder);
describeRebuilds('MongoDB', mongoFolder);
