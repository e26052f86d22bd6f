import {
  clientSettings,
  type ClientVariables,
  settingsClients,
  type SettingsClient,
  trustStoreOf,
  unusableVariables,
} from '../contract/client-settings.ts'
import { dotenvLine } from '../contract/dotenv.ts'
import { javaToolOptions } from '../contract/java-options.ts'
import { suggestion } from '../contract/suggestion.ts'
import { type Framework, frameworks } from '../contract/words/sandbox-words.ts'
import { programs } from '../lab/snippets/frameworks.ts'
import { readClientEnvironment } from './environment-of-client.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'
import { print, printJson, say } from './output.ts'
import { frameworkNamed, programNames } from './program-names.ts'
import type { ControlOptions } from './read-options.ts'
import { snippetScript } from './snippet-script.ts'

export interface EnvOptions extends ControlOptions {
  shell?: boolean
  dotenv?: boolean
  client?: string
  space?: string
  backChannel?: boolean
  for?: string
}

/** Prints the environment variables for a client app. */
export async function env(options: EnvOptions): Promise<void> {
  const program = options.for === undefined ? undefined : requireProgram(options.for)
  if (program !== undefined && isFramework(program)) return printSnippet(program, options)
  const read = await readClientEnvironment(await connect(options), options)
  const { tokenCommand, issuer } = read
  const variables = withOwnJavaOptions(read.variables)
  if (program !== undefined) return print(clientSettings(program, variables, tokenCommand, issuer))
  printVariables(variables, formatOf(options))
}

/** Adds the options of Java programs to those of this shell, which they would replace. */
function withOwnJavaOptions(variables: ClientVariables): ClientVariables {
  const { JAVA_TOOL_OPTIONS: existing } = process.env
  const certificatePath = variables['NODE_EXTRA_CA_CERTS']
  if (certificatePath === undefined || !existing) return variables
  return {
    ...variables,
    JAVA_TOOL_OPTIONS: javaToolOptions(existing, {
      'javax.net.ssl.trustStore': trustStoreOf(certificatePath),
    }),
  }
}

type Format = 'shell' | 'json' | 'dotenv'

function formatOf({ json, dotenv }: Pick<EnvOptions, 'json' | 'dotenv'>): Format {
  if (json === true) return 'json'
  return dotenv === true ? 'dotenv' : 'shell'
}

function printVariables(variables: ClientVariables, format: Format): void {
  if (format === 'json') return printJson(variables)
  for (const [name, value] of Object.entries(variables)) {
    print(format === 'shell' ? `export ${name}='${quote(value)}'` : dotenvLine(name, value))
  }
}

/**
 * Prints variables that reach no Hub, for a reader that ignores the exit code: a substitution in a shell, a redirection to
 * `.env`, a pipe. A person at a terminal needs only the message.
 * @param words of the command line, which may be invalid
 */
export function printUnusable(words: readonly string[]): void {
  if (process.stdout.isTTY) return
  // What it prints is run by a shell, or pasted.
  if (words.some((word) => /^--for(=|$)/.test(word))) return print('exit 1')
  const format = formatOf({ json: words.includes('--json'), dotenv: words.includes('--dotenv') })
  const variables = unusableVariables()
  printVariables(variables, format)
  if (format === 'shell') print('false')
  say(
    `HF_ENDPOINT is set to ${variables.HF_ENDPOINT}, so that no client uses the real Hub by mistake.`,
  )
}

/**
 * Prints a shell script that writes the program of a framework, as *Connect* on the page of the app shows it. What has to
 * be done first goes to stderr.
 */
async function printSnippet(framework: Framework, options: EnvOptions): Promise<void> {
  const connection = await connect(options)
  const { requires = 'secret' } = programs[framework]
  const { variables, app } = await readClientEnvironment(connection, { ...options, requires })
  if (app === undefined) {
    const kind = requires === 'public' ? 'public app' : 'app with a secret'
    throw new CommandError(`The sandbox has no ${kind}. Register one first, or pass --client.`)
  }
  const { clientId } = app
  const { items } = await connection.call('GET apps/:clientId/snippets', { params: { clientId } })
  const snippet = items.find((item) => item.framework === framework)
  if (snippet === undefined) {
    throw new CommandError(`This sandbox has no program for ${framework}. Update it.`)
  }
  const { name, unsuited, redirectUri, refusedBecause } = snippet
  // The variables name the back channel and the folders for cached files.
  const environment = { ...snippet.environment, ...variables }
  print(snippetScript({ ...snippet, environment }, app.name))
  if (unsuited !== undefined) say(`${app.name} cannot sign in with ${name}. ${unsuited}`)
  if (refusedBecause !== undefined) {
    say(`${app.name} does not accept ${redirectUri}: ${refusedBecause}. Add it in its settings.`)
  }
}

function isFramework(name: Framework | SettingsClient): name is Framework {
  return frameworks.some((framework) => framework === name)
}

function requireProgram(name: string): Framework | SettingsClient {
  const program = frameworkNamed(name) ?? settingsClients.find((one) => one === name)
  if (program !== undefined) return program
  throw new CommandError(
    `No settings for ${name}${suggestion(name, programNames)}. Use one of ${programNames.join(', ')}.`,
    { exitCode: 2 },
  )
}

function quote(value: string): string {
  return value.replaceAll("'", String.raw`'\''`)
}
