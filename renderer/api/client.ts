/** A refusal of the control API, or no answer at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly issues: readonly { path: string; message: string }[]

  constructor(status: number, message: string, issues: ApiError['issues'] = []) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.issues = issues
  }

  /** What is wrong first with the field at `path`, or with an item of it, if that is what was refused. */
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

export type QueryParameters = Record<string, string | number | boolean | undefined>

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  query?: QueryParameters
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Root of the control API, seen from the page: the dashboard is served beside it. */
const root = `${import.meta.env.BASE_URL}api/`

function address(path: string, query: QueryParameters = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return `${root}${path}${text && `?${text}`}`
}

/**
 * Calls the control API.
 * @param path below `/_sandbox/api/`, its parts encoded
 * @returns the JSON of the answer; `undefined` when it has none
 * @throws {ApiError} for every status that is not 2xx, and when nothing answers
 */
export async function callApi<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const { method = 'GET', query, body, headers, signal } = options
  const response = await fetch(address(path, query), {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, 'The sandbox does not answer. Is it still running?')
  })
  const text = await response.text()
  const answer: unknown = text && isJson(response) ? JSON.parse(text) : undefined
  if (!response.ok) throw refusal(response, answer)
  return answer as T
}

function isJson(response: Response): boolean {
  return /[/+]json\b/.test(response.headers.get('content-type') ?? '')
}

function refusal(response: Response, answer: unknown): ApiError {
  if (typeof answer !== 'object' || answer === null) {
    return new ApiError(response.status, `The sandbox answered ${response.status}`)
  }
  const { message, error, issues } = answer as {
    message?: string
    error?: string
    issues?: ApiError['issues']
  }
  return new ApiError(response.status, message ?? error ?? `Status ${response.status}`, issues)
}

/** One part of a path; client ids may be whole addresses. */
export const part = encodeURIComponent
