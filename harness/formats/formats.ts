/** Every format by the name that `validate` takes. `registry.js` says how each is stored. */

import type { Calibration, CalibrationRecord, PeersComparison, Trial } from './calibration.ts';
import type { DeoptLog } from './explanation.ts';
import type { FleetBlock, FleetMessage, FleetRun, FleetSign } from './fleet.ts';
import type { Following } from './following.ts';
import type { ComparisonRecord } from './history.ts';
import type {
  PlacementObservation,
  MemoryObservation,
  Observation,
  ProfileObservation,
} from './observations.ts';
import type { FuzzJournal, Job, WorkerReport } from './protocol.ts';
import type { Gate, HostRecord, LoadedFile, Manifest, SessionRecord } from './run.ts';
import type { BuildRecord, ImportRecord, PackageManifest, PackageRecord } from './stored.ts';
import type {
  Bisection,
  ClaimsFile,
  RememberedResult,
  ReplayableRecord,
  ReplayResult,
  Reproduction,
  Trend,
} from './studies.ts';
import type { Verdict } from './verdict.ts';
import type { KeptFiles, WatchLine } from './watch.ts';

export interface Formats {
  job: Job;
  'worker-report': WorkerReport;
  observation: Observation;
  'memory-observation': MemoryObservation;
  'profile-observation': ProfileObservation;
  'placement-observation': PlacementObservation;
  manifest: Manifest;
  gate: Gate;
  session: SessionRecord;
  verdict: Verdict;
  claims: ClaimsFile;
  replay: ReplayableRecord;
  reproduction: Reproduction;
  'replay-result': ReplayResult;
  bisection: Bisection;
  trend: Trend;
  'comparison-record': ComparisonRecord;
  following: Following;
  peers: PeersComparison;
  trial: Trial;
  calibration: Calibration;
  'calibration-profile': CalibrationRecord;
  'remembered-claim': RememberedResult;
  'fuzz-journal': FuzzJournal;
  'deopt-log': DeoptLog;
  'build-record': BuildRecord;
  'package-record': PackageRecord;
  'package-manifest': PackageManifest;
  'fleet-run': FleetRun;
  'fleet-block': FleetBlock;
  'fleet-message': FleetMessage;
  'fleet-sign': FleetSign;
  host: HostRecord;
  'loaded-file': LoadedFile;
  'watch-line': WatchLine;
  'kept-files': KeptFiles;
  'import-record': ImportRecord;
}

export type FormatKind = keyof Formats;
