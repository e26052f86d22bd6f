import {
  clientSettings,
  settingsClients,
  type SettingsClient,
} from '../contract/client-settings.ts'
import { dotenvLine } from '../contract/dotenv.ts'
import { suggestion } from '../contract/suggestion.ts'
import { type ClientEnvironment, readClientEnvironment } from './client-environment.ts'
import { CommandError } from './command-error.ts'
import { connect, type ConnectOptions } from './connect.ts'
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

/** Prints the environment variables for a client app. */
export async function env(options: EnvOptions): Promise<void> {
  const isForShell = options.json !== true && options.dotenv !== true && options.for === undefined
  const client = options.for === undefined ? undefined : requireClient(options.for)
  let read: ClientEnvironment
  try {
    read = await readClientEnvironment(await connect(options), options)
  } catch (error) {
    // The shell ignores the exit code of a substitution: without this, `eval "$(…)"` would succeed.
    if (isForShell) print('false')
    throw error
  }
  const { variables, tokenCommand, issuer } = read
  if (client !== undefined) return print(clientSettings(client, variables, tokenCommand, issuer))
  if (options.json === true) return printJson(variables)
  for (const [name, value] of Object.entries(variables)) {
    print(isForShell ? `export ${name}='${quote(value)}'` : dotenvLine(name, value))
  }
}

function requireClient(name: string): SettingsClient {
  const client = settingsClients.find((one) => one === name)
  if (client !== undefined) return client
  const hint = suggestion(name, settingsClients)
  throw new CommandError(
    `No settings for ${name}${hint}. Use one of ${settingsClients.join(', ')}.`,
    { exitCode: 2 },
  )
}

function quote(value: string): string {
  return value.replaceAll("'", String.raw`'\''`)
}
