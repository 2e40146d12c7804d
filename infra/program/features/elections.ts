import {
  tonElectionObservation,
  tonElectionsObservation,
} from '../../../indexers/ton/observations/elections';
import { electionsRoutes } from '../../../services/elections/routes';
import { keepElections } from '../../../services/elections/keep-elections';
import type { Feature, ProgramDeps } from '../feature';
import { jobHandlers } from '../roles/jobs';

/** Elections of TON's validators, observed from the elector and the configuration of each network. */
export const elections: Feature = {
  name: 'elections',
  observations: [tonElectionsObservation, tonElectionObservation],
  routes: deps => electionsRoutes(readers(deps)),
  workers: [
    jobHandlers('elections', deps => [
      signal =>
        keepElections(
          { ...readers(deps), networks: deps.networks.followed.ton, logger: deps.logger },
          signal,
        ),
    ]),
  ],
};

const readers = ({ engine: { views }, observed }: ProgramDeps) => ({
  views,
  elections: observed(tonElectionsObservation),
  election: observed(tonElectionObservation),
});
