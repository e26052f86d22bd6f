import { createHash } from 'node:crypto'
import type { ManifestResponse } from '../../contract/hub-registry.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Conclusion } from '../../store/objects/object-store.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { contentsOf } from '../files/contents.ts'
import { type ObjectStore, readBlob, readCommit } from '../files/git-objects.ts'
import { type LargeFile, largeFilesOf } from '../files/lfs-files.ts'
import { mainRef } from '../files/revisions.ts'
import { findPath, type PathEntry } from '../files/trees.ts'
import type { HubDeps } from '../hub-deps.ts'
import { chooseGguf, findProjector, type GgufFile, listGgufFiles } from '../weights/gguf-files.ts'
import { ggufOf } from '../weights/read-weights.ts'

type RegistryDeps = Pick<HubDeps, 'state' | 'objects'>

/** Client of the registry: each has media types of its own. */
export type RegistryClient = 'ollama' | 'docker' | 'llama.cpp'

/** Blob of a model: a file of the repo, or text that the registry composed. */
export type RegistryBlob =
  | { readonly digest: string; readonly file: PathEntry; readonly large: LargeFile | undefined }
  | { readonly digest: string; readonly text: Buffer }

/** Files of a repo that become layers as they are, with the last word of their media type. */
const textFiles = ['template', 'system', 'params'] as const
const longestText = 1024 * 1024

const mediaTypes = {
  ollama: {
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
    model: 'application/vnd.ollama.image.model',
    projector: 'application/vnd.ollama.image.projector',
  },
  docker: {
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    config: 'application/vnd.docker.ai.model.config.v0.1+json',
    model: 'application/vnd.docker.ai.gguf.v3',
    projector: 'application/vnd.docker.ai.mmproj',
  },
} as const

const digests: Conclusion<string> = { name: 'sha256', sizeOf: () => 200 }

/** Files of the head of main. */
interface Files {
  readonly objects: ObjectStore
  readonly treeId: string
  readonly paths: readonly string[]
}

/** Returns the client that a `User-Agent` names; any other is taken for Ollama. */
export function clientOf(userAgent = ''): RegistryClient {
  if (/llama-cpp/i.test(userAgent)) return 'llama.cpp'
  return /docker|model-distribution|go-containerregistry/i.test(userAgent) ? 'docker' : 'ollama'
}

/**
 * Composes the manifest of a model.
 * @param input `tag`: `latest`, a quantization or the name of a file
 * @throws {Refusal} `invalid` for a repo without GGUF files, or a tag that none of them has
 */
export function composeManifest(
  deps: RegistryDeps,
  { repo, tag, client }: { repo: Repo; tag: string; client: RegistryClient },
): ManifestResponse {
  const files = requireGguf(deps, repo)
  const chosen = chooseGguf(listGgufFiles(files.paths), tag)
  if (chosen === undefined) {
    throw new Refusal(
      'invalid',
      'The specified tag is not available in the repository. Please use another tag or "latest"',
    )
  }
  const types = mediaTypes[client === 'docker' ? 'docker' : 'ollama']
  const model = requireFile(deps, repo, files, chosen.path)
  const projectorPath = findProjector(files.paths)
  const projector = projectorPath && requireFile(deps, repo, files, projectorPath)
  const layers = [
    describe(types.model, model),
    ...(projector ? [describe(types.projector, projector)] : []),
    ...textFiles.flatMap((name) => {
      const blob = client === 'docker' ? undefined : textBlob(files, name)
      return blob === undefined ? [] : [describe(`application/vnd.ollama.image.${name}`, blob)]
    }),
  ]
  const config = configOf(deps, { repo, files, chosen, client, layers })
  const named = client === 'llama.cpp'
  return {
    schemaVersion: 2,
    mediaType: types.manifest,
    config: describe(types.config, config),
    layers,
    ...(named && { ggufFile: nameFile(model) }),
    ...(named && projector && { mmprojFile: nameFile(projector) }),
  }
}

/** Finds a blob that a manifest of the repo names, for any client and tag. */
export function findBlob(deps: RegistryDeps, repo: Repo, digest: string): RegistryBlob | undefined {
  const files = requireGguf(deps, repo)
  for (const path of files.paths) {
    if (!/\.gguf$/i.test(path)) continue
    const blob = requireFile(deps, repo, files, path)
    if (blob.digest === digest) return blob
  }
  for (const name of textFiles) {
    const blob = textBlob(files, name)
    if (blob?.digest === digest) return blob
  }
  for (const { path } of listGgufFiles(files.paths)) {
    const tag = path.slice(path.lastIndexOf('/') + 1)
    for (const client of ['ollama', 'docker'] as const) {
      const { layers } = composeManifest(deps, { repo, tag, client })
      const chosen = chooseGguf(listGgufFiles(files.paths), tag)
      const config = chosen && configOf(deps, { repo, files, chosen, client, layers })
      if (config?.digest === digest) return config
    }
  }
  return undefined
}

/** @throws {Refusal} `invalid` */
function requireGguf(deps: RegistryDeps, repo: Repo): Files {
  const objects = deps.objects.of(repo)
  const head = repo.refs[mainRef]
  const treeId = head === undefined ? undefined : readCommit(objects, head).treeId
  const paths = treeId === undefined ? [] : contentsOf(objects, treeId).map(({ path }) => path)
  if (treeId !== undefined && listGgufFiles(paths).length > 0) return { objects, treeId, paths }
  throw new Refusal('invalid', 'Repository is not GGUF or is not compatible with llama.cpp')
}

type FileBlob = Extract<RegistryBlob, { file: PathEntry }>

function requireFile(
  deps: RegistryDeps,
  repo: Repo,
  { objects, treeId }: Files,
  path: string,
): FileBlob {
  const file = findPath(objects, treeId, path)
  if (file === undefined) throw new TypeError(`${path} was listed and is not there`)
  const large = largeFilesOf(deps, repo)(file)
  return { digest: `sha256:${large?.oid ?? hashOf(objects, file.oid)}`, file, large }
}

function hashOf(objects: ObjectStore, oid: string): string {
  const known = objects.recall(digests, oid)
  if (known !== undefined) return known
  const hash = sha256(readBlob(objects, oid))
  objects.remember(digests, oid, hash)
  return hash
}

function textBlob({ objects, treeId }: Files, name: string): RegistryBlob | undefined {
  const file = findPath(objects, treeId, name)
  if (file?.type !== 'file' || file.size > longestText) return undefined
  return blobOf(readBlob(objects, file.oid))
}

interface ConfigInput {
  repo: Repo
  files: Files
  chosen: GgufFile
  client: RegistryClient
  layers: readonly { digest: string; size: number }[]
}

function configOf(
  deps: RegistryDeps,
  { repo, files, chosen, client, layers }: ConfigInput,
): RegistryBlob {
  const family = ggufOf(deps, repo, files.treeId)?.architecture
  const digestsOfLayers = layers.map(({ digest }) => digest)
  const { quantization } = chosen
  const config =
    client === 'docker'
      ? {
          config: omitUndefined({
            format: 'gguf',
            quantization,
            architecture: family,
            size: String(layers[0]?.size ?? 0),
          }),
          rootfs: { type: 'rootfs', diff_ids: digestsOfLayers },
        }
      : {
          ...omitUndefined({
            model_format: 'gguf',
            model_family: family,
            model_families: family === undefined ? undefined : [family],
            file_type: quantization,
          }),
          architecture: 'amd64',
          os: 'linux',
          rootfs: { type: 'layers', diff_ids: digestsOfLayers },
        }
  return blobOf(Buffer.from(JSON.stringify(config)))
}

function blobOf(text: Buffer): RegistryBlob {
  return { digest: `sha256:${sha256(text)}`, text }
}

function describe(mediaType: string, blob: RegistryBlob) {
  return { mediaType, digest: blob.digest, size: sizeOf(blob) }
}

function sizeOf(blob: RegistryBlob): number {
  return 'text' in blob ? blob.text.length : (blob.large?.size ?? blob.file.size)
}

function nameFile(blob: FileBlob) {
  const { path, oid } = blob.file
  return { rfilename: path, blobId: oid, size: sizeOf(blob) }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
