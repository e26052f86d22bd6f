import { omitUndefined } from '../core/omit-undefined.ts'
import type {
  ControlArguments,
  ControlCall,
  ControlLine,
  ControlStreamKey,
} from '../contract/control-call.ts'
import { ownCommand } from '../app/config/own-command.ts'
import { commandText } from '../core/shell-words.ts'
import { ConnectError } from '../client/connect-error.ts'
import { createControlCall } from '../web/control-client.ts'
import { findSandbox } from '../client/find-sandbox.ts'
import { createSocketClient, type SocketClient } from '../client/socket-client.ts'
import { CommandError } from './command-error.ts'
import { say } from './output.ts'

/** Time without a response before the health check, and timeout of that check. */
const quietMs = 5000
const healthMs = 5000

/** Error for a sandbox that is not running. */
export class NoSandboxError extends CommandError {}

/** Options that choose the sandbox of a command. */
export interface ConnectOptions {
  url?: string
  data?: string
  controlToken?: string
}

export interface Connection extends Pick<SocketClient, 'url' | 'certificatePath' | 'request'> {
  readonly call: ControlCall
  /** Control token, if known. */
  readonly controlToken?: string
  /** Streams the lines of a response. */
  readonly lines: <K extends ControlStreamKey>(
    key: K,
    ...input: ControlArguments<K>
  ) => AsyncIterable<ControlLine<K>>
}

/**
 * Finds the sandbox of a command: by `--url`, by the lock in the folder of `--data`, by `HUB_SANDBOX_URL`, by the lock in
 * the default data folder, or at the default port.
 * @throws {NoSandboxError} if no sandbox has the folder of `--data`
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const found = find(options)
  const client = await createSocketClient(found, {
    command: ownCommand(),
    sayWhere: 'with --url or HUB_SANDBOX_URL',
  })
  const listened = <T>(asked: Promise<T>) =>
    reportSilence(client, asked, nextCommand(['doctor'], options))
  return {
    url: client.url,
    ...omitUndefined({
      controlToken: found.controlToken,
      certificatePath: client.certificatePath,
    }),
    call: createControlCall((request) => asCommandErrors(listened(client.transport(request)))),
    request: (request) => asCommandErrors(client.request(request)),
    async *lines(key, ...input) {
      try {
        yield* client.lines(undefined, key, ...input)
      } catch (error) {
        throw asCommandError(error)
      }
    },
  }
}

/**
 * Reports a sandbox that hangs, and keeps waiting. Some calls respond late because they wait for an event; the health
 * check still responds then.
 * @param doctor command for more information
 */
async function reportSilence<T>(
  { url, request }: Pick<SocketClient, 'url' | 'request'>,
  asked: Promise<T>,
  doctor: string,
): Promise<T> {
  let isAnswered = false
  const ask = async () => {
    const signal = AbortSignal.timeout(healthMs)
    try {
      await request({ method: 'GET', path: '/_sandbox/health', signal })
    } catch {
      if (isAnswered || !signal.aborted) return
      say(
        `The server at ${url} accepts connections but does not respond: it is stopped or hangs. Still waiting. To find out more: ${doctor}`,
      )
    }
  }
  const timer = setTimeout(() => void ask(), quietMs)
  try {
    return await asked
  } finally {
    isAnswered = true
    clearTimeout(timer)
  }
}

/** Returns a shell command for the same sandbox as these options. */
export function nextCommand(
  words: readonly string[],
  { url, data, controlToken }: ConnectOptions,
): string {
  const given = { '--url': url, '--data': data, '--control-token': controlToken }
  const options = Object.entries(given).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, value],
  )
  return commandText([...ownCommand(), ...words, ...options])
}

function find(options: ConnectOptions) {
  try {
    return findSandbox(options, '--url')
  } catch (error) {
    throw asCommandError(error)
  }
}

async function asCommandErrors<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw asCommandError(error)
  }
}

function asCommandError(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error
  const { message, obstacle } = error
  if (obstacle === 'silent') return new NoSandboxError(message, { cause: error })
  return new CommandError(message, { cause: error, exitCode: obstacle === 'address' ? 2 : 1 })
}
