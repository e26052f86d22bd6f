import { Type } from 'typebox'
import { Empty, PageQuery } from '../../../contract/control.ts'
import {
  CreateMetadataDocumentRequest,
  MetadataDocumentItem,
  MetadataDocumentList,
  UpdateMetadataDocumentRequest,
} from '../../../contract/control-apps.ts'
import {
  createDocument,
  deleteDocument,
  describeDocument,
  requireDocument,
  updateDocument,
} from '../../../oauth/kept-documents.ts'
import { pageOf } from './page.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['apps']
const params = Type.Object({ url: Type.String({ description: 'Address of the document' }) })
const answer = { 200: MetadataDocumentItem, ...refusals }

/** `clientMetadataDocuments` of the fixtures, while the sandbox runs. */
export const metadataDocumentRoutes: ControlRoutes = async (app, { deps }) => {
  app.get(
    '/client-metadata-documents',
    {
      schema: {
        summary: 'List the client metadata documents that the sandbox serves to itself',
        tags,
        querystring: PageQuery,
        response: { 200: MetadataDocumentList, ...refusals },
      },
    },
    async ({ query }) =>
      pageOf(deps.state.metadataDocuments.values(), query, ({ id }) => id, describeDocument),
  )
  app.post(
    '/client-metadata-documents',
    {
      schema: {
        summary: 'Serve a client metadata document, so that its client needs no site',
        tags,
        body: CreateMetadataDocumentRequest,
        response: { 201: MetadataDocumentItem, ...refusals },
      },
    },
    async ({ body }, reply) => {
      reply.code(201)
      return describeDocument(createDocument(deps, body))
    },
  )
  app.get(
    '/client-metadata-documents/:url',
    { schema: { summary: 'One client metadata document', tags, params, response: answer } },
    async ({ params: { url } }) => describeDocument(requireDocument(deps, url)),
  )
  app.patch(
    '/client-metadata-documents/:url',
    {
      schema: {
        summary: 'Put another document in its place',
        tags,
        params,
        body: UpdateMetadataDocumentRequest,
        response: answer,
      },
    },
    async ({ params: { url }, body }) =>
      describeDocument(updateDocument(deps, requireDocument(deps, url), body.document)),
  )
  app.delete(
    '/client-metadata-documents/:url',
    {
      schema: {
        summary: 'Stop serving a document; its address is that of its real site again',
        tags,
        params,
        response: { 200: Empty, ...refusals },
      },
    },
    async ({ params: { url } }) => {
      deleteDocument(deps, requireDocument(deps, url))
      return {}
    },
  )
}
