import { type Static, Type } from 'typebox'
import { repoCards } from './hub-collections.ts'
import { flag, integer, number, text } from './plain-fields.ts'
import { OneOf } from './one-of.ts'
import { repoTypes } from './words/hub-words.ts'

// Search across repos and accounts in the hub's API. Responses may have further fields, which clients ignore.

/** Most results of a kind. */
const mostResults = 20
const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: mostResults, default: 10, description: 'Results of a kind' }),
)
const Repeated = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))
const isPrivate = Type.Optional(flag('Whether it is private'))
const trendingWeight = number('0: a sandbox has no trends')
const count = integer('Number of all that match')

export const TrendingQuery = Type.Object({
  type: Type.Optional(OneOf(['all', ...repoTypes], 'Type of repo', 'all')),
  limit: Limit,
})
export type TrendingQuery = Static<typeof TrendingQuery>
const Trending = <T extends (typeof repoTypes)[number]>(type: T) =>
  Type.Object({ repoType: OneOf([type]), repoData: repoCards[type] })
export const TrendingResponse = Type.Object({
  recentlyTrending: Type.Array(
    Type.Union([Trending('model'), Trending('dataset'), Trending('space')]),
    { description: 'Public repos, the most liked first: a sandbox has no trends' },
  ),
})

export const QuickSearchQuery = Type.Object({
  q: Type.Optional(Type.String({ default: '', description: 'Text in the name or title' })),
  limit: Limit,
  type: Repeated('Only these kinds'),
  namespace: Type.Optional(text('Only repos and collections of this user or organization')),
  reposFilter: Repeated(
    '`skip_gated`; `own`: yours; `own_orgs`: those of your organizations; others are ignored',
  ),
  orgsFilter: Repeated('`own`: your organizations; others are ignored'),
  exclude: Type.Optional(
    Type.Union(
      [
        Type.String(),
        Type.Array(
          Type.String({
            pattern: '^(spaces|models|datasets|papers|collections|users|orgs|buckets|kernels)\\/.*',
          }),
        ),
      ],
      { default: [], description: 'Left out: `models/acme/tiny`, `users/alice`, …' },
    ),
  ),
})
export type QuickSearchQuery = Static<typeof QuickSearchQuery>

const FoundRepo = Type.Object({ id: text('`namespace/name`'), private: isPrivate })
const FoundTrend = Type.Object({ ...FoundRepo.properties, trendingWeight })
const account = {
  _id: text('24 hex digits'),
  avatarUrl: text('URL of the picture'),
  fullname: text('Display name'),
}
export const QuickSearchResponse = Type.Object({
  q: text('Text of the request'),
  models: Type.Array(FoundTrend),
  modelsCount: count,
  datasets: Type.Array(FoundTrend),
  datasetsCount: count,
  spaces: Type.Array(Type.Object({ ...FoundTrend.properties, emoji: text('Emoji') })),
  spacesCount: count,
  buckets: Type.Array(FoundRepo),
  bucketsCount: count,
  kernels: Type.Array(FoundRepo, { description: 'None' }),
  kernelsCount: count,
  users: Type.Array(Type.Object({ ...account, user: text('User name') })),
  orgs: Type.Array(Type.Object({ ...account, name: text('Name') })),
  collections: Type.Array(
    Type.Object({
      _id: text('24 hex digits'),
      title: text('Title'),
      description: Type.Optional(text('Description')),
    }),
  ),
  collectionsCount: count,
  papers: Type.Array(FoundRepo, { description: 'None' }),
  papersCount: count,
})
export type QuickSearchResponse = Static<typeof QuickSearchResponse>
