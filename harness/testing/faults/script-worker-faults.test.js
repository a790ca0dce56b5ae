import { describeWorkerFaults } from './describe-worker-faults.js';

describeWorkerFaults('script');
