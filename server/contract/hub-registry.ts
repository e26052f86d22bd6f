import { type Static, Type } from 'typebox'
import { integer, text } from './plain-fields.ts'

// GGUF models as images of a registry, for Ollama, Docker's model runner and llama.cpp.

const descriptor = {
  mediaType: text('Media type'),
  digest: text('`sha256:` and 64 hex digits'),
  size: integer('Bytes'),
}
const NamedFile = Type.Object(
  { rfilename: text('Path'), blobId: text('Git object id'), size: integer('Bytes') },
  { description: 'Only for llama.cpp, by its User-Agent' },
)

export const ManifestResponse = Type.Object({
  schemaVersion: integer('Always 2'),
  mediaType: text('Media type'),
  config: Type.Object(descriptor),
  layers: Type.Array(Type.Object(descriptor)),
  ggufFile: Type.Optional(NamedFile),
  mmprojFile: Type.Optional(NamedFile),
})
export type ManifestResponse = Static<typeof ManifestResponse>
