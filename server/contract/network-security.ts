import { Type } from 'typebox'
import { OneOf } from './one-of.ts'
import { flag } from './plain-fields.ts'
import { anyRepoTypes } from './words/hub-words.ts'

const Content = Type.Object({
  resource: OneOf([...anyRepoTypes, 'kernel', '*'], 'Type of repo; * = any'),
  scope: Type.String({ minLength: 1, maxLength: 200, description: 'Repo or namespace' }),
})
/** Most entries of a list, far above what an organization has. */
const mostEntries = 1000

/** Settings of an organization for the networks of its members. */
export const NetworkSecurity = Type.Object({
  enforceAuth: flag('Whether its networks need a token'),
  enforceIpRestriction: flag('Whether only its networks have access'),
  highRateLimits: flag('Whether its networks have higher rate limits'),
  ipRanges: Type.Array(
    Type.String({
      pattern: String.raw`^(?:\d{1,3}(?:\.\d{1,3}){3}\/(?:\d|[12]\d|3[0-2])|[\dA-Fa-f:]{2,39}\/(?:\d{1,2}|1[01]\d|12[0-8]))$`,
      description: 'Range of addresses, such as 192.0.2.0/24',
    }),
    { maxItems: mostEntries, description: 'Addresses of its networks' },
  ),
  blockedContents: Type.Array(Content, {
    maxItems: mostEntries,
    description: 'Repos that its networks do not reach',
  }),
  allowedContents: Type.Array(Content, {
    maxItems: mostEntries,
    description: 'Repos that its networks reach although they are blocked',
  }),
  keepReposMetadataVisible: flag('Whether blocked repos still show what they are'),
})
