import type { MetadataDocumentCheck } from '../../../../server/contract/control-apps.ts'
import { callApi } from '../../../api/client.ts'
import { useRead, useWholeList, useWrite } from '../../../api/query.ts'
import { words } from '../words.ts'

/** Requests of an MCP client: calls, and the metadata that it reads first. */
export const callsQuery = 'route:/mcp,/.well-known/oauth-protected-resource*'

const mostCalls = 8

export function useCalls() {
  return useRead('GET requests', { query: { q: callsQuery, limit: mostCalls } })
}

export function useDocuments() {
  return useWholeList('GET client-metadata-documents')
}

const changes = ['client-metadata-documents', 'apps'] as const

export function useCheckDocument() {
  return useWrite({
    call: (text: string) => callApi('POST client-metadata-documents/check', { body: { text } }),
    changes: [],
    failed: words.checkFailed,
  })
}

type ServedDocument = Required<Pick<MetadataDocumentCheck, 'url' | 'document'>> & {
  isThere: boolean
}

export function useServeDocument() {
  return useWrite({
    call: ({ url, document, isThere }: ServedDocument) =>
      isThere
        ? callApi('PATCH client-metadata-documents/:url', { params: { url }, body: { document } })
        : callApi('POST client-metadata-documents', { body: { url, document } }),
    changes,
    done: 'Document served',
    failed: 'Could not serve the document',
  })
}

export function useRemoveDocument() {
  return useWrite({
    call: (url: string) => callApi('DELETE client-metadata-documents/:url', { params: { url } }),
    changes,
    done: 'Document no longer served',
    failed: 'Could not stop serving the document',
  })
}
