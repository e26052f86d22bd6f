import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { AppRef, ListOf, OrganizationRef, Time, UserRef } from './control.ts'
import { decidedStatuses, decisions, listedDeviceStatuses } from './words/oauth.ts'

const Decision = (description: string) => OneOf(decisions, description)

const Organizations = Type.Optional(
  Type.Array(Type.String(), { description: 'Organizations ticked at consent, by name' }),
)

const AuthorizeAnswer = Type.Object(
  {
    user: Type.String({ description: 'Who signs in' }),
    decision: Type.Optional(Decision('Default: approve')),
    organizations: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Organizations ticked at consent, by name; default: those asked for and those allowed before',
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
      'Parameters of the authorization request, a list for one that comes several times, and the user’s answer',
  },
)

/** An authorization request (RFC 6749 §4.1.1) in wire names, and what the user would say. */
export const AuthorizeRequest = Type.Unsafe<
  Static<typeof AuthorizeAnswer> & Record<string, string | boolean | number | string[] | undefined>
>(AuthorizeAnswer)
export type AuthorizeRequest = Static<typeof AuthorizeRequest>

export const AuthorizeResult = Type.Object({
  redirectTo: Type.String({ description: 'Where the browser would be sent: code or error' }),
})
export type AuthorizeResult = Static<typeof AuthorizeResult>

export const StartSessionRequest = Type.Object(
  { user: Type.String({ description: 'Username' }) },
  { additionalProperties: false },
)
export type StartSessionRequest = Static<typeof StartSessionRequest>

export const StartedSession = Type.Object({
  name: Type.String({
    description: 'Name of the cookie, with the port of the sandbox: `hub_sandbox_session_7420`',
  }),
  value: Type.String({ description: 'Value of the cookie' }),
  expiresAt: Time('When the session ends'),
})
export type StartedSession = Static<typeof StartedSession>

export const SessionItem = Type.Object({
  id: Type.String({ description: 'Value of the cookie' }),
  user: UserRef,
  createdAt: Time('When the user signed in'),
  expiresAt: Time('When it ends'),
})
export type SessionItem = Static<typeof SessionItem>

export const SessionList = ListOf(SessionItem)
export type SessionList = Static<typeof SessionList>

export const DeviceItem = Type.Object({
  userCode: Type.String({ description: 'What the user types (RFC 8628 §6.1)' }),
  app: AppRef,
  scopes: Type.Array(Type.String(), { description: 'Scopes asked for' }),
  status: OneOf(
    listedDeviceStatuses,
    'Approved until the device has fetched its token, then consumed',
  ),
  user: Type.Optional(UserRef),
  organizations: Type.Array(OrganizationRef, { description: 'Organizations ticked by the user' }),
  createdAt: Time('When the device asked'),
  expiresAt: Time('When the code ends'),
  flowId: Type.Optional(
    Type.String({ description: 'Sign-in it belongs to, while the log has its first request' }),
  ),
})
export type DeviceItem = Static<typeof DeviceItem>

export const DeviceList = ListOf(DeviceItem)
export type DeviceList = Static<typeof DeviceList>

export const DecideDeviceRequest = Type.Object(
  {
    user: Type.String({ description: 'Who decides' }),
    decision: Decision('What the user says'),
    organizations: Organizations,
  },
  { additionalProperties: false },
)
export type DecideDeviceRequest = Static<typeof DecideDeviceRequest>

export const DecidedDevice = Type.Object({
  status: OneOf(decidedStatuses, 'What the device will learn'),
})
export type DecidedDevice = Static<typeof DecidedDevice>
