import type { MetadataDocumentItem } from '../contract/control-apps.ts'
import type { Deps } from '../events/deps.ts'
import { Refusal, refuseIssues } from '../core/refusal.ts'
import { virtualAddressProblem } from './metadata-document.ts'
import type { MetadataDocument } from '../state/entities/oauth.ts'

type DocumentDeps = Pick<Deps, 'state'>

export function describeDocument({ id, document }: MetadataDocument): MetadataDocumentItem {
  return { url: id, document }
}

/** @throws {Refusal} `not_found` */
export function requireDocument({ state }: DocumentDeps, url: string): MetadataDocument {
  const found = state.metadataDocuments.get(url)
  if (found !== undefined) return found
  throw new Refusal('not_found', `The sandbox serves no client metadata document at ${url}.`)
}

/**
 * Serves a document under an address of its own.
 * @throws {Refusal} `invalid` for an address that no document can have; `conflict` when it has one
 */
export function createDocument(
  deps: DocumentDeps,
  { url, document }: MetadataDocumentItem,
): MetadataDocument {
  const problem = virtualAddressProblem(url)
  refuseIssues(problem === undefined ? [] : [{ path: 'url', message: `${url} ${problem}` }])
  if (deps.state.metadataDocuments.get(url) !== undefined) {
    throw new Refusal('conflict', `There is a document at ${url} already: change it.`)
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

/** The address is looked up on its real site from now on. */
export function deleteDocument(deps: DocumentDeps, { id }: MetadataDocument): void {
  deps.state.metadataDocuments.delete(id)
  forgetCached(deps, id)
}

function keepDocument(deps: DocumentDeps, document: MetadataDocument): MetadataDocument {
  forgetCached(deps, document.id)
  return deps.state.metadataDocuments.put(document)
}

/** The next request reads the document anew, however long it might have been kept. */
function forgetCached({ state }: DocumentDeps, clientId: string): void {
  const app = state.apps.get(clientId)
  if (app?.origin === 'metadata-document') state.apps.put({ ...app, refreshAfter: 0 })
}
