import {
  createDocument,
  deleteDocument,
  describeDocument,
  requireDocument,
  updateDocument,
} from './kept-documents.ts'
import { refuseIssues } from '../../core/refusal.ts'
import { checkDocumentText } from './check-document-text.ts'
import { virtualAddressProblem } from './metadata-document.ts'
import { pageOf } from '../../web/page.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { HubServices } from '../services.ts'

/** `clientMetadataDocuments` of the fixtures, while the sandbox runs. */
export const metadataDocumentRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  control(app, 'GET client-metadata-documents', async ({ query }) =>
    pageOf(deps.state.metadataDocuments.values(), query, ({ id }) => id, describeDocument),
  )
  control(app, 'POST client-metadata-documents', async ({ body }) =>
    describeDocument(createDocument(deps, body)),
  )
  control(app, 'POST client-metadata-documents/check', async ({ body: { text, url } }) => {
    const problem = url === undefined ? undefined : virtualAddressProblem(url)
    refuseIssues(problem === undefined ? [] : [{ path: 'url', message: `${url} ${problem}` }])
    return checkDocumentText(text, url)
  })
  control(app, 'GET client-metadata-documents/:url', async ({ params: { url } }) =>
    describeDocument(requireDocument(deps, url)),
  )
  control(app, 'PATCH client-metadata-documents/:url', async ({ params: { url }, body }) =>
    describeDocument(updateDocument(deps, requireDocument(deps, url), body.document)),
  )
  control(app, 'DELETE client-metadata-documents/:url', async ({ params: { url } }) => {
    deleteDocument(deps, requireDocument(deps, url))
    return {}
  })
}
