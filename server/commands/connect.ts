import { omitUndefined } from '../core/omit-undefined.ts'
import type {
  ControlArguments,
  ControlCall,
  ControlLine,
  ControlStreamKey,
} from '../contract/control-call.ts'
import { ownCommand } from '../config/own-command.ts'
import { commandText } from '../core/shell-words.ts'
import { ConnectError } from '../handle/connect-error.ts'
import { createControlCall } from '../handle/control-client.ts'
import { findSandbox } from '../handle/find-sandbox.ts'
import { createSocketClient, type SocketClient } from '../handle/socket-client.ts'
import { CommandError } from './command-error.ts'
import { say } from './output.ts'

/** So long an answer may take before somebody wonders; and so long one about how it is. */
const quietMs = 5000
const healthMs = 5000

/** Nothing listens where the sandbox should be. */
export class NoSandboxError extends CommandError {}

/** How a command is told which sandbox it is for. */
export interface ConnectOptions {
  url?: string
  data?: string
  controlToken?: string
}

export interface Connection extends Pick<SocketClient, 'url' | 'certificatePath' | 'request'> {
  readonly call: ControlCall
  /** What the control API asks for, where it is known. */
  readonly controlToken?: string
  /** The lines of an answer that goes on, as they come. */
  readonly lines: <K extends ControlStreamKey>(
    key: K,
    ...input: ControlArguments<K>
  ) => AsyncIterable<ControlLine<K>>
}

/**
 * The sandbox a command is for: by `--url`, by the lock of the folder of `--data`, by `HUB_SANDBOX_URL`, by the lock of the
 * usual data folder, or at the usual port.
 * @throws {NoSandboxError} when none has the folder of `--data`
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const found = find(options)
  const client = await createSocketClient(found, {
    command: ownCommand(),
    sayWhere: 'with --url or HUB_SANDBOX_URL',
  })
  const listened = <T>(asked: Promise<T>) =>
    tellOfSilence(client, asked, nextCommand(['doctor'], options))
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
 * Some calls are answered late, since they wait for something: then the sandbox still says how it is. One that does not
 * even do that is told of, and waited for all the same.
 * @param doctor the command that says more
 */
async function tellOfSilence<T>(
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
        `What listens at ${url} takes connections and does not answer: it was stopped, or hangs. Still waiting. What helps: ${doctor}`,
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

/** A command for the same sandbox as the one that was called with these options, for a shell. */
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
