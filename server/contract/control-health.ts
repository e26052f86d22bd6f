import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { largeFileWays } from './words/hub-words.ts'
import { Duration } from './control.ts'
import { ClockReading } from './control-clock.ts'
import { DeliveryStatistics } from './control-deliveries.ts'
import { DeliveryIssues, RecentSignIns, RefusalGroup, RequestDensity } from './control-summary.ts'
import { flag, integer, text } from './plain-fields.ts'

/** Without the control token only `status` is returned. */
export const Health = Type.Object({
  status: OneOf(['ok', 'stopping'], 'Whether requests are accepted'),
  version: Type.Optional(text('Version of the sandbox')),
  uptime: Type.Optional(Duration('Real time since the start')),
  clock: Type.Optional(ClockReading),
})
export type Health = Static<typeof Health>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Overview = Type.Object({
  version: text('Version of the sandbox'),
  pid: integer('Process id'),
  dataDirectory: Type.Optional(text('Data folder; absent: in memory only')),
  baseUrl: text('Issuer and root of absolute URLs in sign-in and payloads'),
  backChannelUrl: Type.Optional(text('Base URL for apps that cannot use `baseUrl`')),
  startedAt: Type.String({ format: 'date-time', description: 'Real time of the start' }),
  clock: ClockReading,
  deliveryProfile: text('Delivery profile'),
  fixturesSource: text('Source of the fixtures'),
  rateLimits: flag('Whether request limits are enforced'),
  strict: flag('Whether `strict` is on'),
  largeFiles: OneOf(largeFileWays, 'How clients send large files'),
  networkAllowed: flag('Whether outgoing requests to public addresses are allowed'),
  flags: Type.Array(Type.String(), {
    description:
      'Flags with which the sandbox responds otherwise than by default, such as `--rate-limits`',
  }),
  commandLine: Type.Object(
    {
      command: Type.Array(Type.String(), {
        description: 'Words of the command, such as `npx --no hub-sandbox`',
      }),
      options: Type.Array(Type.String(), {
        description: 'Options that commands need to find this sandbox; empty if none are needed',
      }),
    },
    { description: 'Command line for this sandbox' },
  ),
  environment: Type.Record(Type.String(), Type.String(), {
    description: 'Environment variables for client programs',
  }),
  deliveries: DeliveryStatistics,
  failingWebhooks: Count('Webhooks whose last attempt failed and that still send'),
  suspendedWebhooks: Count('Webhooks that are suspended after failures'),
  issues: DeliveryIssues,
  signIns: RecentSignIns,
  refusals: Type.Array(RefusalGroup, {
    description: 'Refused requests in the log by their explanation, the newest first; at most 200',
  }),
  requestDensity: RequestDensity,
  firstSteps: Type.Object(
    {
      connected: flag('Whether an app has got a response that is no error'),
      signedIn: flag('Whether a sign-in was completed'),
      delivered: flag('Whether a receiver has accepted a delivery'),
    },
    { description: 'What has succeeded at least once, as far as the log goes' },
  ),
  resets: Count('Resets and restores since the start'),
  counts: Type.Object({
    users: Count('Users'),
    organizations: Count('Organizations'),
    apps: Count('OAuth apps'),
    repos: Count('Repositories'),
    activeTokens: Count('Access tokens that are neither expired nor revoked'),
    pendingDevices: Count('Device codes waiting for a user'),
    webhooks: Count('Webhooks'),
    deliveries: Count('Deliveries in the log'),
    outstandingDeliveries: Count('Deliveries that are pending or failing'),
    heldDeliveries: Count('Deliveries that wait until they are resumed'),
    jobs: Count('Jobs'),
    requests: Count('Requests in the log'),
    faults: Count('Active fault rules'),
    publishers: Count('Trusted publishers'),
    spaceFrames: Count('Space frames'),
    inferenceEndpoints: Count('Inference endpoints'),
    scheduledJobs: Count('Scheduled jobs'),
  }),
})
export type Overview = Static<typeof Overview>
