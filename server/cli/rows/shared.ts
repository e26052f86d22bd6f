import { grantTypes } from '../../contract/words/oauth-words.ts'
import type { Given } from '../program/row.ts'

// Options that several commands have.

export const limit = 'Maximum number of entries (default: 100)'

export const noColor = 'Disable colors (also NO_COLOR; off in a pipe)'

export const organization = {
  help: 'Organization to grant access to; repeatable',
  of: 'organization',
  repeatable: true,
} as const satisfies Given

/** Options that select requests. */
export const matchOptions = {
  '--route <path>': { help: 'Match requests to this path; * = anything', to: 'match.route' },
  '--method <method>': {
    help: 'Match requests with this method',
    to: 'match.method',
    of: 'method',
  },
  '--grant-type <type>': {
    help: 'Match token requests of this grant type',
    to: 'match.grantType',
    values: grantTypes,
  },
  '--client <id>': {
    help: 'Match requests of this app: client id or name',
    to: 'match.clientId',
    of: 'app',
  },
} as const satisfies Record<string, Given>
