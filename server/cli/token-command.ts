import { omitUndefined } from '../core/omit-undefined.ts'
import type { ControlCall } from '../contract/control-call.ts'
import type { TokenRole } from '../contract/words/oauth-words.ts'
import { parseDuration } from '../contract/durations.ts'
import { listApps, requireApp } from './app-named.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'
import { print, printJson, say } from './output.ts'
import type { ControlOptions } from './read-options.ts'

export interface TokenOptions extends ControlOptions {
  user?: string
  client?: string
  scope?: string
  expiresIn?: string
  organization?: string[]
  /** Role of a user access token, to create one instead of an app token. */
  role?: string
  name?: string
}

/** Prints a new access token and nothing else, for command substitution. */
export async function token(options: TokenOptions): Promise<void> {
  const expiresIn = readSeconds(options.expiresIn)
  const { call } = await connect(options)
  const minted = await call('POST tokens', {
    body: {
      user: options.user ?? (await firstUser(call)),
      ...omitUndefined({
        clientId: await appOf(call, options.client),
        scope: options.scope,
        expiresIn,
        organizations: options.organization,
        // The sandbox reports the valid roles.
        role: options.role as TokenRole | undefined,
        name: options.name,
      }),
    },
  })
  if (options.json === true) return printJson(minted)
  for (const notice of minted.notices ?? []) say(notice)
  print(minted.access_token)
}

async function appOf(call: ControlCall, given: string | undefined): Promise<string | undefined> {
  return given === undefined ? undefined : requireApp(await listApps(call), given).clientId
}

/** Parses `8h` or a number of seconds. */
function readSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (parseDuration(text) ?? Number.NaN) / 1000
  if (Number.isInteger(seconds) && seconds > 0) return seconds
  throw new CommandError(`--expires-in must be like 8h, 90s or 3600 (seconds), not ${text}`, {
    exitCode: 2,
  })
}

/** Returns the default user: the first one of the state, who may not be in the fixtures. */
export async function firstUser(call: ControlCall): Promise<string> {
  const { items } = await call('GET users', { query: { limit: 1 } })
  const user = items[0]?.username
  if (user === undefined) throw new CommandError('The sandbox has no users. Create one first.')
  return user
}
