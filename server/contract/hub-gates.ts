import { type Static, Type } from 'typebox'
import { PageQuery, PersonResponse } from './hub-people.ts'
import { OneOf } from './one-of.ts'
import { accessStatuses } from './words/hub-words.ts'
import { flag, text } from './plain-fields.ts'

// Access requests of gated repos in the hub's API.

export const batchErrors = ['user_not_found', 'request_not_found'] as const

const Time = Type.String({ format: 'date-time' })
const requestId = Type.String({ pattern: '^[0-9a-f]{24}$', description: 'Id of the request' })
const person = {
  user: Type.Optional(text('User name; this or userId')),
  userId: Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{24}$', description: 'Id of the user; this or user' }),
  ),
}
const Person = Type.Object(person)
export type PersonReference = Static<typeof Person>
const RequestReference = Type.Object({ ...person, requestId: Type.Optional(requestId) })
export type RequestReference = Static<typeof RequestReference>
const Reason = Type.Optional(
  Type.String({ maxLength: 200, description: 'Reason of a rejection, for the user' }),
)

export const AccessDecisionBody = Type.Object({
  ...RequestReference.properties,
  status: OneOf(accessStatuses, 'List to move the request to'),
  rejectionReason: Reason,
})
export const AccessDecisionsBody = Type.Object({
  status: OneOf(accessStatuses, 'List to move all of them to'),
  rejectionReason: Reason,
  requests: Type.Array(RequestReference, { minItems: 1, maxItems: 100 }),
})
export const GrantAccessBody = Person

/** A form, or the same as JSON. */
export const AskAccessForm = Type.Record(Type.String(), Type.String(), {
  description: 'Answers to the questions of the repo, by question',
})

export const AccessRequestsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 10, maximum: 1000, default: 1000, description: 'Requests per page' }),
  ),
  cursor: PageQuery.properties.cursor,
  after: Type.Optional(Type.String({ format: 'date-time', description: 'Only later requests' })),
  before: Type.Optional(Type.String({ format: 'date-time', description: 'Only earlier requests' })),
})
export type AccessRequestsQuery = Static<typeof AccessRequestsQuery>

export const AccessRequestResponse = Type.Object({
  requestId,
  user: Type.Object({
    _id: text('24 hex digits'),
    user: text('User name'),
    fullname: text('Display name'),
    avatarUrl: text('Path or URL of the picture'),
    type: OneOf(['user'], 'Kind of account'),
    isPro: flag('Whether the user has a PRO subscription'),
    email: Type.Optional(text('Absent if the user did not ask')),
    verifiedOrgNames: Type.Array(Type.String(), { description: 'Always empty' }),
  }),
  status: OneOf(accessStatuses, 'Decision'),
  timestamp: Time,
  fields: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Answers by question' }),
  ),
  grantedBy: Type.Optional(
    Type.Union([PersonResponse, Type.Object({})], {
      description: 'User who granted access without a request; empty if that account was deleted',
    }),
  ),
})
export type AccessRequestResponse = Static<typeof AccessRequestResponse>
export const AccessRequestsResponse = Type.Array(AccessRequestResponse, {
  description: 'The oldest first',
})
export const AccessReportResponse = Type.Array(
  Type.Object({
    user: text('User name'),
    fullname: text('Display name'),
    status: OneOf(accessStatuses, 'Decision'),
    email: Type.Optional(text('Absent if the user did not ask')),
    time: Time,
  }),
  { description: 'All access requests, the oldest first' },
)
export const DecisionsResponse = Type.Array(
  Type.Object({
    ...person,
    ok: flag('Whether the request was moved'),
    error: Type.Optional(OneOf(batchErrors, 'Reason that it was not')),
  }),
  { description: 'Results in the order of the requests' },
)
