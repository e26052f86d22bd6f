import type { FastifyPluginAsync } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import { streamOf } from '../../store/objects/blob-stream.ts'
import { type FileContents, openFileContents, openLfsContents } from '../files/file-contents.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { hub } from '../http/hub-route.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { sendFile } from '../http/send-file.ts'
import type { HubServices } from '../services.ts'
import { clientOf, composeManifest, findBlob, type RegistryBlob } from './manifests.ts'

/** Models with GGUF files as images of a registry: `ollama run`, `docker model pull` and `llama-cli -hf` read them. */
export const registryRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /v2/', (_request, reply) => {
    reply.header('docker-distribution-api-version', 'registry/2.0')
    return {}
  })

  hub(app, 'GET /v2/:namespace/:name/manifests/:tag', ({ repo, params, headers }, reply) => {
    const client = clientOf(headers['user-agent'])
    const manifest = composeManifest(deps, { repo, tag: params.tag, client })
    // Clients compare the header with the media type: as bytes it gets no charset. llama.cpp reads JSON alone.
    reply.type(client === 'llama.cpp' ? 'application/json' : manifest.mediaType)
    return reply.send(Buffer.from(JSON.stringify(manifest)))
  })

  hub(app, 'GET /v2/:namespace/:name/blobs/:digest', (request, reply) => {
    const { repo, params, root, url } = request
    const blob = findBlob(deps, repo, params.digest)
    if (blob === undefined) throw new Refusal('not_found', `Blob not found: ${params.digest}`)
    // Ollama looks for the storage here: the Hub's is on another host, and this one is the storage.
    reply.headers({ 'docker-content-digest': blob.digest, location: `${root}${url}` })
    const contents = 'text' in blob ? openText(blob) : openFile(blob)
    return sendFile(request, reply, contents, 'application/octet-stream')

    function openFile({ file, large }: Extract<RegistryBlob, { file: unknown }>): FileContents {
      return large === undefined
        ? openFileContents(deps.objects.of(repo), file)
        : openLfsContents(deps.objects.lfs, large)
    }
  })
}

function openText({ digest, text }: Extract<RegistryBlob, { text: Buffer }>): FileContents {
  return {
    size: text.length,
    etag: `"${digest}"`,
    read: (range) =>
      streamOf(range === undefined ? text : text.subarray(range.first, range.last + 1)),
  }
}
