import type { Decision } from '../contract/words/oauth-words.ts'
import { messageOf } from '../core/background.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { authorizationParameters } from '../client/authorization-url.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'
import { printResponse, say } from './output.ts'
import type { ControlOptions } from './read-options.ts'
import { firstUser } from './token-command.ts'

export interface AuthorizeCallOptions extends ControlOptions {
  user?: string
  deny?: boolean
  organization?: string[]
}

/** Approves or denies an authorization request as a user, and prints the redirect URL. */
export async function authorize(url: string, options: AuthorizeCallOptions): Promise<void> {
  const connection = await connect(options)
  const { call } = connection
  const { baseUrl: issuer } = await call('GET overview')
  const decision: Decision = options.deny === true ? 'deny' : 'approve'
  const result = await call('POST authorize', {
    body: {
      ...readUrl(url, { url: connection.url, issuer }),
      user: options.user ?? (await firstUser(call)),
      decision,
      ...omitUndefined({ organizations: options.organization }),
    },
  })
  const answer = new URL(result.redirectTo).searchParams
  const error = answer.get('error')
  if (error !== null && decision === 'approve') {
    say(`The app gets ${error}: ${answer.get('error_description') ?? 'no reason given'}`)
  }
  printResponse(options, result, result.redirectTo)
}

/** @throws {CommandError} with exit code 2 */
function readUrl(url: string, addresses: { url: string; issuer: string }) {
  try {
    return authorizationParameters(url, addresses)
  } catch (error) {
    throw new CommandError(messageOf(error), { exitCode: 2, cause: error })
  }
}
