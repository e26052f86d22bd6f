import { omitUndefined } from '../core/omit-undefined.ts'
import { readFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { userDataFolder } from '../config/data-folder.ts'
import { usualUrl } from '../contract/usual-address.ts'
import { isLoopbackHost } from '../core/loopback.ts'
import { ownCommand } from '../config/own-command.ts'
import type {
  ControlArguments,
  ControlCall,
  ControlLine,
  ControlStreamKey,
} from '../contract/control-call.ts'
import { controlRequest } from '../contract/control-request.ts'
import { createControlCall, type ControlTransport } from '../embedded/control-client.ts'
import { commandText } from '../core/shell-words.ts'
import { type LockDetails, readLock } from '../state/lock.ts'
import { CommandError } from './command-error.ts'

/** Nothing listens where the sandbox should be. */
export class NoSandboxError extends CommandError {}

/** How a command is told which sandbox it is for. */
export interface ConnectOptions {
  url?: string
  data?: string
  controlToken?: string
}

export interface Connection {
  /** Root of the sandbox, without a trailing slash. */
  readonly url: string
  readonly call: ControlCall
  /** What the control API asks for, where it is known. */
  readonly controlToken?: string
  /** The certificate to trust, where the sandbox has its own. */
  readonly certificatePath?: string
  /** A request as it stands. */
  readonly request: (request: PlainRequest) => Promise<PlainAnswer>
  /** The lines of an answer that goes on, as they come. */
  readonly lines: <K extends ControlStreamKey>(
    key: K,
    ...input: ControlArguments<K>
  ) => AsyncIterable<ControlLine<K>>
}

export interface PlainRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface PlainAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

interface Target {
  url: string
  controlToken?: string
  certificatePath?: string
}

/**
 * Finds the sandbox a command is for: by its address (`--url`, `HUB_SANDBOX_URL`), else by the lock
 * of the data folder, else at the usual port.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const target = findTarget(options)
  const ca =
    target.certificatePath === undefined ? undefined : await readOptional(target.certificatePath)
  const request = async (plain: PlainRequest): Promise<PlainAnswer> => {
    const answer = await send(target, ca, plain)
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await readText(answer) }
  }
  const authorization =
    target.controlToken === undefined ? {} : { authorization: `Bearer ${target.controlToken}` }
  const transport: ControlTransport = async ({ method, path, headers, body }) => {
    const answer = await request({
      method,
      path,
      headers: {
        ...headers,
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: parseBody(target.url, answer.body) }
  }
  return {
    url: target.url,
    call: createControlCall(transport),
    ...omitUndefined({ controlToken: target.controlToken }),
    ...(ca === undefined || target.certificatePath === undefined
      ? {}
      : { certificatePath: target.certificatePath }),
    request,
    async *lines<K extends ControlStreamKey>(key: K, ...input: ControlArguments<K>) {
      const { method, path: address } = controlRequest(key, ...input)
      const path = `/_sandbox/api/${address}`
      const answer = await send(target, ca, { method, path, headers: authorization })
      if (answer.statusCode !== 200) {
        throw new CommandError(`${path} answered ${answer.statusCode}: ${await readText(answer)}`)
      }
      for await (const line of createInterface({ input: answer, crlfDelay: Infinity })) {
        if (line !== '') yield JSON.parse(line) as ControlLine<K>
      }
    },
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

function findTarget(options: ConnectOptions): Target {
  const { env } = process
  const folder = options.data ?? (env['HUB_SANDBOX_DATA'] || userDataFolder())
  const lock: LockDetails = readLock(folder) ?? {}
  const named = options.url ?? (env['HUB_SANDBOX_URL'] || undefined)
  if (named !== undefined && !URL.canParse(named)) {
    throw new CommandError(`--url must be an address such as ${usualUrl}, not ${named}`, {
      exitCode: 2,
    })
  }
  const wanted = (named ?? lock.url ?? usualUrl).replace(/\/+$/, '')
  const isLocked = wanted === lock.url || wanted === lock.localUrl
  // The name that others know it by may mean nothing here.
  const url = isLocked ? (lock.localUrl ?? wanted) : wanted
  const controlToken =
    options.controlToken ??
    (env['HUB_SANDBOX_CONTROL_TOKEN'] || undefined) ??
    (isLocked ? lock.controlToken : undefined)
  return {
    url,
    ...omitUndefined({ controlToken }),
    ...(url.startsWith('https:') ? { certificatePath: join(folder, 'certificate.pem') } : {}),
  }
}

function send(
  { url }: Target,
  ca: string | undefined,
  { method, path, headers = {}, body }: PlainRequest,
): Promise<IncomingMessage> {
  const address = new URL(url + path)
  return new Promise((resolve, reject) => {
    const open = address.protocol === 'https:' ? requestHttps : requestHttp
    const sent = open(address, { method, headers, ...omitUndefined({ ca }) }, resolve)
    sent.once('error', (error) => reject(unreachable(url, error)))
    sent.end(body)
  })
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function unreachable(url: string, error: Error): CommandError {
  const { code } = error as NodeJS.ErrnoException
  const isRefused = code === 'ECONNREFUSED'
  const why = isRefused ? '' : ` (${error.message || code})`
  return new (isRefused ? NoSandboxError : CommandError)(
    `No sandbox answers at ${url}${why}.\nStart one with "${startCommand(url)}", or say where it is with --url or HUB_SANDBOX_URL.`,
    { cause: error },
  )
}

/** What starts a sandbox that would answer there. */
function startCommand(url: string): string {
  const { protocol, port, hostname } = new URL(url)
  if (!isLoopbackHost(hostname)) return commandText(ownCommand())
  const isUsual = port === new URL(usualUrl).port
  return commandText([
    ...ownCommand(),
    ...(isUsual ? [] : ['--port', port || (protocol === 'https:' ? '443' : '80')]),
    ...(protocol === 'https:' ? ['--https'] : []),
  ])
}

function parseBody(url: string, text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`What answers at ${url} is no sandbox: ${text.slice(0, 80)}`, {
      cause: error,
    })
  }
}

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
