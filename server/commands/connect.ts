import { readFile } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { join } from 'node:path'
import { userDataFolder } from '../config/data-folder.ts'
import { type ControlCall, createControlCall, type ControlTransport } from '../control-client.ts'
import { readLock } from '../state/lock.ts'
import { CommandError } from './command-error.ts'

/** How a command is told which sandbox it is for. */
export interface ConnectOptions {
  url?: string
  data?: string
  controlToken?: string
}

export interface Connection {
  /** Root of the sandbox, without a trailing slash. */
  readonly url: string
  readonly control: ControlCall
  /** The certificate to trust, where the sandbox has its own. */
  readonly certificatePath?: string
  /** A request as it stands; the answer's body may go on for long. */
  stream(method: string, path: string): Promise<AsyncIterable<Buffer>>
}

interface Target {
  url: string
  controlToken?: string
  certificatePath?: string
}

const usualUrl = 'http://localhost:7420'

/**
 * Finds the sandbox a command is for: by its address (`--url`, `HUB_SANDBOX_URL`), else by the lock
 * of the data folder, else at the usual port.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const target = findTarget(options)
  const ca =
    target.certificatePath === undefined ? undefined : await readOptional(target.certificatePath)
  const send = (method: string, path: string, body?: unknown) =>
    sendTo(target, ca, { method, path, body })
  const transport: ControlTransport = async ({ method, path, body }) => {
    const { status, stream } = await send(method, path, body)
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return { status, body: parseBody(target.url, Buffer.concat(chunks).toString('utf8')) }
  }
  return {
    url: target.url,
    control: createControlCall(transport),
    ...(ca === undefined || target.certificatePath === undefined
      ? {}
      : { certificatePath: target.certificatePath }),
    async stream(method, path) {
      const { status, stream } = await send(method, path)
      if (status >= 400) throw new CommandError(`${target.url}${path} answered ${status}.`)
      return stream
    },
  }
}

function findTarget(options: ConnectOptions): Target {
  const { env } = process
  const folder = options.data ?? (env['HUB_SANDBOX_DATA'] || userDataFolder())
  const lock: { url?: string; controlToken?: string } = readLock(folder) ?? {}
  const named = options.url ?? (env['HUB_SANDBOX_URL'] || undefined)
  if (named !== undefined && !URL.canParse(named)) {
    throw new CommandError(`--url must be an address such as ${usualUrl}, not ${named}`, {
      exitCode: 2,
    })
  }
  const url = (named ?? lock.url ?? usualUrl).replace(/\/+$/, '')
  const controlToken =
    options.controlToken ??
    (env['HUB_SANDBOX_CONTROL_TOKEN'] || undefined) ??
    (lock.url === url ? lock.controlToken : undefined)
  return {
    url,
    ...(controlToken === undefined ? {} : { controlToken }),
    ...(url.startsWith('https:') ? { certificatePath: join(folder, 'certificate.pem') } : {}),
  }
}

function sendTo(
  { url, controlToken }: Target,
  ca: string | undefined,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<{ status: number; stream: AsyncIterable<Buffer> }> {
  const address = new URL(url + path)
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` }),
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const request = address.protocol === 'https:' ? requestHttps : requestHttp
    const sent = request(address, { method, headers, ...(ca === undefined ? {} : { ca }) })
    sent.once('response', (stream) => resolve({ status: stream.statusCode ?? 0, stream }))
    sent.once('error', (error) => reject(unreachable(url, error)))
    sent.end(payload)
  })
}

function unreachable(url: string, error: Error): CommandError {
  const { code } = error as NodeJS.ErrnoException
  const why = code === 'ECONNREFUSED' ? '' : ` (${error.message || code})`
  return new CommandError(
    `No sandbox answers at ${url}${why}.\nStart one with "npx hub-sandbox", or say where it is with --url or HUB_SANDBOX_URL.`,
    { cause: error },
  )
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
