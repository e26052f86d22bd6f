import { Type, type Static, type TSchema } from 'typebox'
import { longestDurationMs } from './fixtures/limits.ts'
import { durationPattern } from './durations.ts'
import { text } from './plain-fields.ts'

// Shapes shared by the resources of the control API, each of which has its own file, `control-….ts`. JSON is in
// camelCase, times are in ISO 8601, durations are strings; they are numbers only in fields named …Ms.

export const Time = (description: string) => Type.String({ format: 'date-time', description })

/** @param longestMs the longest, in milliseconds */
export const Duration = (description: string, longestMs = longestDurationMs) =>
  Type.String({
    pattern: `^${durationPattern}$`,
    description,
    'x-longest-ms': longestMs,
  })

/** Lets a PATCH remove an optional field. */
export const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A page of a list, newest first unless the resource says otherwise. */
export const ListOf = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    nextCursor: Type.Optional(text('Pass as `cursor` for the next page; absent on the last')),
  })

export const pageQuery = {
  cursor: Type.Optional(text('`nextCursor` of the page before')),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Items per page' }),
  ),
}
export const PageQuery = Type.Object(pageQuery)
export type PageQuery = Static<typeof PageQuery>

export const Issue = Type.Object({
  path: text('Path, such as `redirectUris[1]`'),
  message: text('Problem and how to fix it'),
})
export type Issue = Static<typeof Issue>

export const ErrorBody = Type.Object({
  error: text('Short code, such as `not_found`'),
  message: text('Message for the developer'),
  issues: Type.Optional(Type.Array(Issue, { description: 'All problems of the request' })),
})
export type ErrorBody = Static<typeof ErrorBody>

/** Error responses of every route of the control API, by status. */
export const refusals = { '4xx': ErrorBody, '5xx': ErrorBody }

/** Response that is a page or another media type than JSON. */
export const Media = (contentMediaType: string, description: string) =>
  Type.String({ contentMediaType, description })

/** Response without a body. */
export const NoBody = (description: string) => Type.Null({ description })

export const Empty = Type.Object({}, { description: 'Empty object' })
export type Empty = Static<typeof Empty>

export const UserRef = Type.Object(
  {
    id: text('24 hex digits'),
    username: text('Name in URLs'),
    avatarUrl: text('URL of the picture'),
  },
  { description: 'A user' },
)
export type UserRef = Static<typeof UserRef>

export const AppRef = Type.Object(
  {
    clientId: text('`client_id` (RFC 6749 §2.2)'),
    name: text('Name on the consent page'),
  },
  { description: 'An OAuth app' },
)
export type AppRef = Static<typeof AppRef>

export const OrganizationRef = Type.Object(
  {
    id: text('24 hex digits'),
    name: text('Name in URLs'),
  },
  { description: 'An organization' },
)
export type OrganizationRef = Static<typeof OrganizationRef>

/** Header fields in the order received, with duplicates. */
export const HeaderList = Type.Unsafe<[name: string, value: string][]>(
  Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), {
    description: 'Pairs of name and value',
  }),
)
