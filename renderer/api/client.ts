import type {
  ControlArguments,
  ControlCall,
  ControlResponse,
  ControlItem,
  ControlKey,
  ControlListKey,
} from '../../server/contract/control-call.ts'
import {
  buildControlRequest,
  controlRequest,
  type ControlRequest,
  type Texts,
} from '../../server/contract/control-request.ts'
import { shareStrings } from '../lib/share-strings.ts'

export interface Page<T> {
  items: T[]
  nextCursor?: string
}

/** Error response of the control API, or no response at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly issues: readonly { path: string; message: string }[]

  constructor(status: number, message: string, issues: ApiError['issues'] = []) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.issues = issues
  }

  /** First issue of the field at `path`, or of an item of it. */
  issueOf(path: string): ApiError['issues'][number] | undefined {
    return this.issues.find((issue) => {
      const place = issue.path.replace(/^\//, '')
      return place === path || (place.startsWith(path) && /^[.[/]/.test(place.slice(path.length)))
    })
  }

  issue(path: string): string | undefined {
    return this.issueOf(path)?.message
  }
}

/** Root of the control API; the dashboard is served beside it. */
const root = `${import.meta.env.BASE_URL}api/`

/**
 * Calls the control API, by a key of its table.
 * @throws {ApiError} for every status that is not 2xx, and when nothing answers
 */
export const callApi: ControlCall = callUntil(undefined)

/** URL of a response that the browser itself downloads. */
export function apiAddress<K extends ControlKey>(key: K, ...input: ControlArguments<K>): string {
  return root + controlRequest(key, ...input).path
}

/**
 * Reads the response at a URL of {@link apiAddress}, as text and parsed.
 * @param onBytes receives the number of bytes received so far, and the total if it is known
 */
export function readAt(
  address: string,
  onBytes?: OnBytes,
): Promise<{ text: string; answer: unknown }> {
  return receive(address, { method: 'GET' }, onBytes)
}

type OnBytes = (received: number, all: number | undefined) => void

/** {@link callApi} until a signal ends it. */
export function callUntil(signal: AbortSignal | undefined): ControlCall {
  return (key, ...input) => send(controlRequest(key, ...input), signal)
}

/** Reads one page of a list, from a cursor on. */
export async function readPage<K extends ControlListKey>(
  key: K,
  query: Texts & { cursor: string | undefined },
  signal?: AbortSignal,
): Promise<ControlResponse<K> & Page<ControlItem<K>>> {
  return shareStrings(
    await send<ControlResponse<K> & Page<ControlItem<K>>>(
      buildControlRequest(key, { query }),
      signal,
    ),
  )
}

/** @returns the JSON of the answer, which the sandbox shapes by the table; `undefined` when it has none */
async function send<T>(
  { method, path, headers, body }: ControlRequest,
  signal?: AbortSignal,
): Promise<T> {
  const { answer } = await receive(root + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  return answer as T
}

/** @returns the text of the answer, and what it says in JSON; `undefined` when it has none */
async function receive(
  address: string,
  init: RequestInit,
  onBytes?: OnBytes,
): Promise<{ text: string; answer: unknown }> {
  const response = await fetch(address, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, 'No response from the sandbox. Is it still running?')
  })
  const text = await (onBytes ? textWith(response, onBytes) : response.text())
  const answer: unknown = text && isJson(response) ? JSON.parse(text) : undefined
  if (!response.ok) throw refusal(response, answer)
  return { text, answer }
}

async function textWith(response: Response, onBytes: OnBytes): Promise<string> {
  // A compressed body has another length on the wire.
  const length = response.headers.has('content-encoding')
    ? null
    : response.headers.get('content-length')
  const all = length === null ? undefined : Number(length)
  let received = 0
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        received += chunk.length
        onBytes(received, all)
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(counted ?? null).text()
}

function isJson(response: Response): boolean {
  return /[/+]json\b/.test(response.headers.get('content-type') ?? '')
}

function refusal(response: Response, answer: unknown): ApiError {
  if (typeof answer !== 'object' || answer === null) {
    return new ApiError(response.status, `The sandbox responded with ${response.status}`)
  }
  const { message, error, issues } = answer as {
    message?: string
    error?: string
    issues?: ApiError['issues']
  }
  return new ApiError(response.status, message ?? error ?? `Status ${response.status}`, issues)
}
