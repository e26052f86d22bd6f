import { omitUndefined } from '../../core/omit-undefined.ts'
import { performance } from '../../core/timers.ts'
import type { FetchedDocument } from '../../web/outgoing/fetched-document.ts'

/** Request of the sandbox for a client metadata document. */
export interface DocumentFetch {
  readonly url: string
  /** Real milliseconds since the process started, as for requests. */
  readonly startedMs: number
  readonly endedMs: number
  /** HTTP status; absent when the fetch failed. */
  readonly status?: number
  readonly contentType?: string
  /** At most 5 KB. */
  readonly body?: string
  /** Reason of a failed fetch. */
  readonly problem?: string
}

export interface DocumentFetches {
  add(fetch: DocumentFetch): void
  /** Finds the fetch that a request of this client waited for. @param receivedMs time of arrival of the request */
  of(clientId: string | undefined, receivedMs: number): DocumentFetch | undefined
  clear(): void
}

/** Number of latest fetches that are kept: the requests that cause them end right after them. */
const keptFetches = 50

export function createDocumentFetches(): DocumentFetches {
  let latest: DocumentFetch[] = []
  return {
    add(fetch) {
      latest = [...latest.slice(1 - keptFetches), fetch]
    },
    of(clientId, receivedMs) {
      if (latest.length === 0 || clientId === undefined) return undefined
      return latest.findLast(({ url, endedMs }) => url === clientId && endedMs >= receivedMs)
    },
    clear() {
      latest = []
    },
  }
}

type FetchDocument = (url: URL) => Promise<FetchedDocument>

/** Fetches documents and notes each fetch, so that it can be shown in the sign-in that caused it. */
export function notingFetch(
  fetches: Pick<DocumentFetches, 'add'>,
  fetchDocument: FetchDocument,
): FetchDocument {
  return async (url) => {
    const startedMs = performance.now()
    const note = (answer: Partial<FetchedDocument> & { problem?: string }) => {
      const { status, contentType, body, problem } = answer
      const endedMs = performance.now()
      const fetched = omitUndefined({ status, contentType, body, problem })
      fetches.add({ url: url.href, startedMs, endedMs, ...fetched })
    }
    try {
      const answer = await fetchDocument(url)
      note(answer)
      return answer
    } catch (error) {
      note({ problem: (error as Error).message })
      throw error
    }
  }
}
