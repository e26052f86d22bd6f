/** Fetched document; the fetch follows no redirects and stops at 5 KB. */
export interface FetchedDocument {
  status: number
  contentType: string
  body: string
  /** Seconds for which `Cache-Control` allows caching; 0 = no caching. */
  maxAgeSeconds?: number
}

/** Most bytes of a document that the hub reads. */
export const mostDocumentBytes = 5 * 1024
