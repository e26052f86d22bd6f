import { defaultCaps, defaultLifetimes } from '../../server/contract/fixtures/defaults.ts'
import { lifetimesInMs } from '../../server/core/lifetimes-in-ms.ts'
import type { Settings } from '../../server/core/settings.ts'

/** Start time of every test. */
export const testStart = Date.UTC(2026, 0, 15, 12)

/** Default settings of a sandbox, for tests that assemble one from its parts. */
export const testSettings: Settings = {
  version: '0.0.0',
  port: 7420,
  baseUrl: 'http://localhost:7420',
  lifetimes: lifetimesInMs(defaultLifetimes),
  device: { verificationUriComplete: false },
  caps: defaultCaps,
  deliveryProfile: 'hub',
  rateLimits: false,
  strict: false,
  sendIss: false,
  requireResource: false,
  largeFiles: 'xet',
  storageHost: 'own',
  loopDetection: true,
  allowHosts: [],
  allowOrigins: [],
  allowAddressHosts: false,
  allowNetwork: false,
  runJobs: new Map(),
  runJobsEnv: [],
}
