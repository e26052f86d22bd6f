import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import type { FixturesFile } from './fixtures-types.ts'
import { hostUses } from './words/sandbox.ts'

/** Members of a fixtures file that two states are compared by. */
export const comparedKinds = [
  'users',
  'organizations',
  'apps',
  'repos',
  'webhooks',
  'jobs',
] as const satisfies readonly (keyof FixturesFile)[]
export type ComparedKind = (typeof comparedKinds)[number]

/** Names told of a kind at most; the counts say how many there are. */
export const mostNamesTold = 50

const Names = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'How many' }),
      names: Type.Array(Type.String(), {
        maxItems: mostNamesTold,
        description: 'The first of them, by name',
      }),
    },
    { description },
  )

export const ComparedThings = Type.Object(
  {
    kind: OneOf(comparedKinds, 'What they are'),
    there: Names('All that the other state has'),
    here: Type.Integer({ minimum: 0, description: 'How many the present state has' }),
    added: Names('There, and not here'),
    removed: Names('Here, and not there'),
    changed: Type.Object(
      {
        count: Type.Integer({ minimum: 0, description: 'How many' }),
        things: Type.Array(
          Type.Object({
            name: Type.String({ description: 'Name, or id where it has none' }),
            members: Type.Array(Type.String(), {
              description: 'Members of the fixtures that differ; no value is told',
            }),
          }),
          { maxItems: mostNamesTold },
        ),
      },
      { description: 'Here and there, but not alike' },
    ),
  },
  { description: 'Users, or apps, and so on' },
)
export type ComparedThings = Static<typeof ComparedThings>

export const ComparedHost = Type.Object({
  host: Type.String({
    description: 'Name or address, with the port where it is not the usual one',
  }),
  use: OneOf(hostUses, 'What leads there'),
  isLoopback: Type.Boolean({ description: 'Whether it is this machine' }),
})
export type ComparedHost = Static<typeof ComparedHost>

/** What another state would give in place of the present one. */
export const Comparison = Type.Object({
  things: Type.Array(ComparedThings, { description: 'One entry for each kind' }),
  hosts: Type.Array(ComparedHost, {
    description: 'Where webhooks and redirects of the other state lead',
  }),
})
export type Comparison = Static<typeof Comparison>

export const CompareRequest = Type.Object(
  { fixtures: Type.Unknown({ description: 'A fixtures file, as fixtures.schema.json has it' }) },
  { additionalProperties: false },
)
export type CompareRequest = Static<typeof CompareRequest>
