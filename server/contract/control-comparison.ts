import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import type { FixturesFile } from './fixtures-types.ts'
import { hostUses } from './words/sandbox-words.ts'
import { flag, text } from './plain-fields.ts'

/** Fields of a fixtures file that are compared. */
export const comparedKinds = [
  'users',
  'organizations',
  'apps',
  'repos',
  'collections',
  'webhooks',
  'jobs',
] as const satisfies readonly (keyof FixturesFile)[]
export type ComparedKind = (typeof comparedKinds)[number]

/** Largest number of names listed for a kind; the counts include the rest. */
export const mostNamesTold = 50

const Names = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'Number of items' }),
      names: Type.Array(Type.String(), {
        maxItems: mostNamesTold,
        description: 'First items, by name',
      }),
    },
    { description },
  )

export const ComparedThings = Type.Object(
  {
    kind: OneOf(comparedKinds, 'Kind of the items'),
    there: Names('Number in the other state'),
    here: Type.Integer({ minimum: 0, description: 'Number in the current state' }),
    added: Names('Added: only in the other state'),
    removed: Names('Removed: only in the current state'),
    changed: Type.Object(
      {
        count: Type.Integer({ minimum: 0, description: 'Number of items' }),
        things: Type.Array(
          Type.Object({
            name: text('Name, or id if it has no name'),
            members: Type.Array(Type.String(), {
              description: 'Fields of the fixtures that differ, without values',
            }),
          }),
          { maxItems: mostNamesTold },
        ),
      },
      { description: 'Changed: in both states, but different' },
    ),
  },
  { description: 'Differences of one kind, such as users or apps' },
)
export type ComparedThings = Static<typeof ComparedThings>

export const ComparedHost = Type.Object({
  host: text('Host name or IP address, with a port unless it is the default'),
  use: OneOf(hostUses, 'Source of the host'),
  isLoopback: flag('Whether the host is this machine'),
})
export type ComparedHost = Static<typeof ComparedHost>

/** Differences between the fixtures and the current state. */
export const ResetComparison = Type.Object({
  things: Type.Array(ComparedThings, { description: 'One entry per kind' }),
  commits: Type.Integer({
    minimum: 0,
    description: 'Number of commits in the current repos beyond those of the fixtures',
  }),
})
export type ResetComparison = Static<typeof ResetComparison>

/** Differences between another state and the current one. */
export const Comparison = Type.Object({
  things: Type.Array(ComparedThings, { description: 'One entry per kind' }),
  hosts: Type.Array(ComparedHost, {
    description: 'Hosts used by webhooks and redirect URIs of the other state',
  }),
})
export type Comparison = Static<typeof Comparison>

export const CompareRequest = Type.Object(
  { fixtures: Type.Unknown({ description: 'A fixtures file, as in fixtures.schema.json' }) },
  { additionalProperties: false },
)
export type CompareRequest = Static<typeof CompareRequest>
