import type { MetadataDocumentItem } from '../../contract/control-apps.ts'
import type { Deps } from '../deps.ts'
import { Refusal, refuseIssues } from '../../core/refusal.ts'
import { documentProblems, virtualAddressProblem } from './metadata-document.ts'
import type { MetadataDocument } from '../../store/entities/oauth-entities.ts'

type DocumentDeps = Pick<Deps, 'state'>

export function describeDocument({ id, document }: MetadataDocument): MetadataDocumentItem {
  const problems = documentProblems(id, document)
  return { url: id, document, ...(problems.length > 0 && { problems }) }
}

/** @throws {Refusal} `not_found` */
export function requireDocument({ state }: DocumentDeps, url: string): MetadataDocument {
  const found = state.metadataDocuments.get(url)
  if (found !== undefined) return found
  throw new Refusal('not_found', `The sandbox serves no client metadata document at ${url}.`)
}

/**
 * Serves a client metadata document at a URL.
 * @throws {Refusal} `invalid` for an invalid URL; `conflict` when the URL already has a document
 */
export function createDocument(
  deps: DocumentDeps,
  { url, document }: MetadataDocumentItem,
): MetadataDocument {
  const problem = virtualAddressProblem(url)
  refuseIssues(problem === undefined ? [] : [{ path: 'url', message: `${url} ${problem}` }])
  if (deps.state.metadataDocuments.get(url) !== undefined) {
    throw new Refusal('conflict', `${url} already has a document: change it instead.`)
  }
  return keepDocument(deps, { id: url, document })
}

export function updateDocument(
  deps: DocumentDeps,
  { id }: MetadataDocument,
  document: MetadataDocument['document'],
): MetadataDocument {
  return keepDocument(deps, { id, document })
}

/** Deletes a document; its URL is fetched from its real site afterwards. */
export function deleteDocument(deps: DocumentDeps, { id }: MetadataDocument): void {
  deps.state.metadataDocuments.delete(id)
  forgetCached(deps, id)
}

function keepDocument(deps: DocumentDeps, document: MetadataDocument): MetadataDocument {
  forgetCached(deps, document.id)
  return deps.state.metadataDocuments.put(document)
}

/** Drops the cached document, so that the next request reads it again. */
function forgetCached({ state }: DocumentDeps, clientId: string): void {
  const app = state.apps.get(clientId)
  if (app?.origin === 'metadata-document') state.apps.put({ ...app, refreshAfter: 0 })
}
