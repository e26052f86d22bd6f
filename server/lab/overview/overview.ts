import { flagName } from '../../core/flag-names.ts'
import { isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { WebhookWord } from '../../contract/words/webhook-words.ts'
import type { Overview } from '../../contract/control-health.ts'
import type { ServerDeps } from '../server-deps.ts'
import { clientEnvironment } from './client-environment.ts'
import { describeClock } from '../clock/move-clock.ts'
import { isUsedUp } from '../faults/faults.ts'
import { isPendingDevice } from '../sign-in/view.ts'
import { tokenState } from '../../hub/oauth/token-view.ts'
import {
  describeDensity,
  describeIssues,
  describeRecentSignIns,
  describeRefusals,
  hasResponded,
  hasSignedIn,
} from './summary.ts'
import { wordOfWebhook } from '../../hub/webhooks/control-view.ts'
import { describeStatistics } from '../../hub/webhooks/views/statistics.ts'

/** @param startedAt milliseconds since 1970, real time */
export function describeOverview(deps: ServerDeps, startedAt: number): Overview {
  const { state, settings, clock } = deps
  const count = <T>(values: Iterable<T>, counts: (value: T) => boolean) => {
    let sum = 0
    for (const value of values) if (counts(value)) sum += 1
    return sum
  }
  const deliveries = describeStatistics(state.deliveries.values())
  const webhooksThatAre = (word: WebhookWord) =>
    count(state.webhooks.values(), (webhook) => wordOfWebhook(webhook) === word)
  return {
    version: settings.version,
    pid: process.pid,
    ...omitUndefined({ dataDirectory: deps.dataDirectory }),
    baseUrl: settings.baseUrl,
    ...omitUndefined({ backChannelUrl: settings.backChannelUrl }),
    startedAt: isoTime(startedAt),
    clock: describeClock(clock.read()),
    deliveryProfile: settings.deliveryProfile,
    fixturesSource: deps.fixturesSource,
    rateLimits: settings.rateLimits,
    strict: settings.strict,
    largeFiles: settings.largeFiles,
    networkAllowed: settings.allowNetwork,
    flags: describeFlags(settings),
    commandLine: {
      command: [...deps.commandLine.command],
      options: [...deps.commandLine.options],
    },
    environment: clientEnvironment(deps),
    deliveries,
    failingWebhooks: webhooksThatAre('failing'),
    suspendedWebhooks: webhooksThatAre('suspended'),
    issues: describeIssues(deps),
    signIns: describeRecentSignIns(deps),
    refusals: describeRefusals(deps),
    requestDensity: describeDensity(deps),
    firstSteps: {
      connected: hasResponded(deps),
      signedIn: hasSignedIn(deps),
      delivered: deliveries.succeeded > 0,
    },
    resets: deps.segments.resets,
    counts: {
      users: state.users.size,
      organizations: state.organizations.size,
      apps: state.apps.size,
      repos: state.repos.size,
      activeTokens: count(state.tokens.values(), (token) => tokenState(deps, token) === 'active'),
      pendingDevices: count(state.deviceAuthorizations.values(), (device) =>
        isPendingDevice(deps, device),
      ),
      webhooks: state.webhooks.size,
      deliveries: deliveries.total,
      outstandingDeliveries: deliveries.pending + deliveries.failing,
      heldDeliveries: state.deliveries.groupSize('state', 'held'),
      jobs: state.jobs.size,
      requests: deps.requests.size,
      faults: count(deps.faults.list(), (fault) => !isUsedUp(fault)),
      publishers: state.trustedPublishers.size,
      spaceFrames: deps.frames.list().length,
      inferenceEndpoints: state.inferenceEndpoints.size,
      scheduledJobs: state.scheduledJobs.size,
    },
  }
}

/** Returns the flags that change responses, with their values. */
function describeFlags(settings: ServerDeps['settings']): string[] {
  const {
    autoApprove,
    deliveryProfile,
    interceptedOrigins = [],
    largeFiles,
    storageHost,
  } = settings
  const switches = ['rateLimits', 'strict', 'sendIss', 'requireResource', 'allowNetwork'] as const
  const valued = [
    ['autoApprove', autoApprove === true ? '' : autoApprove],
    ['deliveryProfile', deliveryProfile === 'hub' ? undefined : deliveryProfile],
    ['largeFiles', largeFiles === 'xet' ? undefined : largeFiles],
    ['storageHost', storageHost === 'own' ? undefined : storageHost],
    ...interceptedOrigins.map((origin) => ['intercept', origin] as const),
  ] as const
  return [
    ...switches.filter((key) => settings[key]).map((key) => flagName(key)),
    ...valued.flatMap(([key, value]) =>
      value === undefined ? [] : [`${flagName(key)} ${value}`.trimEnd()],
    ),
  ]
}
