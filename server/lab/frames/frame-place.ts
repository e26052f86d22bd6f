import type { IncomingHttpHeaders } from 'node:http'
import type { FramePlace } from '../../contract/words/frame-words.ts'

/** Documents whose places are remembered. */
const mostDocuments = 300

/** Checks whether a request loads a document, in a window or in a frame. */
export function isDocumentRequest(headers: IncomingHttpHeaders): boolean {
  return /^(?:document|iframe|frame)$/.test(headers['sec-fetch-dest'] ?? '')
}

/**
 * Finds out where the app is shown that a request comes from. Navigations say so (`Sec-Fetch-Dest`). For other requests,
 * browsers with `Sec-Fetch-Storage-Access` send it in frames of another site only; else the page that the request names
 * as its referrer decides, unless that page was opened in both places.
 */
export function createPlaces(): (headers: IncomingHttpHeaders, url: string) => FramePlace {
  const documents = new Map<string, FramePlace>()
  let knowsStorageAccess = false

  function remember(url: string, place: FramePlace): FramePlace {
    const before = documents.get(url)
    documents.delete(url)
    documents.set(url, before === undefined || before === place ? place : 'unknown')
    const [oldest] = documents.keys()
    if (documents.size > mostDocuments && oldest !== undefined) documents.delete(oldest)
    return place
  }

  /** The place of all documents so far, if there is only one. */
  function onlyPlace(): FramePlace {
    const [place = 'unknown', ...others] = new Set(documents.values())
    return others.length === 0 ? place : 'unknown'
  }

  return (headers, url) => {
    const status = headers['sec-fetch-storage-access']
    const dest = headers['sec-fetch-dest']
    if (dest === 'iframe' || dest === 'frame') {
      knowsStorageAccess ||= status !== undefined
      return remember(url, 'frame')
    }
    if (dest === 'document') return remember(url, 'direct')
    if (status !== undefined) return 'frame'
    // Browsers without fetch metadata, and programs, say nothing.
    if (dest !== undefined && knowsStorageAccess) return 'direct'
    const { referer = '' } = headers
    const named = URL.canParse(referer) ? new URL(referer) : undefined
    return (named && documents.get(named.pathname + named.search)) ?? onlyPlace()
  }
}
