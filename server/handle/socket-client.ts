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
import type { ControlTransport } from './control-client.ts'
import { ControlError } from './control-error.ts'
import type { FoundSandbox } from './find-sandbox.ts'
import { parsedLines } from './lines.ts'

/** A sandbox that runs elsewhere, over its own address. */
export interface SocketClient {
  /** Root of the sandbox, without a trailing slash. */
  readonly url: string
  /** The certificate that is trusted, where the sandbox has its own. */
  readonly certificatePath?: string
  /** Calls of the control API. */
  readonly transport: ControlTransport
  /** A request as it stands. Redirects are not followed: what is sent is for this address alone. */
  readonly request: (request: PlainRequest) => Promise<PlainAnswer>
  /** The lines of an answer that goes on, as they come, until it ends, or the signal does. */
  readonly lines: <K extends ControlStreamKey>(
    signal: AbortSignal | undefined,
    key: K,
    ...input: ControlArguments<K>
  ) => AsyncIterable<ControlLine<K>>
  /** Ends what is under way. */
  close(): void
}

export interface PlainRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

export interface PlainAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** What the messages say to whoever asked. */
export interface Hints {
  /** What calls the command line. */
  command: readonly string[]
  /** How one says where the sandbox is: `with --url`. */
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
  const request = async (plain: PlainRequest): Promise<PlainAnswer> => {
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
      if (answer.statusCode !== 200) {
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

/** The usual authorities, those of the environment, and the sandbox, which is its own. */
async function trustOf(certificate: string | undefined) {
  // Node's own trust, which has those of the environment already.
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

/** What Node says of a certificate that nobody vouches for, or of another host. */
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
      `The certificate of ${url} is not trusted here (${error.message}): give the path of the sandbox's certificate.pem by NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    )
  }
  const isSilent = code === 'ECONNREFUSED'
  const why = isSilent ? '' : ` (${error.message || code})`
  return new ConnectError(
    isSilent ? 'silent' : 'unreachable',
    `No sandbox answers at ${url}${why}.\nStart one with "${startCommand(url, command)}", or say where it is ${sayWhere}.`,
    { cause: error },
  )
}

function brokenOff(url: string, error: unknown): ConnectError {
  return new ConnectError(
    'unreachable',
    `The connection to the sandbox at ${url} broke off (${messageOf(error)}).`,
    { cause: error },
  )
}

/** What starts a sandbox that would answer there. */
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

function parseBody(url: string, { status, headers, body }: PlainAnswer): unknown {
  if (status >= 300 && status < 400) {
    const target = headers.location ?? 'elsewhere'
    throw new ConnectError(
      'stranger',
      `What answers at ${url} is no sandbox: it leads to ${target}`,
    )
  }
  if (body === '') return {}
  try {
    return JSON.parse(body)
  } catch (error) {
    const text = `What answers at ${url} is no sandbox: ${body.slice(0, 80)}`
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
