import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { AppRef, ListOf, OrganizationRef, Time, UserRef } from './control.ts'
import { decidedStatuses, decisions, listedDeviceStatuses } from './words/oauth-words.ts'
import { text } from './plain-fields.ts'

const Decision = (description: string) => OneOf(decisions, description)

const Organizations = Type.Optional(
  Type.Array(Type.String(), { description: 'Names of the organizations granted at consent' }),
)

const AuthorizeResponse = Type.Object(
  {
    user: text('User that signs in'),
    decision: Type.Optional(Decision('Default: approve')),
    organizations: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Names of the organizations granted at consent; default: those requested and those granted before',
      }),
    ),
  },
  {
    additionalProperties: Type.Union([
      Type.String(),
      Type.Boolean(),
      Type.Number(),
      Type.Array(Type.String()),
    ]),
    description:
      'Parameters of the authorization request (a list for a repeated one) and the user’s decision',
  },
)

/** An authorization request (RFC 6749 §4.1.1) in wire names, with the decision of the user. */
export const AuthorizeRequest = Type.Unsafe<
  Static<typeof AuthorizeResponse> &
    Record<string, string | boolean | number | string[] | undefined>
>(AuthorizeResponse)
export type AuthorizeRequest = Static<typeof AuthorizeRequest>

export const AuthorizeResult = Type.Object({
  redirectTo: text('Redirect URL with the code or error'),
})
export type AuthorizeResult = Static<typeof AuthorizeResult>

export const StartSessionRequest = Type.Object(
  { user: text('Username') },
  { additionalProperties: false },
)
export type StartSessionRequest = Static<typeof StartSessionRequest>

export const StartedSession = Type.Object({
  name: text('Name of the cookie, with the port of the sandbox: `hub_sandbox_session_7420`'),
  value: text('Value of the cookie'),
  expiresAt: Time('Expiry of the session'),
})
export type StartedSession = Static<typeof StartedSession>

export const SessionItem = Type.Object({
  id: text('Value of the cookie'),
  user: UserRef,
  createdAt: Time('Time of the sign-in'),
  expiresAt: Time('Expiry'),
})
export type SessionItem = Static<typeof SessionItem>

export const SessionList = ListOf(SessionItem)
export type SessionList = Static<typeof SessionList>

export const DeviceItem = Type.Object({
  userCode: text('User code (RFC 8628 §6.1)'),
  app: AppRef,
  scopes: Type.Array(Type.String(), { description: 'Requested scopes' }),
  status: OneOf(
    listedDeviceStatuses,
    'Status; `approved` becomes `consumed` once the device has fetched its token',
  ),
  user: Type.Optional(UserRef),
  organizations: Type.Array(OrganizationRef, { description: 'Organizations granted by the user' }),
  createdAt: Time('Time of the device’s request'),
  expiresAt: Time('Expiry of the code'),
  flowId: Type.Optional(text('Sign-in it belongs to, while its first request is in the log')),
})
export type DeviceItem = Static<typeof DeviceItem>

export const DeviceList = ListOf(DeviceItem)
export type DeviceList = Static<typeof DeviceList>

export const DecideDeviceRequest = Type.Object(
  {
    user: text('User that decides'),
    decision: Decision('Decision of the user'),
    organizations: Organizations,
  },
  { additionalProperties: false },
)
export type DecideDeviceRequest = Static<typeof DecideDeviceRequest>

export const DecidedDevice = Type.Object({
  status: OneOf(decidedStatuses, 'Result for the device'),
})
export type DecidedDevice = Static<typeof DecidedDevice>
