import { readFile } from 'node:fs/promises'
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { createSecureContext, rootCertificates } from 'node:tls'
import { messageOf } from '../core/background.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { isLoopbackHost } from '../core/loopback.ts'
import { commandText } from '../core/shell-words.ts'
import { usualUrl } from '../contract/usual-address.ts'
import type { ControlArguments, ControlLine, ControlStreamKey } from '../contract/control-call.ts'
import { controlRequest } from '../contract/control-request.ts'
import { ConnectError } from './connect-error.ts'
import type { ControlTransport } from '../web/control-client.ts'
import { ControlError } from '../web/control-error.ts'
import type { FoundSandbox } from './find-sandbox.ts'
import { parsedLines } from './lines.ts'

/** Client of a sandbox at its URL. */
export interface SocketClient {
  /** Root of the sandbox, without a trailing slash. */
  readonly url: string
  /** Path of the trusted certificate of the sandbox, if it has one. */
  readonly certificatePath?: string
  /** Calls of the control API. */
  readonly transport: ControlTransport
  /** Sends a request unchanged. Redirects are not followed: its data is for this URL only. */
  readonly request: (request: PlainRequest) => Promise<PlainResponse>
  /** Streams the lines of a response until it ends or the signal aborts. */
  readonly lines: <K extends ControlStreamKey>(
    signal: AbortSignal | undefined,
    key: K,
    ...input: ControlArguments<K>
  ) => AsyncIterable<ControlLine<K>>
  /** Aborts requests in flight. */
  close(): void
}

export interface PlainRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

export interface PlainResponse {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Wording of error messages. */
export interface Hints {
  /** Command line of this program. */
  command: readonly string[]
  /** How to set the URL of the sandbox: `with --url`. */
  sayWhere: string
}

export async function createSocketClient(
  { url, controlToken, certificatePath }: FoundSandbox,
  hints: Hints,
): Promise<SocketClient> {
  const certificate =
    certificatePath === undefined ? undefined : await readOptional(certificatePath)
  const isSecure = url.startsWith('https:')
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: true, ...(await trustOf(certificate)) })
    : new HttpAgent({ keepAlive: true })
  const authorization =
    controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` }

  function send({ method, path, headers = {}, body, signal }: PlainRequest) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const open = isSecure ? requestHttps : requestHttp
      const options = { method, headers, agent, ...omitUndefined({ signal }) }
      const sent = open(new URL(url + path), options, resolve)
      sent.once('error', (error) => reject(unreachable(url, error, hints)))
      sent.end(body)
    })
  }
  const request = async (plain: PlainRequest): Promise<PlainResponse> => {
    const answer = await send(plain)
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await readText(answer) }
  }
  return {
    url,
    ...(certificate === undefined ? {} : omitUndefined({ certificatePath })),
    request,
    async transport({ method, path, headers, body }) {
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
      return { status: answer.status, body: parseBody(url, answer) }
    },
    async *lines<K extends ControlStreamKey>(
      signal: AbortSignal | undefined,
      key: K,
      ...input: ControlArguments<K>
    ) {
      const { method, path: address } = controlRequest(key, ...input)
      const path = `/_sandbox/api/${address}`
      const answer = await send({
        method,
        path,
        headers: authorization,
        ...omitUndefined({ signal }),
      })
      if ((answer.statusCode ?? 0) >= 400) {
        const { statusCode: status = 0, headers } = answer
        throw new ControlError(
          status,
          parseBody(url, { status, headers, body: await readText(answer) }),
        )
      }
      try {
        yield* parsedLines<ControlLine<K>>(answer)
      } catch (error) {
        if (signal?.aborted !== true) throw brokenOff(url, error)
      }
    },
    close: () => agent.destroy(),
  }
}

/** Default authorities, those of the environment, and the certificate of the sandbox. */
async function trustOf(certificate: string | undefined) {
  // Node's default already includes those of the environment.
  if (certificate === undefined) return {}
  const extra = process.env['NODE_EXTRA_CA_CERTS']
  const further = extra ? await readOptional(extra) : undefined
  const ca = [...rootCertificates, certificate, ...(further === undefined ? [] : [further])]
  return { secureContext: createSecureContext({ ca }) }
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Error codes of Node for an untrusted certificate, or one of another host. */
const distrusts = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

function unreachable(url: string, error: Error, { command, sayWhere }: Hints): ConnectError {
  const { code } = error as NodeJS.ErrnoException
  if (code !== undefined && distrusts.has(code)) {
    return new ConnectError(
      'unreachable',
      `The certificate of ${url} is not trusted here (${error.message}): set NODE_EXTRA_CA_CERTS to the path of the sandbox's certificate.pem.`,
      { cause: error },
    )
  }
  const isSilent = code === 'ECONNREFUSED'
  const why = isSilent ? '' : ` (${error.message || code})`
  return new ConnectError(
    isSilent ? 'silent' : 'unreachable',
    `No sandbox is running at ${url}${why}.\nStart one with "${startCommand(url, command)}", or set its URL ${sayWhere}.`,
    { cause: error },
  )
}

function brokenOff(url: string, error: unknown): ConnectError {
  return new ConnectError(
    'unreachable',
    `The connection to the sandbox at ${url} was lost (${messageOf(error)}).`,
    { cause: error },
  )
}

/** Returns the command that starts a sandbox at this URL. */
function startCommand(url: string, command: readonly string[]): string {
  const { protocol, port, hostname } = new URL(url)
  const start = [...command, 'start']
  if (!isLoopbackHost(hostname)) return commandText(start)
  const isUsual = port === new URL(usualUrl).port
  return commandText([
    ...start,
    ...(isUsual ? [] : ['--port', port || (protocol === 'https:' ? '443' : '80')]),
    ...(protocol === 'https:' ? ['--https'] : []),
  ])
}

function parseBody(url: string, { status, headers, body }: PlainResponse): unknown {
  if (status >= 300 && status < 400) {
    const target = headers.location ?? 'elsewhere'
    throw new ConnectError(
      'stranger',
      `The server at ${url} is not a sandbox: it redirects to ${target}`,
    )
  }
  if (body === '') return {}
  try {
    return JSON.parse(body)
  } catch (error) {
    const text = `The server at ${url} is not a sandbox: ${body.slice(0, 80)}`
    throw new ConnectError('stranger', text, { cause: error })
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
