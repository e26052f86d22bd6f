import type { AppItem } from '../contract/control-apps.ts'
import { clientVariables, type ClientVariables } from '../contract/client-settings.ts'
import { suggestion } from '../contract/suggestion.ts'
import { commandText } from '../core/shell-words.ts'
import { hubCacheFolder, hubCacheVariables } from '../app/hub-caches.ts'
import { listApps, requireApp } from './app-named.ts'
import { CommandError } from './command-error.ts'
import type { Connection } from './connect.ts'

/** App whose settings a client program gets. */
export interface ClientChoice {
  /** Client id or name. */
  client?: string
  /** The app of this Space. */
  space?: string
  /** Kind of app to prefer when none is named. Default: one with a secret. */
  requires?: 'secret' | 'public'
  /** Use the back-channel URL. */
  backChannel?: boolean
  /** Folder for the files that the Hub's clients cache. Default: one of the user's, for this sandbox. */
  cacheFolder?: string
}

export interface ClientEnvironment {
  /** App that the variables name, if the sandbox has one. */
  app: AppItem | undefined
  /** Environment variables for a client program. */
  variables: ClientVariables
  /** Root of the URLs shown to users. */
  issuer: string
  /** Version of the sandbox. */
  version: string
  /** Shell command that prints a token. */
  tokenCommand: string
}

/** @throws {CommandError} for an unknown app */
export async function readClientEnvironment(
  connection: Connection,
  choice: ClientChoice = {},
): Promise<ClientEnvironment> {
  const app = await findApp(connection, choice)
  const overview = await connection.call('GET overview')
  const { baseUrl, backChannelUrl, version, commandLine, largeFiles } = overview
  // Clients compare the issuer, whatever URL this command uses. If this is the back-channel URL, though,
  // clients can reach no other one.
  const isThere = choice.backChannel === true || connection.url === backChannelUrl
  const url = isThere ? requireBackChannel(backChannelUrl) : baseUrl
  const { certificatePath } = connection
  // An app that needs the back channel runs in a container, without the folders of this user.
  const cacheFolder = choice.cacheFolder ?? (isThere ? undefined : hubCacheFolder(connection.url))
  return {
    app,
    issuer: baseUrl,
    version,
    variables: clientVariables({
      url,
      largeFiles,
      certificatePath,
      app,
      space: choice.space,
      spaceVariables: choice.space === undefined ? undefined : app?.spaceVariables,
      caches: cacheFolder === undefined ? undefined : hubCacheVariables(cacheFolder),
    }),
    tokenCommand: commandText([...commandLine.command, 'token', ...commandLine.options]),
  }
}

function requireBackChannel(url: string | undefined): string {
  if (url !== undefined) return url
  throw new CommandError(
    'This sandbox has no back channel: start it with --back-channel-url and the URL at which the app reaches it.',
    { exitCode: 2 },
  )
}

/** Returns the named app, or the first one of the kind: with a secret, or public with a redirect URI. */
async function findApp(
  { call }: Connection,
  { client, space, requires = 'secret' }: ClientChoice,
): Promise<AppItem | undefined> {
  const items = await listApps(call)
  if (space !== undefined) {
    const app = items.find((item) => item.space?.toLowerCase() === space.toLowerCase())
    if (app !== undefined) return app
    throw await noAppOfSpace(call, space)
  }
  if (client !== undefined) return requireApp(items, client)
  return items
    .filter(({ origin, public: isPublic, redirectUris }) => {
      const fits = requires === 'public' ? isPublic && redirectUris.length > 0 : !isPublic
      return fits && origin === 'settings'
    })
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))[0]
}

async function noAppOfSpace(call: Connection['call'], space: string): Promise<CommandError> {
  const { items } = await call('GET repos', { query: { type: 'space', limit: 1000 } })
  const names = items.map(({ name }) => name)
  if (names.some((name) => name.toLowerCase() === space.toLowerCase())) {
    return new CommandError(`The Space ${space} has no app: add "hf_oauth: true" to its README.`, {
      exitCode: 2,
    })
  }
  const known =
    names.length === 0 ? 'The sandbox has no Spaces' : `Known Spaces: ${names.join(', ')}`
  return new CommandError(
    `Unknown Space ${space}${suggestion(space, names)}. ${known}. Add it to "repos" in the fixtures, or create it through the API.`,
  )
}
