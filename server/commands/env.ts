import type { AppItem } from '../contract/control-apps.ts'
import {
  clientSettings,
  clientVariables,
  settingsClients,
  type SettingsClient,
} from '../contract/client-settings.ts'
import { commandText } from '../core/shell-words.ts'
import { suggestion } from '../core/suggestion.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, type ConnectOptions } from './connect.ts'
import { print, printJson } from './output.ts'

export interface EnvOptions extends ConnectOptions {
  shell?: boolean
  json?: boolean
  dotenv?: boolean
  client?: string
  space?: string
  backChannel?: boolean
  for?: string
}

/** Prints what a client app must set to use the sandbox. */
export async function env(options: EnvOptions): Promise<void> {
  const isForShell = options.json !== true && options.dotenv !== true && options.for === undefined
  const client = options.for === undefined ? undefined : requireClient(options.for)
  let read: Awaited<ReturnType<typeof readVariables>>
  try {
    read = await readVariables(options)
  } catch (error) {
    // The shell drops the exit code of a substitution: without this `eval "$(…)"` would look as if it had worked.
    if (isForShell) print('false')
    throw error
  }
  const { variables, tokenCommand, issuer } = read
  if (client !== undefined) return print(clientSettings(client, variables, tokenCommand, issuer))
  if (options.json === true) return printJson(variables)
  for (const [name, value] of Object.entries(variables)) {
    print(isForShell ? `export ${name}='${quote(value)}'` : `${name}=${JSON.stringify(value)}`)
  }
}

function requireClient(name: string): SettingsClient {
  const client = settingsClients.find((one) => one === name)
  if (client !== undefined) return client
  const hint = suggestion(name, settingsClients)
  throw new CommandError(
    `There are no settings for ${name}${hint}. There are some for ${settingsClients.join(', ')}.`,
    { exitCode: 2 },
  )
}

async function readVariables(options: EnvOptions) {
  const connection = await connect(options)
  const app = await findApp(connection, options)
  // Clients compare the issuer, whatever address this command reached it by.
  const { baseUrl, backChannelUrl, commandLine } = await connection.call('GET overview')
  const url = options.backChannel === true ? requireBackChannel(backChannelUrl) : baseUrl
  const { certificatePath } = connection
  return {
    issuer: baseUrl,
    variables: clientVariables({ url, certificatePath, app, space: options.space }),
    tokenCommand: commandText([...commandLine.command, 'token', ...commandLine.options]),
  }
}

function requireBackChannel(url: string | undefined): string {
  if (url !== undefined) return url
  throw new CommandError(
    'This sandbox has no back channel: start it with --back-channel-url and the address by which the app reaches it.',
    { exitCode: 2 },
  )
}

/** The app that was asked for; else the first one with a secret. */
async function findApp(
  { call }: Connection,
  { client, space }: EnvOptions,
): Promise<AppItem | undefined> {
  const { items } = await call('GET apps', { query: { limit: 1000 } })
  if (space !== undefined) {
    const app = items.find((item) => item.space?.toLowerCase() === space.toLowerCase())
    if (app !== undefined) return app
    throw new CommandError(
      `The Space ${space} has no app: it needs "hf_oauth: true" in its README.`,
      { exitCode: 2 },
    )
  }
  if (client !== undefined) {
    const app = items.find(({ clientId, name }) => clientId === client || name === client)
    if (app !== undefined) return app
    const names = items.map(({ clientId, name }) => `  ${clientId}  ${name}`).join('\n')
    const hint = suggestion(client, [
      ...items.map((item) => item.name),
      ...items.map((item) => item.clientId),
    ])
    throw new CommandError(`There is no app ${client}${hint}. There are:\n${names}`, {
      exitCode: 2,
    })
  }
  return items
    .filter(({ clientSecret, origin }) => clientSecret !== undefined && origin === 'settings')
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))[0]
}

function quote(value: string): string {
  return value.replaceAll("'", String.raw`'\''`)
}
