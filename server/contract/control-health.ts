import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { Duration } from './control.ts'
import { ClockReading } from './control-clock.ts'
import { DeliveryStatistics } from './control-deliveries.ts'

/** All but `status` is left out for those who lack the control token. */
export const Health = Type.Object({
  status: OneOf(['ok', 'stopping'], 'Whether requests are taken'),
  version: Type.Optional(Type.String({ description: 'Version of the sandbox' })),
  uptime: Type.Optional(Duration('Since the start, in real time')),
  clock: Type.Optional(ClockReading),
})
export type Health = Static<typeof Health>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Overview = Type.Object({
  version: Type.String({ description: 'Version of the sandbox' }),
  pid: Type.Integer({ description: 'Process that it runs in' }),
  dataDirectory: Type.Optional(
    Type.String({ description: 'Folder of its state; absent: in memory only' }),
  ),
  baseUrl: Type.String({
    description: 'Issuer and root of the absolute URLs in sign-in and payloads',
  }),
  backChannelUrl: Type.Optional(
    Type.String({ description: 'Where apps reach it that cannot do so by the base URL' }),
  ),
  startedAt: Type.String({ format: 'date-time', description: 'In real time' }),
  clock: ClockReading,
  deliveryProfile: Type.String({ description: 'Rules of webhook deliveries' }),
  fixturesSource: Type.String({ description: 'Where the fixtures were loaded from' }),
  rateLimits: Type.Boolean({ description: 'Whether request limits are enforced' }),
  strict: Type.Boolean({ description: 'Whether the hub’s leniencies are off' }),
  networkAllowed: Type.Boolean({ description: 'Whether public addresses may be called' }),
  commandLine: Type.Object(
    {
      command: Type.Array(Type.String(), { description: 'Words such as `npx --no hub-sandbox`' }),
      options: Type.Array(Type.String(), {
        description: 'Options by which a command finds this sandbox; none where it needs none',
      }),
    },
    { description: 'How to call a command for this sandbox' },
  ),
  environment: Type.Record(Type.String(), Type.String(), {
    description: 'What a client program must set to use this sandbox',
  }),
  deliveries: DeliveryStatistics,
  failingWebhooks: Count('Webhooks whose last attempt failed'),
  resets: Count('Resets and restores since the start'),
  counts: Type.Object({
    users: Count('Users'),
    organizations: Count('Organizations'),
    apps: Count('OAuth apps'),
    repos: Count('Repositories'),
    activeTokens: Count('Access tokens that are neither expired nor revoked'),
    pendingDevices: Count('Device codes that wait for a user'),
    webhooks: Count('Webhooks'),
    deliveries: Count('Deliveries kept'),
    outstandingDeliveries: Count('Deliveries that are neither finished nor skipped'),
    jobs: Count('Jobs'),
    requests: Count('Requests kept'),
    faults: Count('Fault rules that may still match'),
  }),
})
export type Overview = Static<typeof Overview>
